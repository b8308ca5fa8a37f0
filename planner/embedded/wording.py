"""Puts steps, what stays, and the closing sentence into one instruction of at most 180 words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

MAX_WORDS = 180
CLOSING = "Output only the edited image."
KEEP_ALL = "Keep everything else exactly as it is."
_COORDINATES = re.compile(r"\((-?[\d.]+%), (-?[\d.]+%)\)")


def words(text: str) -> int:
    """Words between whitespace, as the limit counts them."""
    return len(text.split())


def compose(steps: Sequence[str], keep: str = KEEP_ALL) -> str:
    """One instruction: the steps, then what stays, then the closing sentence.

    Where it grows over the limit, coordinates lose their space (they then count as one word) and the sentence on what
    stays becomes the general one; steps are never left out.
    """
    whole = " ".join((*steps, keep, CLOSING))
    if words(whole) <= MAX_WORDS:
        return whole
    whole = " ".join((*steps, KEEP_ALL, CLOSING))
    return whole if words(whole) <= MAX_WORDS else _COORDINATES.sub(r"(\1,\2)", whole)


def fits(steps: Iterable[str]) -> bool:
    """Whether the steps leave room for what stays and the closing sentence."""
    return words(compose(tuple(steps))) <= MAX_WORDS


def shortened(text: str) -> str:
    """The text, without its last words where it would not fit into an instruction with its closing sentence."""
    return text if fits((text,)) else " ".join(text.split()[: MAX_WORDS - words(CLOSING) - words(KEEP_ALL)])


def sentence(text: str) -> str:
    """The text with a capital letter and a full stop."""
    text = text.strip()
    if not text:
        return text
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?。！？…" else text + "."
