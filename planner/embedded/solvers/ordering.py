"""Ordering: the shapes of a row of outlined boxes change places until they are in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from editplan.planner.embedded.lattice import row_pitch
from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import around, at, percent, shape_words
from editplan.planner.embedded.references import Description, describe, matching
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.planner.embedded.wording import fits
from editplan.recognition.scene import Outline, Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_GOAL = re.compile(
    r"(?:rearrange|reorder|sort|arrange) the (?P<noun>[\w -]+?)(?: in their boxes)?,? "
    r"(?:(?P<axis1>left-to-right|top-to-bottom) )?in (?P<order>increasing|decreasing|ascending|descending) order of "
    r"(?P<measure>size|area|width|height)(?:,? (?:from )?(?P<axis2>left[ -]to[ -]right|top[ -]to[ -]bottom))?",
    re.IGNORECASE,
)
_MEASURES: dict[str, Callable[[Shape], float]] = {
    "size": lambda s: s.area,
    "area": lambda s: s.area,
    "width": lambda s: s.width,
    "height": lambda s: s.height,
}


@dataclass(frozen=True)
class _Request:
    noun: Description
    along: int
    """0 for left to right, 1 for top to bottom."""
    descending: bool
    measure: str


@dataclass(frozen=True)
class _Place:
    """One box of the row and the shape in it."""

    box: Outline
    shape: Shape


class Ordering:
    """Goals that sort boxed shapes by a measure."""

    name = "ordering"

    def reads(self, goal: str) -> bool:
        return _request(goal) is not None

    def inspect(self, goal: str, view: View) -> Inspection:
        request = _request(goal)
        if request is None:
            return Inspection()
        places = _row(view, request)
        variable = open_variable(
            "order",
            f"What is the {request.measure} of each of the {request.noun.words}?",
            VariableSource.STATE,
            "sizes are visible only",
        )
        boxes = [place.box.box for place in places] or [shape.box for shape in view.scene.shapes]
        keep = ("the boxes stay", "each shape keeps its size and color", "other shapes stay")
        return inspection(view, (variable,), tuple(boxes), keep)

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        request = _request(goal)
        if request is None:
            return Unsolved("the order that the request asks for can't be read")
        places = _row(view, request)
        if len(places) < 2:
            return Unsolved("no row of boxes with one shape each can be seen")
        value = _MEASURES[request.measure]
        ranked = sorted((place.shape for place in places), key=value, reverse=request.descending)
        if [place.shape for place in places] == ranked:
            return Unsolved("the shapes already stand in the order that the request asks for")
        return _plan(view, request, places, ranked)


def _request(goal: str) -> _Request | None:
    match = _GOAL.search(" ".join(goal.split()))
    if match is None:
        return None
    axis = (match["axis1"] or match["axis2"] or "").lower().replace(" ", "-")
    noun = describe(match["noun"])
    if noun is None or not axis:
        return None
    descending = match["order"].lower() in {"decreasing", "descending"}
    return _Request(noun, 0 if axis == "left-to-right" else 1, descending, match["measure"].lower())


def _row(view: View, request: _Request) -> tuple[_Place, ...]:
    """Boxes that hold exactly one shape of the kind, in the order of the axis."""
    wanted = set(map(id, matching(request.noun, view.scene.shapes)))
    places = []
    for outline in view.scene.outlines:
        inside = [shape for shape in view.scene.inside(outline) if id(shape) in wanted]
        if len(inside) == 1:
            places.append(_Place(outline, inside[0]))
    return tuple(sorted(places, key=lambda place: place.box.middle[request.along]))


def _moves(places: Sequence[_Place], ranked: Sequence[Shape], along: int) -> list[tuple[Shape, tuple[float, float]]]:
    """Every displaced shape with its shift in pixels: from its box to that of its rank, so its place inside stays."""
    home = {id(place.shape): number for number, place in enumerate(places)}
    pitch = row_pitch([(place.box.box, place.shape.box) for place in places], along)
    moves = []
    for number, (place, shape) in enumerate(zip(places, ranked, strict=True)):
        if shape is place.shape:
            continue
        start, end = places[home[id(shape)]].box.middle, place.box.middle
        shift = [end[0] - start[0], end[1] - start[1]]
        if pitch is not None:
            shift[along] = (number - home[id(shape)]) * pitch
        moves.append((shape, (shift[0], shift[1])))
    return moves


def _step(view: View, shape: Shape, shift: tuple[float, float]) -> str:
    width, height = view.size
    parts = []
    if round(shift[0]):
        parts.append(
            f"{'right' if shift[0] > 0 else 'left'} by {percent(abs(round(shift[0])), width)} of the image width"
        )
    if round(shift[1]):
        parts.append(
            f"{'down' if shift[1] > 0 else 'up'} by {percent(abs(round(shift[1])), height)} of the image height"
        )
    return f"Move the shape at {at(shape, view.size)} {' and '.join(parts)}."


def _plan(view: View, request: _Request, places: Sequence[_Place], ranked: Sequence[Shape]) -> Plan | Unsolved:
    book, value = Notebook(view), _MEASURES[request.measure]
    moves = _moves(places, ranked, request.along)
    steps = tuple(_step(view, shape, shift) for shape, shift in moves)
    if not fits(steps):
        return Unsolved("so many shapes change places that one instruction can't hold it")
    row = book.claim(
        f"{len(places)} boxes hold one of the {request.noun.words} each",
        EvidenceSource.BINDING,
        around(place.box.box for place in places),
    )
    sizes = book.claim(
        f"their {request.measure} in pixels along the row: {', '.join(f'{value(p.shape):.0f}' for p in places)}",
        EvidenceSource.OBSERVED_STATE,
        around(place.shape.box for place in places),
    )
    direction = "decreasing" if request.descending else "increasing"
    book.variable("order", f"{direction}: " + ", ".join(f"{value(s):.0f}" for s in ranked), (row, sizes))
    preserve = (
        "the boxes, all other shapes and the background stay unchanged",
        "every shape keeps its size and color",
    )
    reverse = Transition(
        transition_id="z2",
        targets=tuple(shape_words(place.shape, view.scene) for place in places),
        actions=("move",),
        destination=("the same boxes in the opposite order",),
        goal_state=(f"the row runs in the order opposite to {direction}",),
        preserve=preserve,
        supporting_claim_ids=(sizes,),
        validity=Validity.REJECTED,
    )
    axis = "left to right" if request.along == 0 else "top to bottom"
    decision = Decision(
        chosen=Transition(
            transition_id="z1",
            targets=tuple(shape_words(shape, view.scene) for shape, _ in moves),
            actions=("move",),
            destination=("the box of its rank, at the same position inside it",),
            goal_state=(f"from {axis} the shapes stand in {direction} order of {request.measure}",),
            preserve=preserve,
            supporting_claim_ids=(row, sizes),
            validity=Validity.SUPPORTED,
        ),
        steps=steps,
        keep="Keep the boxes, all other shapes and the background exactly as they are.",
        others=(reverse,),
        question=f"Which end of the row holds the largest {request.measure}?",
        deciding=(sizes,),
    )
    return book.plan(decision)
