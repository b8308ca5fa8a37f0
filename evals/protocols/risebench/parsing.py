"""From a judge's reply to a score: the published reading of "Final Score", and a strict one."""

from __future__ import annotations

import re

_LABELLED = tuple(
    re.compile(rf"\*{{0,2}}{label}\*{{0,2}}:?\s*([\d*\s,]*)", re.IGNORECASE)
    for label in ("Final Score", "Final Scores")
)
_STATED = re.compile(r"final score[*_\s]*[:：=][*_\s]*(\S+)", re.IGNORECASE)


def parse_permissive(reply: str) -> int | None:
    """The first number after the first "Final Score" that has one; its range is not checked."""
    for pattern in _LABELLED:
        for match in pattern.finditer(reply):
            number = re.search(r"\d+", match.group(1))
            if number:
                return int(number.group())
    return None


def parse_strict(reply: str, *, logical: bool) -> int | str:
    """The one "Final Score: ..." of a reply: 1 to 5, or 0 or 1 for a logical item; "4/5" reads as 4.

    Returns the score, or in words what is wrong, to be quoted in a re-ask.
    """
    lowest, highest = (0, 1) if logical else (1, 5)
    found = {match.group(1).strip("*_.,;") for match in _STATED.finditer(reply)}
    stated = {text.removesuffix(f"/{highest}") for text in found}
    if not stated:
        return f'no line "Final Score: <{lowest}-{highest}>" was found'
    if len(stated) > 1:
        return f"several final scores were found: {', '.join(sorted(stated))}"
    text = stated.pop()
    if not text.isdecimal() or not lowest <= int(text) <= highest:
        return f"the final score must be a whole number from {lowest} to {highest}, not {text}"
    return int(text)
