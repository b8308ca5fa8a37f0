"""Placing: a named thing goes into an empty slot, or into a box that a letter or a colour names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from editplan.pixels.geometry import distance
from editplan.planner.embedded.boxes import (
    Cell,
    box_colour,
    box_letter,
    coloured,
    empty_slots,
    lettered,
    loose,
    slots,
)
from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import at, coordinates, shape_words
from editplan.planner.embedded.references import NOUNS, Description, describe, matching
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.recognition.scene import Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_TARGET = re.compile(
    rf"\b(?:move|put|place|slide|bring|set|drop|the)\s+(?:the\s+)?(?P<target>(?:[a-z-]+\s+){{0,3}}?(?:{NOUNS}))\b"
    r"(?=\s+(?:in|into|inside|to|onto|there|on|belongs|goes)\b)",
    re.IGNORECASE,
)
_PLACED = re.compile(r"\b(?:move|put|place|slide|bring|set|drop|belongs|goes)\b", re.IGNORECASE)
_EMPTY = re.compile(
    r"\b(?:empty|free|vacant|unoccupied)\b[^.;]*\b(?:slots?|box(?:es)?|cells?|places?|spots?|frames?|ones?)\b|"
    r"\b(?:slot|box|cell|place|spot|frame) (?:that|which) "
    r"(?:is (?:still )?(?:empty|free)|has nothing in it|holds nothing)",
    re.IGNORECASE,
)
_ANY = re.compile(r"\b(?:any|either|one of the|whichever|an empty|a free)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Wish:
    """What goes where, in words."""

    target: Description
    vacant: bool
    letter: str | None
    colour: str | None
    free_choice: bool
    """Whether any of several fitting boxes will do."""


class Placing:
    """Goals that put one named thing into one box."""

    name = "placing"

    def reads(self, goal: str) -> bool:
        return _wish(goal) is not None

    def inspect(self, goal: str, view: View) -> Inspection:
        wish = _wish(goal)
        if wish is None:
            return Inspection()
        variables = (
            open_variable(
                "destination",
                "Which box does the request mean, and does anything lie in it?",
                VariableSource.STATE if wish.vacant else VariableSource.BINDING,
                "the request gives no coordinates",
            ),
            open_variable(
                "target", f"Which thing is the {wish.target.words}?", VariableSource.BINDING, "it is named by looks"
            ),
        )
        boxes = (
            *(slot.outer for slot in slots(view)),
            *(shape.box for shape in view.scene.shapes),
        )
        return inspection(view, variables, boxes, ("what already lies in boxes stays", "the boxes stay"))

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        wish = _wish(goal)
        if wish is None:
            return Unsolved("the request to place something can't be read")
        found = matching(wish.target, view.scene.shapes)
        found = loose(view, found) or found
        if len(found) != 1:
            return Unsolved(f'{len(found)} things fit "{wish.target.words}"')
        boxes = _destinations(wish, view)
        if not boxes:
            return Unsolved("no box in the picture fits the request")
        if len(boxes) > 1 and not wish.free_choice:
            return Unsolved(f"{len(boxes)} boxes fit the request, which means one")
        nearest = sorted(boxes, key=lambda box: (distance(box.middle, found[0].middle), box.box))
        return _plan(view, wish, found[0], nearest)


def _wish(goal: str) -> _Wish | None:
    target = _TARGET.search(goal)
    if target is None or _PLACED.search(goal) is None:
        return None
    description = describe(target["target"])
    vacant, letter = _EMPTY.search(goal) is not None, box_letter(goal)
    colour = None if letter or vacant else box_colour(goal)
    if description is None or not (vacant or letter or colour):
        return None
    return _Wish(description, vacant, letter, colour, _ANY.search(goal) is not None)


def _destinations(wish: _Wish, view: View) -> list[Cell]:
    if wish.letter is not None:
        box = lettered(wish.letter, view)
        return [] if box is None else [box]
    vacant = empty_slots(view)
    if wish.colour is None:
        return list(vacant)
    boxes = coloured(wish.colour, view)
    return [box for box in boxes if box in vacant] or list(boxes)


def _plan(view: View, wish: _Wish, shape: Shape, boxes: list[Cell]) -> Plan:
    book, size = Notebook(view), view.size
    box, place = boxes[0], coordinates(boxes[0].middle, view.size)
    target = book.claim(
        f"{shape_words(shape, view.scene)} is the {wish.target.words}", EvidenceSource.BINDING, shape.box
    )
    what = (
        "is empty"
        if wish.vacant
        else f"has the letter {wish.letter}"
        if wish.letter
        else f"is outlined in {wish.colour}"
    )
    slot = book.claim(f"the box around {place} {what}", EvidenceSource.OBSERVED_STATE, box.outer)
    book.variable("destination", f"the box around {place}", (slot,))
    book.variable("target", shape_words(shape, view.scene), (target,))
    rivals = boxes[1:] or [other for other in slots(view) if other != box]
    rivals.sort(key=lambda other: distance(other.middle, shape.middle))
    others, deciding = [], [slot]
    if rivals:
        allowed = len(boxes) > 1
        seen = "fits the request as well" if allowed else "does not fit the request"
        deciding.append(
            book.claim(
                f"the box around {coordinates(rivals[0].middle, size)} {seen}",
                EvidenceSource.OBSERVED_STATE,
                rivals[0].outer,
            )
        )
        validity = Validity.PLAUSIBLE if allowed else Validity.REJECTED
        others.append(_transition("z2", view, shape, rivals[0], (deciding[-1],), validity))
    decision = Decision(
        chosen=_transition("z1", view, shape, box, (target, slot), Validity.SUPPORTED),
        steps=(f"Move the shape at {at(shape, size)} to {place}.",),
        keep="Keep everything else exactly as it is.",
        others=tuple(others),
        question=f"Does the box around {coordinates(rivals[0].middle, size)} fit the request?" if rivals else "",
        deciding=tuple(deciding),
    )
    return book.plan(decision)


def _transition(
    name: str, view: View, shape: Shape, box: Cell, claims: tuple[str, ...], validity: Validity
) -> Transition:
    words, place = shape_words(shape, view.scene), coordinates(box.middle, view.size)
    return Transition(
        transition_id=name,
        targets=(words,),
        actions=("move",),
        destination=(f"the box around {place}",),
        goal_state=(f"{words} stands inside the box around {place}, and its old place shows the background",),
        preserve=("all boxes and all other shapes stay unchanged",),
        supporting_claim_ids=claims,
        validity=validity,
    )
