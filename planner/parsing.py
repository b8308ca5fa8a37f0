"""Finds the JSON object in a model's reply: strictly first, then repaired.

Tolerated without a word: fences, a byte order mark, thinking before the answer, prose around it. Anything that had to
be mended is said in a note.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

_THINKING = re.compile(
    r"^\s*<(think|thinking|thought|reasoning|scratchpad|analysis)\b[^>]*>.*?</\1>", re.DOTALL | re.IGNORECASE
)
_THINKING_TAIL = re.compile(r"^.*?</(?:think|thinking|thought|reasoning|scratchpad|analysis)>", re.DOTALL)
_LONGEST = 400_000
_MOST_STARTS = 400
_OPENING = re.compile(r"[{\[]")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Parsed:
    """What was found in a reply: the object, or why there is none."""

    value: dict[str, Any] | None
    repaired: bool = False
    notes: tuple[str, ...] = field(default=())
    error: str | None = None


def parse_reply(text: str, keys: Collection[str]) -> Parsed:
    """The first object in `text` that has one of `keys`; other objects (examples, thoughts) are passed over."""
    body = _body(text)
    if not body.strip():
        return Parsed(None, error="the answer was empty")
    if len(body) > _LONGEST:
        return Parsed(None, error=f"the answer is longer than {_LONGEST:,} characters")
    return _strict(body, keys) or _repaired(body, keys) or Parsed(None, error=_complaint(body, keys))


def _body(text: str) -> str:
    """The reply without byte order mark, thinking and outer whitespace."""
    text = text.replace("\ufeff", "").replace("\x00", "")
    while hit := _THINKING.match(text):
        text = text[hit.end() :]
    tail = _THINKING_TAIL.match(text)
    if tail and "{" in text[tail.end() :] and not text.lstrip().startswith(("{", "[", "`")):
        text = text[tail.end() :]
    return text.strip()


def _strict(body: str, keys: Collection[str]) -> Parsed | None:
    for value, end, inside in _values(body):
        found = _object(value, keys)
        if found is None:
            continue
        notes = []
        if inside or isinstance(value, list):
            notes.append("the object came inside another value")
        others = len(value) - 1 if isinstance(value, list) else 0
        if others or any(_object(more, keys) is not None for more, _, _ in _values(body[end:])):
            notes.append("more than one object came: the first counts")
        return Parsed(found, repaired=bool(notes), notes=tuple(notes))
    return None


def _values(body: str) -> Iterator[tuple[Any, int, bool]]:
    """Each decodable object or list, where it ends, and whether it is a value of the object before it."""
    place, tried = 0, 0
    while tried < _MOST_STARTS and (hit := _OPENING.search(body, place)):
        tried += 1
        try:
            value, end = _DECODER.raw_decode(body, hit.start())
        except (ValueError, RecursionError):
            place = hit.start() + 1
            continue
        yield value, end, False
        if isinstance(value, dict):
            yield from ((inner, end, True) for inner in value.values() if isinstance(inner, dict))
        place = end


def _object(value: Any, keys: Collection[str]) -> dict[str, Any] | None:
    if isinstance(value, list):
        found = [each for each in value if _object(each, keys) is not None and isinstance(each, dict)]
        return found[0] if found else None
    return value if isinstance(value, dict) and any(key in value for key in keys) else None


def _repaired(body: str, keys: Collection[str]) -> Parsed | None:
    import json_repair

    places = [hit.start() for key in keys if (hit := re.search(rf"[\"']?\b{re.escape(key)}\b[\"']?\s*:", body))]
    if not places:
        return None
    first = _OPENING.search(body)
    begins = [body.rfind("{", 0, min(places) + 1), first.start() if first else -1]
    for begin in dict.fromkeys(begin for begin in begins if begin >= 0):
        try:
            value = json_repair.loads(body[begin:])
        except (ValueError, RecursionError, TypeError, IndexError):
            continue
        found = _object(value, keys)
        if found is not None:
            return Parsed(found, repaired=True, notes=("the JSON was repaired",))
    return None


def _complaint(body: str, keys: Collection[str]) -> str:
    wanted = ", ".join(sorted(keys))
    if "{" not in body:
        return f"the answer has no JSON object; it has to be one with the keys {wanted}"
    try:
        json.loads(body)
    except (ValueError, RecursionError) as error:
        return f"the answer can't be read as JSON ({error}); it has to be one object with the keys {wanted}"
    return f"the answer's object has none of the keys {wanted}"
