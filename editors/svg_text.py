"""What a language model's reply holds, and how long it may be (Vector-Bench, arXiv 2607.19056, prompt protocol)."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Literal

from editplan.records import Record

_FENCE = re.compile(r"```(?:svg|xml)?\s*(?=<svg)", re.IGNORECASE)
_FENCE_END = re.compile(r"</svg>(?=\s*```)", re.IGNORECASE)
_OPENING = re.compile(r"<svg", re.IGNORECASE)
_OPENING_TAG = re.compile(r"<svg(?=[\s>/])", re.IGNORECASE)
_CLOSING = re.compile(r"</svg>", re.IGNORECASE)

_MOST_TOKENS = 16_000


class Extraction(Record):
    """The document that the rule found in a reply."""

    svg: str
    rule: Literal["fenced", "inline", "whole"]
    """A fenced block, the first `<svg` to `</svg>`, or the whole reply for want of either."""
    cuts_nested: bool = False
    """The document holds a nested `<svg>`, at whose end the rule cut it."""


def extract_svg(reply: str) -> Extraction:
    """The SVG document in a reply, by the published rule, in time linear in the reply.

    A fenced svg or xml block, else the first `<svg` to the next `</svg>`, else the trimmed reply. The rule
    doesn't count nesting: a nested svg ends the document early.
    """
    fence = _FENCE.search(reply)
    if fence is not None:
        end = _FENCE_END.search(reply, fence.end() + len("<svg"))
        if end is not None:
            return _found(reply[fence.end() : end.end()], "fenced")
    opening = _OPENING.search(reply)
    if opening is not None:
        closing = _CLOSING.search(reply, opening.end())
        if closing is not None:
            return _found(reply[opening.start() : closing.end()], "inline")
    return Extraction(svg=reply.strip(), rule="whole")


def _found(svg: str, rule: Literal["fenced", "inline"]) -> Extraction:
    opened, closed = (len(pattern.findall(svg)) for pattern in (_OPENING_TAG, _CLOSING))
    return Extraction(svg=svg.strip(), rule=rule, cuts_nested=opened > closed)


class TokenCeiling(StrEnum):
    """Which published rule bounds the reply."""

    STUDY = "study"
    """The study's: 4,096 to 16,000, by length / 2.5 + 1,536; its corpus got 4,096 to 7,002."""
    CURRENT = "current"
    """The current script's: 8,192 to 16,000, by length / 2 + 2,048, which leaves room for hidden reasoning."""

    def tokens(self, source: str) -> int:
        """Output tokens that the reply to this source may have."""
        characters = len(source)
        if self is TokenCeiling.STUDY:
            return min(_MOST_TOKENS, max(4_096, int(characters / 2.5) + 1_536))
        return min(_MOST_TOKENS, max(8_192, int(characters / 2) + 2_048))
