"""Graphs of parts of a condition: the thinking alone, or the rest behind a plan that is there already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from editplan.planner.graph import Step, chain
from editplan.planner.result import PlannedEdit
from editplan.planner.state import State
from editplan.records import Outcome

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from editplan.planner.conditions.base import ChainCondition
    from editplan.planner.deps import Deps
    from editplan.planner.prepared import Prepared


async def planned_outcome(condition: ChainCondition, prepared: Prepared) -> Outcome:
    """What the condition's agent calls come to; its review, if it has one, is left to the caller."""
    steps = tuple(step for step in condition.thinking if step.name != "review")
    graph = chain(steps, name=f"{condition.id}:plan", edits=condition.edits)
    state = await graph.ainvoke(prepared.input, context=prepared.deps)
    return Outcome.model_validate(state["outcome"])


async def rendered_outcome(condition: ChainCondition, planned: PlannedEdit, prepared: Prepared) -> Outcome:
    """What the condition's generation and all that follows it come to, behind this plan."""
    steps = (_given(planned), *condition.steps[len(condition.thinking) :])
    state = await chain(steps, name=f"{condition.id}:render").ainvoke(prepared.input, context=prepared.deps)
    return Outcome.model_validate(state["outcome"])


def _given(planned: PlannedEdit) -> Step:
    """The step that puts a plan made earlier into the state."""

    async def take(state: State, runtime: Runtime[Deps]) -> State:
        plan = planned.plan
        runtime.stream_writer({"event": "instruction", "instruction": planned.instruction})
        return {
            "plan": None if plan is None else plan.model_dump(mode="json"),
            "instruction": planned.instruction or "",
            "notes": list(planned.outcome.notes),
        }

    return Step("planned", take)
