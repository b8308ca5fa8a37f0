"""`plan`: inspect → crop → resolve → compile → review → edit, and its ablations."""

from __future__ import annotations

from editplan.calls.budget import CallBudget
from editplan.planner.conditions.base import ChainCondition
from editplan.planner.conditions.direct import EDIT
from editplan.planner.graph import Step
from editplan.planner.nodes.compile import compile_with
from editplan.planner.nodes.crop import crop
from editplan.planner.nodes.inspect import inspect_with
from editplan.planner.nodes.resolve import resolve_with
from editplan.planner.nodes.review import review
from editplan.planner.variants import VARIANTS


def plan(name: str = "") -> ChainCondition:
    """`plan`, or the ablation `plan:<name>`."""
    variant = VARIANTS[name]
    steps = []
    if variant.inspect_task is not None:
        steps.append(Step("inspect", inspect_with(variant)))
    if variant.crops:
        steps.append(Step("crop", crop))
    steps += [Step("resolve", resolve_with(variant)), Step("compile", compile_with(variant)), Step("review", review)]
    budget = CallBudget(agent_calls=2 if variant.inspect_task else 1, generations=1)
    return ChainCondition(f"plan:{name}" if name else "plan", budget, (*steps, EDIT))
