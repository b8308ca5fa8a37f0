"""Which solver answers a goal: the first, from the most special to the most general, that reads its words."""

from __future__ import annotations

from editplan.planner.embedded.solvers.base import Solver, Unsolved
from editplan.planner.embedded.solvers.cells import CellPattern
from editplan.planner.embedded.solvers.comparison import Comparison
from editplan.planner.embedded.solvers.counting import Counting
from editplan.planner.embedded.solvers.dropper import Dropper
from editplan.planner.embedded.solvers.explicit import Explicit
from editplan.planner.embedded.solvers.framed_legend import FramedLegendRecolor
from editplan.planner.embedded.solvers.legend import LegendRecolor
from editplan.planner.embedded.solvers.maze import Maze
from editplan.planner.embedded.solvers.named import Named
from editplan.planner.embedded.solvers.odd_one import OddOne
from editplan.planner.embedded.solvers.ordering import Ordering
from editplan.planner.embedded.solvers.pattern import Pattern
from editplan.planner.embedded.solvers.placing import Placing
from editplan.planner.embedded.solvers.sorting import Sorting
from editplan.planner.embedded.solvers.tallies import Tallies
from editplan.planner.embedded.solvers.unknown import NO_SOLVER, inspect_unknown, uncertain_plan
from editplan.planner.embedded.view import View
from editplan.records import Inspection, Plan

SOLVERS: tuple[Solver, ...] = (
    LegendRecolor(),
    FramedLegendRecolor(),
    Tallies(),
    Ordering(),
    Sorting(),
    Pattern(),
    CellPattern(),
    Maze(),
    OddOne(),
    Counting(),
    Placing(),
    Named(),
    Comparison(),
    Dropper(),
    Explicit(),
)


def solver_for(goal: str) -> Solver | None:
    """The solver of a goal's kind, None for a goal of no known kind."""
    return next((solver for solver in SOLVERS if solver.reads(goal)), None)


def inspect_goal(goal: str, view: View) -> Inspection:
    """What is open in a goal, and where to look."""
    solver = solver_for(goal)
    return inspect_unknown(goal) if solver is None else solver.inspect(goal, view)


def resolve_goal(goal: str, view: View) -> Plan:
    """The plan for a goal; an uncertain one where the goal's kind or the picture leaves it open."""
    solver = solver_for(goal)
    if solver is None:
        return uncertain_plan(goal, view, NO_SOLVER)
    found = solver.resolve(goal, view)
    return uncertain_plan(goal, view, found.reason) if isinstance(found, Unsolved) else found
