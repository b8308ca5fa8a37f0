"""Mazes: a line from one mark to another that crosses no wall."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from editplan.pixels.colours import canonical_name, colour_value
from editplan.pixels.geometry import PixelBox, Point
from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import an, colour_words, coordinates, listed, shape_words
from editplan.planner.embedded.references import NOUNS, Description, describe, matching
from editplan.planner.embedded.routes import Mask, route
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.planner.embedded.wording import fits
from editplan.recognition.scene import Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_WALLS = re.compile(r"\b(?:maze|walls?|labyrinth|corridors?)\b", re.IGNORECASE)
_MARK = rf"(?:[a-z-]+ ){{0,3}}?(?:{NOUNS})"
_ENDS = re.compile(
    rf"\b(?:from|connect) the (?P<start>{_MARK}) (?:to|and|with) the (?P<end>{_MARK})\b", re.IGNORECASE
)
_COLOUR = re.compile(r"\b(?:an?|in)\s+(?P<colour>[a-z]+)(?=\s+(?:line|path)\b|\s*[.,;]|$)", re.IGNORECASE)
_WIDTH = 1.2
"""Of the line, in percent of the picture's width."""


@dataclass(frozen=True)
class _Trip:
    start: Description
    end: Description
    paint: str


class Maze:
    """Goals that draw a way through a maze."""

    name = "maze"

    def reads(self, goal: str) -> bool:
        return _trip(goal) is not None

    def inspect(self, goal: str, view: View) -> Inspection:
        trip = _trip(goal)
        if trip is None:
            return Inspection()
        variable = open_variable(
            "route",
            f"Which way leads from the {trip.start.words} to the {trip.end.words} without crossing a wall?",
            VariableSource.STATE,
            "the walls are visible only",
        )
        found = _walls(view)
        boxes = (found[1],) if found is not None else tuple(s.box for s in view.scene.shapes)
        return inspection(view, (variable,), boxes, ("walls and marks stay as they are",))

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        trip, found = _trip(goal), _walls(view)
        if trip is None or found is None:
            return Unsolved("no walls of a maze can be seen")
        starts, ends = matching(trip.start, view.scene.shapes), matching(trip.end, view.scene.shapes)
        if len(starts) != 1 or len(ends) != 1:
            return Unsolved("the marks that the request names are not there once each")
        start, end = starts[0], ends[0]
        walls, inside = found
        for other in view.scene.shapes:
            if other is not start and other is not end:
                walls |= other.mask
        clearance = _WIDTH / 200 * view.size[0] + 3
        corners = route(walls, inside, start.middle, end.middle, clearance)
        if corners is None:
            return Unsolved("walls part the two marks")
        return _plan(view, trip, (start, end), corners, inside)


def _trip(goal: str) -> _Trip | None:
    ends = _ENDS.search(goal)
    if _WALLS.search(goal) is None or ends is None:
        return None
    start, end = describe(ends["start"]), describe(ends["end"])
    paint = next((name for m in _COLOUR.finditer(goal) if (name := canonical_name(m["colour"]))), None)
    if start is None or end is None or paint is None:
        return None
    return _Trip(start, end, paint)


def _walls(view: View) -> tuple[Mask, PixelBox] | None:
    """The pixels of all walls and the box around the largest part of them.

    Walls are what is neither background nor a compact shape: lines, outlines and the branching rest of one colour.
    """
    scene = view.scene
    walls = np.zeros((scene.height, scene.width), dtype=bool)
    largest: tuple[int, PixelBox] | None = None
    figures = [*((o.line, o.box, o.rgb) for o in scene.outlines), *((s.mask, s.box, s.rgb) for s in scene.shapes)]
    for _, box, _ in figures:
        size = (box[2] - box[0]) * (box[3] - box[1])
        if largest is None or size > largest[0]:
            largest = (size, box)
    if largest is None or largest[0] < 0.1 * scene.width * scene.height:
        return None
    ink = next(rgb for _, box, rgb in figures if box == largest[1])
    for mask, _, rgb in figures:
        if rgb == ink:
            walls |= mask
    return walls, largest[1]


def _plan(
    view: View, trip: _Trip, marks: tuple[Shape, Shape], corners: list[Point], inside: PixelBox
) -> Plan | Unsolved:
    value = colour_value(trip.paint)
    new = trip.paint if value is None else colour_words(trip.paint, value)
    first, *middle, last = (coordinates(corner, view.size) for corner in corners)
    through = f" through {listed(middle)}" if middle else ""
    step = (
        f"Draw {an(new)} line from {first}{through} to {last} with a thickness of {_WIDTH:.2f}% of the image width."
    )
    if not fits((step,)):
        return Unsolved("the way has so many corners that one instruction can't name them")
    book = Notebook(view)
    ends = tuple(
        book.claim(f"{shape_words(mark, view.scene)} is the {words}", EvidenceSource.BINDING, mark.box)
        for mark, words in zip(marks, (trip.start.words, trip.end.words), strict=True)
    )
    open_way = book.claim(
        f"the corridor {' '.join(coordinates(c, view.size) for c in corners)} is open",
        EvidenceSource.OBSERVED_STATE,
        inside,
    )
    book.variable("route", f"through {len(middle)} corners", (*ends, open_way))
    preserve = ("walls and marks stay as they are",)
    straight = Transition(
        transition_id="z2",
        targets=(f"a straight line from {first} to {last}",),
        actions=("draw",),
        goal_state=("a straight line joins the marks",),
        preserve=preserve,
        supporting_claim_ids=ends,
        validity=Validity.REJECTED,
    )
    decision = Decision(
        chosen=Transition(
            transition_id="z1",
            targets=(f"a line from the {trip.start.words} to the {trip.end.words}",),
            actions=("draw",),
            destination=tuple(coordinates(corner, view.size) for corner in corners),
            goal_state=(
                f"{an(trip.paint)} line joins the {trip.start.words} and the {trip.end.words} and crosses no wall",
            ),
            preserve=preserve,
            supporting_claim_ids=(*ends, open_way),
            validity=Validity.SUPPORTED,
        ),
        steps=(step,),
        keep="Keep everything else exactly as it is.",
        others=(straight,) if middle else (),
        question="Does a wall lie on the straight line between the marks?",
        deciding=(open_way,),
    )
    return book.plan(decision)
