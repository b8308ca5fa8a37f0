"""From a judge's reply to a score of 1 to 10: the published permissive cascade, and a strict reading."""

from __future__ import annotations

import json
import re

from editplan.evals.protocols.replies import json_objects
from editplan.records import Record


class Parsed(Record):
    """What a reply says; exactly one of `score` and `error` is set."""

    score: int | None = None
    reason: str | None = None
    error: str | None = None
    """What is wrong, in words that a re-ask can quote."""


_FLAT_OBJECT = re.compile(r"\{[^{}]*score[^{}]*\}")
_ONE_TO_TEN = "(10|[1-9])"
_FALLBACKS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"score\s*['\"]?\s*[:：]\s*{_ONE_TO_TEN}\b",
        rf"rating\s*[:：]\s*{_ONE_TO_TEN}\b",
        rf"{_ONE_TO_TEN}\s*/\s*10",
        rf"{_ONE_TO_TEN}\s+out\s+of\s+10",
        rf"\b{_ONE_TO_TEN}\b",
    )
)


def parse_permissive(reply: str) -> Parsed:
    """Read a reply as the published script does, its mistakes included.

    The first flat object that mentions a score decides, truncated to a whole number; out of 1..10 it is an
    error without further search. Otherwise the first pattern that matches anywhere wins, so an unreadable
    reply can yield any number that it happens to hold.
    """
    flat = _FLAT_OBJECT.search(reply)
    value = _whole_score(flat.group(0)) if flat else None
    if value is not None:
        if 1 <= value <= 10:
            return Parsed(score=value)
        return Parsed(error=f"the score {value} is outside 1 to 10")
    for pattern in _FALLBACKS:
        match = pattern.search(reply)
        if match:
            return Parsed(score=int(match.group(1)))
    return Parsed(error="no score from 1 to 10 was found")


def _whole_score(text: str) -> int | None:
    try:
        value = json.loads(text).get("score")
        return None if value is None else int(value)
    except (ValueError, TypeError, OverflowError):
        return None


def parse_strict(reply: str) -> Parsed:
    """Read the one JSON object with a `score` in a reply; prose around it is allowed.

    The score is a whole number from 1 to 10. Several objects with different scores, a score that is text or a
    fraction, and a reply without an object are errors, never guesses.
    """
    found = [value for value in json_objects(reply) if "score" in value]
    if not found:
        return Parsed(error='no JSON object {"reason": "...", "score": <1-10>} was found')
    if len({json.dumps(value["score"]) for value in found}) > 1:
        return Parsed(error="several JSON objects with different scores were found; give one")
    score, reason = found[-1]["score"], found[-1].get("reason")
    if isinstance(score, bool) or not isinstance(score, int):
        return Parsed(error=f'"score" must be a whole number, not {json.dumps(score)}')
    if not 1 <= score <= 10:
        return Parsed(error=f'"score" must be from 1 to 10, not {score}')
    return Parsed(score=score, reason=reason if isinstance(reason, str) else None)
