"""Sorting by a key: loose shapes fill a row of boxes in the order that a framed key shows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from editplan.planner.embedded.boxes import Cell, empty_slots, loose, slots
from editplan.planner.embedded.framed import close, key_frame, key_points_left, key_shapes
from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import around, at, coordinates, shape_words
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.recognition.scene import Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_KEY = re.compile(r"\bkey(?:'s|’s)?\b", re.IGNORECASE)
_ORDER = re.compile(r"\b(?:order(?:ed)?|sort)\b", re.IGNORECASE)
_BOXES = re.compile(r"\b(?:boxes|slots|cells|frames)\b", re.IGNORECASE)
_BY_SIZE = re.compile(r"\bsizes?\b", re.IGNORECASE)
_FROM_RIGHT = re.compile(r"\bright[- ]to[- ]left\b", re.IGNORECASE)


class Sorting:
    """Goals that sort loose shapes into a row of boxes by a depicted key."""

    name = "sorting"

    def reads(self, goal: str) -> bool:
        return all(pattern.search(goal) is not None for pattern in (_KEY, _ORDER, _BOXES))

    def inspect(self, goal: str, view: View) -> Inspection:
        variables = (
            open_variable(
                "rule", "Which order does the key show, and which way?", VariableSource.RULE, "it is drawn"
            ),
            open_variable(
                "order", "Which loose shape comes at which place?", VariableSource.STATE, "it is visible only"
            ),
        )
        boxes = (*(cell.outer for cell in slots(view)), *(shape.box for shape in view.scene.shapes))
        return inspection(view, variables, boxes, ("the key stays", "the boxes stay"))

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        frame = key_frame(view)
        if frame is None:
            return Unsolved("no framed key with arrows can be seen")
        key = key_shapes(frame, view)
        if key_points_left(frame, view):
            key = key[::-1]
        free = loose(view, view.scene.shapes)
        boxes = sorted(empty_slots(view), key=lambda cell: cell.middle[0], reverse=bool(_FROM_RIGHT.search(goal)))
        by_size = _BY_SIZE.search(goal) is not None
        order = _by_size(key, free) if by_size else _by_colour(key, free)
        if order is None:
            return Unsolved("the key does not settle the order of the loose shapes")
        if len(order) > len(boxes):
            return Unsolved(f"{len(order)} shapes are to go into {len(boxes)} empty boxes")
        return _plan(view, frame, order, boxes, "size" if by_size else "color")


def _by_size(key: Sequence[Shape], free: Sequence[Shape]) -> list[Shape] | None:
    """The loose shapes rising or falling in the length of their boxes, as the key's first and last shape do."""
    if len(key) < 2 or key[0].area == key[-1].area:
        return None
    falling = key[0].area > key[-1].area
    return sorted(free, key=lambda shape: max(shape.width, shape.height), reverse=falling)


def _by_colour(key: Sequence[Shape], free: Sequence[Shape]) -> list[Shape] | None:
    """The loose shapes in the order of the key's colours; every colour must name one shape."""
    order = []
    for sample in key:
        found = [shape for shape in free if close(shape.rgb, sample.rgb)]
        if len(found) != 1:
            return None
        order.append(found[0])
    return order


def _plan(view: View, frame: Cell, order: Sequence[Shape], boxes: Sequence[Cell], way: str) -> Plan:
    book = Notebook(view)
    names = ", ".join(f"{shape.colour} {shape.kind}" for shape in order)
    rule = book.claim(f"the key shows an order by {way}", EvidenceSource.IN_SCENE_RULE, frame.outer)
    state = book.claim(
        f"by the key's {way} the loose shapes are: {names}",
        EvidenceSource.OBSERVED_STATE,
        around(s.box for s in order),
    )
    row = book.claim(
        f"{len(boxes)} boxes are empty", EvidenceSource.OBSERVED_STATE, around(cell.outer for cell in boxes)
    )
    book.variable("rule", f"by {way}", (rule,))
    book.variable("order", names, (rule, state, row))
    preserve = ("the key, the boxes and the background stay unchanged",)
    pairs = list(zip(order, boxes, strict=False))
    steps = tuple(
        f"Move the shape at {at(shape, view.size)} to {coordinates(cell.middle, view.size)}." for shape, cell in pairs
    )
    decision = Decision(
        chosen=Transition(
            transition_id="z1",
            targets=tuple(shape_words(shape, view.scene) for shape in order),
            actions=("move",),
            destination=tuple(f"the box around {coordinates(cell.middle, view.size)}" for _, cell in pairs),
            goal_state=(f"from left to right the boxes hold: {names}", "the old places show the background"),
            preserve=preserve,
            supporting_claim_ids=(rule, state, row),
            validity=Validity.SUPPORTED,
        ),
        steps=steps,
        keep="Keep everything else exactly as it is.",
        others=(
            Transition(
                transition_id="z2",
                targets=tuple(shape_words(shape, view.scene) for shape in order),
                actions=("move",),
                destination=("the same boxes in the opposite order",),
                goal_state=("the boxes hold the shapes in the order opposite to the key",),
                preserve=preserve,
                supporting_claim_ids=(rule,),
                validity=Validity.REJECTED,
            ),
        ),
        question="Which end of the key comes first?",
        deciding=(rule,),
    )
    return book.plan(decision)
