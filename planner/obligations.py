"""What a plan promises about the output: what it must show, and what it must still show."""

from __future__ import annotations

import re

from editplan.records import Obligation

_STAYING = re.compile(
    r"\b(?:stay|stays|staying|remain|remains|remaining"
    r"|unchanged|unaltered|untouched|unmodified|unaffected|intact"
    r"|preserve|preserves|preserved|keep|keeps|kept|retain|retains|retained"
    r"|as before|as (?:it|they) (?:is|are|was|were)"
    r"|(?:do|does|did|is|are|must|should) not (?:be )?(?:change|changed|move|moved|altered|modified|affected)"
    r"|same as (?:before|in the (?:source|input|original))|identical to (?:before|the (?:source|input|original))"
    r"|nothing else|no other"
    r"|bleib\w*|unverändert|erhalten|reste|restent|inchangée?s?|conserv\w+|igual(?:es)?|sin cambios|permanece\w*)\b"
    r"|保持|不变|不變|保留|原样|原樣|依旧|不动|不改|そのまま|維持|変わらない|유지|그대로",
    re.IGNORECASE,
)


def obligation(text: str) -> Obligation:
    """A `self_contract` string as an obligation: words of staying make it preservation, the rest is completion."""
    return Obligation(kind="preservation" if _STAYING.search(text) else "completion", text=text)
