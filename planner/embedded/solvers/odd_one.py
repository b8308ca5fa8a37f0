"""The odd one out gets a ring."""

from __future__ import annotations

import math
import re

from editplan.pixels.colours import canonical_name, colour_value
from editplan.pixels.geometry import distance
from editplan.planner.embedded.likeness import odd_by_colour, odd_by_outline
from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import an, around, colour_words, coordinates, percent, shape_words
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.recognition.scene import Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_ODD = re.compile(
    r"\bodd one\b|\bodd shape\b|\bdoes(?:n't| not) (?:fit|belong)\b|\bdiffer(?:s|ent)\b.*\b(?:others|rest)\b",
    re.IGNORECASE,
)
_MARK = re.compile(r"\b(?:circle|ring|mark)\b", re.IGNORECASE)
_COLOUR = re.compile(r"\b(?:a|an|in)\s+(?P<words>[a-z]+(?: [a-z]+)??)(?=\s+(?:circle|ring)\b|[.,;]|$)", re.IGNORECASE)
_SHAPES_ONLY = re.compile(
    r"\bcolou?rs? (?:don't|do not|doesn't|does not) matter\b|\bonly the shapes?\b", re.IGNORECASE
)
_WIDTH = 0.9
"""Of the ring's line, in percent of the picture's width."""


class OddOne:
    """Goals that mark the one shape that differs."""

    name = "odd one out"

    def reads(self, goal: str) -> bool:
        text = goal.replace("’", "'")
        return _ODD.search(text) is not None and _MARK.search(text) is not None and _paint(text) is not None

    def inspect(self, goal: str, view: View) -> Inspection:
        variable = open_variable(
            "target",
            "Which shape differs from all the others, and in what?",
            VariableSource.STATE,
            "it is visible only",
        )
        boxes = tuple(shape.box for shape in view.scene.shapes)
        return inspection(view, (variable,), boxes, ("all shapes stay as they are",))

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        text, shapes = goal.replace("’", "'"), view.scene.shapes
        outline = odd_by_outline(shapes)
        colour = None if _SHAPES_ONLY.search(text) else odd_by_colour(shapes)
        paint = _paint(text)
        if paint is None or ((outline is None) == (colour is None) and outline is not colour):
            return Unsolved("two shapes differ from the rest, each in its own way")
        odd = outline or colour
        if odd is None:
            return Unsolved("no single shape differs from all the others")
        return _plan(view, odd, "outline" if odd is outline else "color", paint)


def _paint(goal: str) -> str | None:
    """The name of the mark's colour."""
    names = [
        canonical_name(match["words"].split()[-1]) or canonical_name(match["words"])
        for match in _COLOUR.finditer(goal)
    ]
    return next((name for name in names if name is not None), None)


def _plan(view: View, odd: Shape, way: str, paint: str) -> Plan:
    book = Notebook(view)
    others = sorted((s for s in view.scene.shapes if s is not odd), key=lambda s: distance(s.middle, odd.middle))
    rest = book.claim(
        f"the other {len(others)} shapes are alike in {way}",
        EvidenceSource.OBSERVED_STATE,
        around(s.box for s in others),
    )
    found = book.claim(
        f"{shape_words(odd, view.scene)} differs from them in {way}", EvidenceSource.OBSERVED_STATE, odd.box
    )
    book.variable("target", shape_words(odd, view.scene), (rest, found))
    decision = Decision(
        chosen=_transition("z1", view, odd, paint, (rest, found), Validity.SUPPORTED),
        steps=(_step(view, odd, others[0], paint),),
        keep="Keep everything else exactly as it is.",
        others=(_transition("z2", view, others[0], paint, (rest,), Validity.REJECTED),),
        question=f"Does {shape_words(others[0], view.scene)} differ from the rest in {way}?",
        deciding=(rest, found),
    )
    return book.plan(decision)


def _step(view: View, odd: Shape, nearest: Shape, paint: str) -> str:
    """A ring around the shape that stays off its nearest neighbour."""
    value = colour_value(paint)
    half = math.hypot(odd.width, odd.height) / 2
    line = _WIDTH / 100 * view.size[0]
    clear = distance(odd.middle, nearest.middle) - math.hypot(nearest.width, nearest.height) / 2 - line
    reach = max(odd.width, odd.height) / 2 + 1.5 * line
    radius = min(half + line, max(reach, clear))
    new = paint if value is None else colour_words(paint, value)
    return (
        f"Draw {an(new)} ring centered at {coordinates(odd.middle, view.size)} with a radius of "
        f"{percent(radius, view.size[0])} of the image width and a thickness of {_WIDTH:.2f}% of the image width."
    )


def _transition(
    name: str, view: View, shape: Shape, paint: str, claims: tuple[str, ...], validity: Validity
) -> Transition:
    words = shape_words(shape, view.scene)
    return Transition(
        transition_id=name,
        targets=(words,),
        actions=(f"draw {an(paint)} ring around it",),
        goal_state=(f"{an(paint)} ring surrounds {words} and nothing else",),
        preserve=("all shapes and the background stay unchanged",),
        supporting_claim_ids=claims,
        validity=validity,
    )
