"""Compile: the plan's rules, and the one instruction; deterministic code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from editplan.planner.compiling import compile_plan
from editplan.planner.endings import agent_failed
from editplan.planner.state import State, plan_of, request_of, with_notes
from editplan.planner.variants import PlanVariant

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from editplan.planner.deps import Deps
    from editplan.planner.graph import Node


def compile_with(variant: PlanVariant) -> Node:
    """The Compile node of a variant of `plan`."""

    async def compile_(state: State, runtime: Runtime[Deps]) -> State:
        plan = plan_of(state)
        if plan is None:
            return {"ending": agent_failed("compile", "there is no plan").model_dump(mode="json")}
        compiled = compile_plan(plan, request_of(state), variant)
        if compiled.problems:
            return {"ending": agent_failed("compile", "; ".join(compiled.problems)).model_dump(mode="json")}
        runtime.stream_writer({"event": "instruction", "instruction": compiled.plan.instruction})
        return {
            "plan": compiled.plan.model_dump(mode="json"),
            "instruction": compiled.plan.instruction,
            "notes": with_notes(state, *compiled.notes),
        }

    return compile_
