"""What a solver is: it knows one kind of goal, says what is open in it, and reads the answer off the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from editplan.pixels.geometry import PixelBox
from editplan.planner.embedded.crops import queries
from editplan.planner.embedded.view import View
from editplan.records import Inspection, OpenVariable, Plan, VariableSource


@dataclass(frozen=True)
class Unsolved:
    """Why a solver can't tell: the picture does not show what its kind of goal needs."""

    reason: str


class Solver(Protocol):
    """One kind of goal. Both answers depend on the goal's words and the view's pixels alone."""

    @property
    def name(self) -> str:
        """What it solves, in one word."""
        ...

    def reads(self, goal: str) -> bool:
        """Whether the goal's words are of its kind."""
        ...

    def inspect(self, goal: str, view: View) -> Inspection:
        """What is open, and where to look closer."""
        ...

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        """The plan that the picture supports."""
        ...


def open_variable(name: str, question: str, source: VariableSource, why: str) -> OpenVariable:
    """An open variable."""
    return OpenVariable(name=name, question=question, required_source=source, why_unresolved=why)


def inspection(
    view: View, variables: tuple[OpenVariable, ...], boxes: tuple[PixelBox, ...], keep: tuple[str, ...]
) -> Inspection:
    """An inspection whose crops show `boxes` to settle the first variable."""
    first = variables[0]
    return Inspection(
        unresolved_variables=variables,
        visual_queries=queries(view, boxes, first.name, first.question),
        preservation_hypotheses=keep,
    )
