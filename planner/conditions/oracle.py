"""A given specification in place of a recovered one: what the editor can do with the answer (RIG-Bench, O)."""

from __future__ import annotations

from editplan.calls.budget import CallBudget
from editplan.planner.conditions.base import ChainCondition
from editplan.planner.conditions.direct import EDIT
from editplan.planner.graph import Step
from editplan.planner.nodes.goal import take_specification
from editplan.planner.nodes.oracle import compile_specification, ground


def oracle() -> ChainCondition:
    """The specification is grounded in the image and compiled, at the price of `plan`."""
    steps = (Step("ground", ground), Step("compile_specification", compile_specification), EDIT)
    return ChainCondition("oracle", CallBudget(agent_calls=2, generations=1), steps, given="oracle")


def oracle_raw() -> ChainCondition:
    """O: the specification itself is the instruction."""
    steps = (Step("specification", take_specification), EDIT)
    return ChainCondition("oracle:raw", CallBudget(agent_calls=0, generations=1), steps, given="oracle")
