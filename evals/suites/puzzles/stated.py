"""Which enumerated transition an instruction states, from its words and places alone.

An instruction is read as a set of acts (recolour, move, copy, remove, ring, write), each with the things it names, by
place or by a name that only one thing has. It states a transition if both come to the same acts; a drawn line states
one if it stays where that one may be drawn. What can't be read so is `unreadable`, never wrong.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from editplan.evals.suites.puzzles.puzzle import Footprint
from editplan.pixels.colours import PALETTE
from editplan.records import Record

Standing = Literal["admissible", "inadmissible", "unlisted", "unreadable"]
"""`unlisted`: read, and none of the enumerated transitions; all admissible ones are enumerated."""
Point = tuple[float, float]
Act = tuple[str, ...]

SAME_PLACE = 4.0
"""Percent of the image within which two places name the same thing."""
ON_THE_WAY = 0.97
"""Share of a stated line that must lie where the transition may be drawn."""

_PLACE = re.compile(r"\((\d+(?:\.\d+)?)\s?%,\s?(\d+(?:\.\d+)?)\s?%\)")
_NAMED = re.compile(r"\b(?:the|a|an) ([a-z]+ [a-z]+) at (\(\d[^)]*\))")
_QUOTED = re.compile(r'"([^"]+)"')
_TO = re.compile(r"\b(?:to|in|into)\s+(?:the\s+|a\s+)?(?:dark\s+|light\s+)?([a-z]+)")
_SENTENCE = re.compile(r"(?<=[.!])\s+(?=[A-Z])")
_VERBS = (
    ("line", re.compile(r"^(?:draw|trace|paint)\b.*\b(?:line|path|route)\b")),
    ("ring", re.compile(r"^(?:draw|circle|mark|put|add)\b.*\b(?:ring|circle|outline)\b|^circle\b")),
    ("recolor", re.compile(r"^(?:recolou?r|colou?r|paint|change|fill|turn)\b")),
    ("move", re.compile(r"^(?:move|place|put|slide|shift)\b")),
    ("copy", re.compile(r"^(?:copy|duplicate)\b")),
    ("remove", re.compile(r"^(?:remove|erase|delete)\b")),
    ("write", re.compile(r"^write\b")),
)


class Stated(Record):
    """What an instruction states."""

    standing: Standing
    transition: str = ""
    """The enumerated transition's name; empty where it is none."""


@dataclass(frozen=True)
class _Things:
    """The places that the transitions speak of, and the names that only one of them has."""

    places: tuple[Point, ...]
    names: dict[str, int]

    def at(self, point: Point) -> str:
        """The thing at a place, or the place itself where there is none."""
        distances = [math.dist(point, place) for place in self.places]
        if distances and min(distances) <= SAME_PLACE:
            return str(distances.index(min(distances)))
        return f"({point[0]:.0f}, {point[1]:.0f})"


def stated_transition(instruction: str, transitions: Sequence[Footprint]) -> Stated:
    """The transition that `instruction` states, out of the enumerated ones."""
    things = _things(transitions)
    line = next((points for points in map(_line, _sentences(instruction)) if len(points) > 1), None)
    if line is not None:
        return _along(line, transitions)
    acts = frozenset(act for sentence in _sentences(instruction) for act in _acts(sentence, things))
    if not acts:
        return Stated(standing="unreadable")
    for step in transitions:
        if acts == frozenset(act for sentence in _sentences(step.words) for act in _acts(sentence, things)):
            return _found(step)
    return Stated(standing="unlisted")


def _found(step: Footprint) -> Stated:
    return Stated(standing="admissible" if step.admissible else "inadmissible", transition=step.name)


def _things(transitions: Sequence[Footprint]) -> _Things:
    words = " ".join(step.words for step in transitions)
    places: list[Point] = []
    for point in _points(words):
        if all(math.dist(point, place) > SAME_PLACE / 4 for place in places):
            places.append(point)
    known = _Things(tuple(places), {})
    named: dict[str, set[str]] = {}
    for name, place in _NAMED.findall(words):
        named.setdefault(name, set()).update(known.at(point) for point in _points(place))
    names = {name: int(min(found)) for name, found in named.items() if len(found) == 1 and min(found).isdigit()}
    return _Things(tuple(places), names)


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE.split(text.strip())]


def _points(text: str) -> list[Point]:
    return [(float(x), float(y)) for x, y in _PLACE.findall(text)]


def _acts(sentence: str, things: _Things) -> Iterator[Act]:
    text = sentence.lower()
    verb = next((name for name, pattern in _VERBS if pattern.search(text)), None)
    mentioned = _mentioned(text, things)
    if verb == "write":
        yield from (("write", quoted) for quoted in _QUOTED.findall(sentence)[:1])
    elif verb in ("move", "copy") and len(mentioned) == 2:
        yield (verb, *mentioned)
    elif verb == "recolor":
        colours = [word for word in _TO.findall(text) if word in PALETTE]
        yield from (("recolor", thing, colours[-1]) for thing in mentioned if colours)
    elif verb in ("remove", "ring"):
        yield from ((verb, thing) for thing in mentioned)


def _mentioned(text: str, things: _Things) -> list[str]:
    """The things of a sentence in their order: by place where it gives places, else by name."""
    points = _points(text)
    if points:
        return list(dict.fromkeys(things.at(point) for point in points))
    found = sorted((text.find(name), str(number)) for name, number in things.names.items() if name in text)
    return [thing for _, thing in found]


def _line(sentence: str) -> list[Point]:
    """The places of a line that a sentence draws, in their order; empty where it draws none."""
    return _points(sentence) if _VERBS[0][1].search(sentence.lower()) else []


def _along(line: Sequence[Point], transitions: Sequence[Footprint]) -> Stated:
    """The transition within whose reach the line stays; admissible ones come first."""
    for step in transitions:
        if _share_inside(line, step) >= ON_THE_WAY:
            return _found(step)
    return Stated(standing="unlisted")


def _share_inside(line: Sequence[Point], step: Footprint) -> float:
    height, width = step.editable.shape
    spots = np.array(list(_sampled(line)), dtype=np.float64) / 100.0 * (width, height)
    columns, rows = np.clip(np.rint(spots).astype(int), 0, (width - 1, height - 1)).T
    return float(step.editable[rows, columns].mean())


def _sampled(line: Sequence[Point]) -> Iterable[Point]:
    """Points along a polyline, about four a percent of the image."""
    for (x1, y1), (x2, y2) in pairwise(line):
        count = max(2, int(4 * math.dist((x1, y1), (x2, y2))))
        for at in range(count):
            share = at / (count - 1)
            yield x1 + share * (x2 - x1), y1 + share * (y2 - y1)
