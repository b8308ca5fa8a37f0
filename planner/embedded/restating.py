"""Turns a text that is given into one instruction, without a look and without solving anything."""

from __future__ import annotations

import re

from editplan.planner.embedded.language import keep_sentence
from editplan.planner.embedded.wording import CLOSING, MAX_WORDS, compose, sentence, words

_FORWARD = re.compile(r"^(?:then|so|now)\b[ ,]*", re.IGNORECASE)
_CLOSING = re.compile(r"[^.]*\bonly\b[^.]*\bimage\b[^.]*\.?\s*$", re.IGNORECASE)
_KEEPS = re.compile(r"\b(?:keep|unchanged|as (?:it is|they are)|stays?)\b", re.IGNORECASE)
_STATE = re.compile(r"^then ", re.IGNORECASE)


def as_instruction(text: str) -> str:
    """The sentences of `text` that say what to do, what stays, and the closing sentence; at most 180 words."""
    bare = _CLOSING.sub("", " ".join(text.split())).strip()
    parts = [part for part in re.split(r"(?<=[.!?。！？])\s+", bare) if part]
    steps = [sentence(_FORWARD.sub("", part)) for part in parts if not _STATE.match(part)] or [sentence(bare)]
    keep = "" if any(_KEEPS.search(step) for step in steps) else keep_sentence(bare)
    whole = compose(tuple(steps), keep) if keep else " ".join((*steps, CLOSING))
    if words(whole) <= MAX_WORDS:
        return whole
    room = MAX_WORDS - words(CLOSING)
    return " ".join((*" ".join(steps).split()[:room], CLOSING))
