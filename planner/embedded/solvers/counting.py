"""Counting: the number of things of a kind is written into an empty box."""

from __future__ import annotations

import re
from dataclasses import dataclass

from editplan.pixels.colours import as_hex
from editplan.planner.embedded.boxes import Cell, empty_slots
from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import around, at, coordinates
from editplan.planner.embedded.references import NOUNS, Description, describe, matching
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.recognition.scene import Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_COUNT = re.compile(
    r"\b(?:count(?: up)?(?: all)?(?: the)?|how many|number of(?: the| all)?)\s+"
    rf"(?P<things>(?:[a-z-]+\s+){{0,3}}?(?:{NOUNS})(?:e?s))\b",
    re.IGNORECASE,
)
_WRITE = re.compile(r"\b(?:write|put|enter|fill in|print)\b", re.IGNORECASE)
_BOX = re.compile(r"\b(?:box(?:es)?|frames?|slots?|cells?|fields?)\b", re.IGNORECASE)
_ANY = re.compile(r"\b(?:one of|either|any)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Count:
    things: Description
    free_choice: bool


class Counting:
    """Goals that ask for a count in a box."""

    name = "counting"

    def reads(self, goal: str) -> bool:
        return _count(goal) is not None

    def inspect(self, goal: str, view: View) -> Inspection:
        count = _count(goal)
        if count is None:
            return Inspection()
        variables = (
            open_variable(
                "number",
                f"How many {count.things.words} are there?",
                VariableSource.STATE,
                "the number is visible only",
            ),
            open_variable("place", "Which box is empty?", VariableSource.BINDING, "the request gives no coordinates"),
        )
        boxes = (*(s.box for s in view.scene.shapes), *(o.box for o in view.scene.outlines))
        return inspection(view, variables, boxes, ("all counted things stay", "the outline of the box stays"))

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        count = _count(goal)
        if count is None:
            return Unsolved("what is to be counted can't be read")
        boxes = empty_slots(view)
        if not boxes or (len(boxes) > 1 and not count.free_choice):
            return Unsolved(f"{len(boxes)} empty boxes are visible, the request means one")
        return _plan(view, count, matching(count.things, view.scene.shapes), boxes)


def _count(goal: str) -> _Count | None:
    match = _COUNT.search(goal)
    if match is None or _WRITE.search(goal) is None or _BOX.search(goal) is None:
        return None
    things = describe(match["things"])
    return None if things is None else _Count(things, _ANY.search(goal) is not None)


def _plan(view: View, count: _Count, counted: tuple[Shape, ...], boxes: tuple[Cell, ...]) -> Plan:
    book, number = Notebook(view), str(len(counted))
    seen = book.claim(
        f"there are {number} {count.things.words}",
        EvidenceSource.OBSERVED_STATE,
        around(shape.box for shape in counted) if counted else None,
        seen=" ".join(at(shape, view.size) for shape in counted) or "none is visible",
    )
    place = coordinates(boxes[0].middle, view.size)
    slot = book.claim(f"the box around {place} is empty", EvidenceSource.BINDING, boxes[0].outer)
    book.variable("number", number, (seen,))
    book.variable("place", f"the box around {place}", (slot,))
    decision = Decision(
        chosen=_transition("z1", number, place, (seen, slot), Validity.SUPPORTED),
        steps=(_step(number, boxes[0], view),),
        keep="Keep everything else exactly as it is.",
        others=(_transition("z2", str(len(counted) + 1), place, (seen,), Validity.REJECTED),),
        question=f"Is there one more of the {count.things.words}, overlooked in the counting?",
        deciding=(seen,),
    )
    return book.plan(decision)


def _step(number: str, box: Cell, view: View) -> str:
    """Digits half as high as the box, in the colour of its outline."""
    height = 100 * 0.5 * (box.box[3] - box.box[1]) / view.size[1]
    return (
        f'Write "{number}" centered at {coordinates(box.middle, view.size)} in {box.colour} ({as_hex(box.rgb)}) '
        f"with a height of {height:.2f}% of the image height."
    )


def _transition(name: str, number: str, place: str, claims: tuple[str, ...], validity: Validity) -> Transition:
    return Transition(
        transition_id=name,
        targets=(f"the empty box around {place}",),
        actions=(f'write "{number}"',),
        destination=(place,),
        goal_state=(f'the box around {place} holds the number "{number}"',),
        preserve=("all shapes and outlines stay unchanged",),
        supporting_claim_ids=claims,
        validity=validity,
    )
