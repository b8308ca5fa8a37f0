"""Patterns: what a grid or a circle of repeating shapes lacks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from editplan.pixels.geometry import PixelBox, Point
from editplan.planner.embedded.crops import whole_region
from editplan.planner.embedded.lattice import Arrangement, Cell, fillings, fit_circle, fit_grid
from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import around, at, coordinates
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.planner.embedded.wording import fits
from editplan.recognition.scene import Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_GRID = re.compile(
    r"missing \w+ (?:in|of) (?:this|the) (?P<rows>\d+)\s*[×x*]\s*(?P<columns>\d+) pattern", re.IGNORECASE
)
_CIRCLE = re.compile(r"missing \w+ (?:in|of) (?:this|the) circular pattern of (?P<count>\d+)", re.IGNORECASE)
_SPECK = 0.08
"""A thing of less than this share of the median area is no piece of a pattern."""
_Copies = dict[int, list[Point]]
"""Index of the shape to copy: where the middles of its copies come to lie."""


class Pattern:
    """Goals that complete a repeating pattern whose size they give."""

    name = "pattern"

    def reads(self, goal: str) -> bool:
        return _GRID.search(goal) is not None or _CIRCLE.search(goal) is not None

    def inspect(self, goal: str, view: View) -> Inspection:
        variables = (
            open_variable(
                "rule", "What repeats, in which period along each direction?", VariableSource.RULE, "it is only shown"
            ),
            open_variable(
                "places", "Which places of the pattern are empty?", VariableSource.STATE, "it is visible only"
            ),
        )
        boxes = whole_region([shape.box for shape in view.scene.shapes])
        return inspection(view, variables, boxes, ("all shapes that are there stay as they are",))

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        shapes = _pieces(view.scene.shapes)
        arrangement = _arrangement(goal, shapes)
        if arrangement is None:
            return Unsolved("the shapes don't stand in the pattern that the request describes")
        if not arrangement.holes:
            return Unsolved("no place of the pattern is empty")
        ways = fillings(arrangement)
        if not ways:
            return Unsolved("the shapes that are there repeat in no period that tells what is missing")
        return _plan(view, arrangement, shapes, ways)


def _pieces(shapes: Sequence[Shape]) -> tuple[Shape, ...]:
    """The shapes without specks, which blurred sight leaves at their rims."""
    least = _SPECK * sorted(shape.area for shape in shapes)[len(shapes) // 2] if shapes else 0
    return tuple(shape for shape in shapes if shape.area >= least)


def _arrangement(goal: str, shapes: Sequence[Shape]) -> Arrangement | None:
    grid, circle = _GRID.search(goal), _CIRCLE.search(goal)
    if grid is not None:
        return fit_grid(shapes, int(grid["rows"]), int(grid["columns"]))
    return fit_circle(shapes, int(circle["count"])) if circle is not None else None


def copies(arrangement: Arrangement, shapes: Sequence[Shape], filling: dict[Cell, int]) -> _Copies:
    """For every hole the shape of its look whose displacement to it is nearest to whole pixels."""
    found: _Copies = defaultdict(list)
    for hole, look in filling.items():
        options = []
        for cell, index in arrangement.cells.items():
            if arrangement.looks[index] == look:
                dx, dy = arrangement.step(cell, hole)
                off = max(abs(dx - round(dx)), abs(dy - round(dy)))
                options.append((round(off, 2), abs(dx) + abs(dy), index, round(dx), round(dy)))
        _, _, index, dx, dy = min(options)
        x, y = shapes[index].middle
        found[index].append((x + dx, y + dy))
    return dict(found)


def _steps(view: View, shapes: Sequence[Shape], wanted: _Copies) -> tuple[str, ...]:
    return tuple(
        f"Copy the shape at {at(shapes[index], view.size)} to {coordinates(place, view.size)}."
        for index, places in wanted.items()
        for place in places
    )


def _plan(
    view: View, arrangement: Arrangement, shapes: Sequence[Shape], ways: list[tuple[Cell, dict[Cell, int]]]
) -> Plan | Unsolved:
    period, filling = ways[0]
    wanted = copies(arrangement, shapes, filling)
    steps = _steps(view, shapes, wanted)
    if not fits(steps):
        return Unsolved("so many shapes are missing that one instruction can't name their places")
    book = Notebook(view)
    everything = around(shape.box for shape in shapes)
    claims = (
        book.claim(_rule_words(arrangement, period), EvidenceSource.IN_SCENE_RULE, everything),
        *_hole_claims(book, view, shapes, wanted),
    )
    book.variable("rule", _rule_words(arrangement, period), claims[:1])
    book.variable("places", f"{len(filling)} places are empty", claims[1:])
    preserve = ("all shapes that are there and the background stay unchanged",)
    others = tuple(
        Transition(
            transition_id=f"z{number}",
            targets=(f"{len(other)} empty places",),
            actions=("copy",),
            goal_state=(f"the pattern repeats every {p[0]} rows and {p[1]} columns",),
            preserve=preserve,
            supporting_claim_ids=claims[:1],
            validity=Validity.REJECTED,
        )
        for number, (p, other) in enumerate(ways[1:2], start=2)
    )
    decision = Decision(
        chosen=Transition(
            transition_id="z1",
            targets=tuple(f"the {shapes[index].colour} {shapes[index].kind}" for index in wanted),
            actions=("copy",),
            destination=tuple(coordinates(place, view.size) for places in wanted.values() for place in places),
            goal_state=(
                f"all {arrangement.rows * arrangement.columns} places of the pattern are filled by its rule",
            ),
            preserve=preserve,
            supporting_claim_ids=claims,
            validity=Validity.SUPPORTED,
        ),
        steps=steps,
        keep="Keep all existing shapes and the background exactly as they are.",
        others=others,
        question="Would a longer period, which the visible shapes also allow, put another shape here?",
        deciding=claims[:1],
    )
    return book.plan(decision)


def _rule_words(arrangement: Arrangement, period: Cell) -> str:
    if arrangement.circular:
        return f"around the circle the shapes repeat every {period[1]} places"
    return f"the shapes repeat every {period[0]} rows and every {period[1]} columns"


def _hole_claims(book: Notebook, view: View, shapes: Sequence[Shape], wanted: _Copies) -> tuple[str, ...]:
    claims = []
    for index, places in wanted.items():
        shape = shapes[index]
        boxes: list[PixelBox] = [
            (
                round(x - shape.width / 2),
                round(y - shape.height / 2),
                round(x + shape.width / 2),
                round(y + shape.height / 2),
            )
            for x, y in places
        ]
        where = " ".join(coordinates(place, view.size) for place in places)
        claims.append(
            book.claim(
                f"bare background where the rule wants a {shape.colour} {shape.kind}: {where}",
                EvidenceSource.OBSERVED_STATE,
                around(boxes),
            )
        )
    return tuple(claims)
