"""Counting with tallies: so many marks of a row are removed that the rest equals a count."""

from __future__ import annotations

import re
from dataclasses import dataclass

from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import around, at, listed
from editplan.planner.embedded.references import Description, describe, matching
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.recognition.scene import Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_GOAL = re.compile(
    r"the (?P<tally>[\w -]+?) (?:arranged|lined up|placed|that stand) in a (?:line|row|column) (?:on|at|along) the "
    r"(?P<side>left|right|top|bottom)\b.*?remove (?:the )?tallies from the (?P<end>left|right|top|bottom)\b.*?"
    r"equals the number of (?P<target>[\w -]+)",
    re.IGNORECASE | re.DOTALL,
)
_AXIS = {"left": 0, "right": 0, "top": 1, "bottom": 1}
"""The coordinate that the tallies of a side share."""


@dataclass(frozen=True)
class _Request:
    tally: Description
    target: Description
    side: str
    end: str


class Tallies:
    """Goals that set the length of a row of tallies."""

    name = "tallies"

    def reads(self, goal: str) -> bool:
        return _request(goal) is not None

    def inspect(self, goal: str, view: View) -> Inspection:
        request = _request(goal)
        if request is None:
            return Inspection()
        variables = (
            open_variable(
                "count",
                f"How many {request.target.words} are there?",
                VariableSource.STATE,
                "the number is visible only",
            ),
            open_variable(
                "targets",
                f"Which tallies at the {request.side} are left over?",
                VariableSource.BINDING,
                "it follows from the count and from the order of the row",
            ),
        )
        boxes = tuple(shape.box for shape in view.scene.shapes)
        keep = ("the counted shapes stay", "the remaining tallies stay where they are")
        return inspection(view, variables, boxes, keep)

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        request = _request(goal)
        if request is None:
            return Unsolved("the request about tallies can't be read")
        row = _row(matching(request.tally, view.scene.shapes), request.side, view.size)
        rest = tuple(shape for shape in view.scene.shapes if shape not in row)
        counted = matching(request.target, rest)
        if len(row) <= len(counted):
            return Unsolved(f"{len(row)} tallies and {len(counted)} {request.target.words} leave nothing to remove")
        return _plan(view, request, row, counted)


def _request(goal: str) -> _Request | None:
    match = _GOAL.search(" ".join(goal.split()))
    if match is None:
        return None
    tally, target = describe(match["tally"]), describe(match["target"])
    if tally is None or target is None:
        return None
    return _Request(tally, target, match["side"].lower(), match["end"].lower())


def _row(shapes: tuple[Shape, ...], side: str, size: tuple[int, int]) -> tuple[Shape, ...]:
    """The largest group of equal shapes on one line, the one nearest to the side if there are several."""
    axis = _AXIS[side]
    slack = 0.006 * size[axis] + 1

    def gap(shape: Shape) -> float:
        return shape.middle[axis] if side in {"left", "top"} else size[axis] - shape.middle[axis]

    def fellows(first: Shape) -> tuple[Shape, ...]:
        return tuple(
            s
            for s in shapes
            if abs(s.middle[axis] - first.middle[axis]) <= slack
            and abs(s.width - first.width) <= slack
            and abs(s.height - first.height) <= slack
        )

    groups = [fellows(shape) for shape in shapes if gap(shape) < 0.25 * size[axis]]
    best = max(groups, key=lambda group: (len(group), -gap(group[0])), default=())
    return tuple(sorted(best, key=lambda s: s.middle[1 - axis]))


def _plan(view: View, request: _Request, row: tuple[Shape, ...], counted: tuple[Shape, ...]) -> Plan:
    book, keep = Notebook(view), len(counted)
    number = book.claim(
        f"there are {keep} {request.target.words}",
        EvidenceSource.OBSERVED_STATE,
        around(s.box for s in counted) if counted else None,
        seen=" ".join(at(shape, view.size) for shape in counted) or "none is visible",
    )
    line = book.claim(
        f"{len(row)} tallies stand in a line at the {request.side}",
        EvidenceSource.BINDING,
        around(s.box for s in row),
    )
    surplus = row[: len(row) - keep] if request.end in {"left", "top"} else row[keep:]
    book.variable("count", str(keep), (number,))
    book.variable("targets", f"{len(surplus)} tallies counted from the {request.end}", (number, line))
    places = [at(shape, view.size) for shape in surplus]
    noun = "shape" if len(places) == 1 else "shapes"
    preserve = (
        f"the other {keep} tallies stay where they are",
        f"the {request.target.words} and the background stay unchanged",
    )
    off = row[: len(row) - keep - 1] if request.end in {"left", "top"} else row[keep + 1 :]
    decision = Decision(
        chosen=Transition(
            transition_id="z1",
            targets=tuple(f"the tally at {place}" for place in places),
            actions=("remove",),
            goal_state=(f"{keep} tallies are left at the {request.side}",),
            preserve=preserve,
            supporting_claim_ids=(number, line),
            validity=Validity.SUPPORTED,
        ),
        steps=(f"Remove the {noun} at {listed(places)}.",),
        keep="Keep the other tallies, all other shapes and the background exactly as they are.",
        others=(
            Transition(
                transition_id="z2",
                targets=tuple(f"the tally at {at(shape, view.size)}" for shape in off),
                actions=("remove",),
                goal_state=(f"{keep + 1} tallies are left at the {request.side}",),
                preserve=preserve,
                supporting_claim_ids=(line,),
                validity=Validity.REJECTED,
            ),
        ),
        question=f"Is there one more of the {request.target.words} than counted?",
        deciding=(number,),
    )
    return book.plan(decision)
