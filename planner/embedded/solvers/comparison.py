"""Superlatives: "the 3rd largest white ring" becomes the one shape that it means."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from editplan.pixels.geometry import distance
from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import around, at, shape_words
from editplan.planner.embedded.references import Description, describe, matching
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.planner.embedded.wording import sentence
from editplan.recognition.scene import Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_MEASURES: dict[str, tuple[str, Callable[[Shape], float], bool]] = {
    "largest": ("area", lambda s: s.area, True),
    "biggest": ("area", lambda s: s.area, True),
    "smallest": ("area", lambda s: s.area, False),
    "tallest": ("height", lambda s: s.height, True),
    "highest": ("distance from the bottom", lambda s: -s.middle[1], True),
    "lowest": ("distance from the bottom", lambda s: -s.middle[1], False),
    "shortest": ("height", lambda s: s.height, False),
    "widest": ("width", lambda s: s.width, True),
    "narrowest": ("width", lambda s: s.width, False),
    "thinnest": ("width", lambda s: s.width, False),
    "leftmost": ("distance from the left", lambda s: s.middle[0], False),
    "rightmost": ("distance from the left", lambda s: s.middle[0], True),
    "topmost": ("distance from the top", lambda s: s.middle[1], False),
    "bottommost": ("distance from the top", lambda s: s.middle[1], True),
}
"""Word, what it compares, how, and whether the greatest comes first. Areas in pixels, lengths those of the box."""
_PHRASE = re.compile(
    r"\bthe\s+(?:(?P<rank>\d+)(?:st|nd|rd|th)|(?P<word>" + "|".join(_ORDINALS) + r"))?[\s-]*"
    r"(?P<adjective>" + "|".join(_MEASURES) + r")\s+(?P<noun>[a-z][a-z -]*?)"
    r"(?=\s+(?:to|so|by|from|in|at|on|and|with|of|into|onto)\b|[.,;!]|$)",
    re.IGNORECASE,
)
_CLOSE = 0.02
"""Neighbours in the order that differ by less than this share are called close."""


@dataclass(frozen=True)
class _Superlative:
    rank: int
    adjective: str
    noun: Description
    span: tuple[int, int]
    words: str


class Comparison:
    """Goals with one superlative reference."""

    name = "comparison"

    def reads(self, goal: str) -> bool:
        return _superlative(goal) is not None

    def inspect(self, goal: str, view: View) -> Inspection:
        phrase = _superlative(goal)
        if phrase is None:
            return Inspection()
        found = matching(phrase.noun, view.scene.shapes)
        measure = _MEASURES[phrase.adjective][0]
        target = open_variable(
            "target",
            f"Which {phrase.noun.words} is {phrase.words}?",
            VariableSource.STATE,
            f"the request compares {measure}, which only the picture shows",
        )
        return inspection(view, (target,), tuple(s.box for s in found), ("every other shape stays as it is",))

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        phrase = _superlative(goal)
        if phrase is None:
            return Unsolved("the request holds no comparison that can be read")
        found = matching(phrase.noun, view.scene.shapes)
        if len(found) < phrase.rank:
            return Unsolved(f'{len(found)} shapes fit "{phrase.noun.words}", so none is number {phrase.rank}')
        measure, value, descending = _MEASURES[phrase.adjective]
        order = sorted(found, key=value, reverse=descending)
        return _plan(goal, view, phrase, order, measure, value)


def _superlative(goal: str) -> _Superlative | None:
    matches = list(_PHRASE.finditer(goal))
    if len(matches) != 1:
        return None
    match = matches[0]
    noun = describe(match["noun"])
    if noun is None:
        return None
    rank = int(match["rank"]) if match["rank"] else 1
    if match["word"]:
        rank = _ORDINALS.index(match["word"].lower()) + 1
    return _Superlative(rank, match["adjective"].lower(), noun, match.span(), match.group(0))


def _plan(
    goal: str,
    view: View,
    phrase: _Superlative,
    order: list[Shape],
    measure: str,
    value: Callable[[Shape], float],
) -> Plan:
    scene, book = view.scene, Notebook(view)
    chosen = order[phrase.rank - 1]
    rivals = [s for i, s in enumerate(order) if abs(i - phrase.rank + 1) == 1]
    rivals.sort(key=lambda s: (abs(value(s) - value(chosen)), distance(s.middle, chosen.middle)))
    everything = around(shape.box for shape in order)
    listing = ", ".join(f"{abs(value(shape)):.0f}" for shape in order)
    count = book.claim(
        f'{len(order)} shapes fit "{phrase.noun.words}"; their {measure} in pixels, in order: {listing}',
        EvidenceSource.OBSERVED_STATE,
        everything,
    )
    first = book.claim(
        f"{shape_words(chosen, scene)} has {measure} {abs(value(chosen)):.0f}", EvidenceSource.BINDING, chosen.box
    )
    tied = bool(rivals) and value(rivals[0]) == value(chosen)
    book.variable("target", shape_words(chosen, scene), (count, first), "uncertain" if tied else "resolved")
    place = f"the shape at {at(chosen, view.size)}"
    step = sentence(goal[: phrase.span[0]] + place + goal[phrase.span[1] :])
    doubts = (f"two shapes have the same {measure}",) if tied else ()
    others, deciding = [], [first]
    if rivals:
        second = book.claim(
            f"{shape_words(rivals[0], scene)} has {measure} {abs(value(rivals[0])):.0f}",
            EvidenceSource.OBSERVED_STATE,
            rivals[0].box,
        )
        deciding.append(second)
        others.append(_transition("z2", goal, rivals[0], view, (second,), tied))
    target = _transition("z1", goal, chosen, view, (count, first), tied, chosen=True)
    decision = Decision(
        chosen=target,
        steps=(step,),
        keep="Keep every other shape and the background exactly as they are.",
        others=tuple(others),
        question=f"Does the next shape in the order differ in {measure}?",
        deciding=tuple(deciding),
        uncertainties=doubts,
    )
    return book.plan(decision)


def _transition(
    name: str, goal: str, shape: Shape, view: View, claims: tuple[str, ...], tied: bool, *, chosen: bool = False
) -> Transition:
    words = shape_words(shape, view.scene)
    validity = Validity.PLAUSIBLE if tied else Validity.SUPPORTED if chosen else Validity.REJECTED
    return Transition(
        transition_id=name,
        targets=(words,),
        actions=(goal.split()[0].lower(),),
        goal_state=(f"{words} is the one that the request changes: {goal}",),
        preserve=("every other shape and the background stay unchanged",),
        supporting_claim_ids=claims,
        validity=validity,
    )
