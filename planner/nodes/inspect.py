"""Inspect: what the goal leaves open, and where to look closer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from editplan.planner.ask import Unusable
from editplan.planner.inspections import read_inspection
from editplan.planner.nodes.answers import asked, failed
from editplan.planner.questions import Form
from editplan.planner.reading import Reader
from editplan.planner.schemas import inspection_schema
from editplan.planner.state import State, with_notes
from editplan.planner.variants import PlanVariant
from editplan.records import Inspection

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from editplan.planner.deps import Deps
    from editplan.planner.graph import Node


def inspect_with(variant: PlanVariant) -> Node:
    """The Inspect node of a variant of `plan`."""

    def read(value: dict[str, Any], reader: Reader) -> Inspection:
        return read_inspection(value, reader, preservation=variant.preservation)

    form = Form(
        task=variant.inspect_task or "inspect",
        node="inspect",
        schema=inspection_schema(preservation=variant.preservation),
        read=read,
    )

    async def inspect(state: State, runtime: Runtime[Deps]) -> State:
        runtime.stream_writer({"event": "inspecting"})
        answer = await asked(runtime.context, state, form)
        if isinstance(answer, Unusable):
            return failed(state, "inspect", answer)
        return {"inspection": answer.value.model_dump(mode="json"), "notes": with_notes(state, *answer.notes)}

    return inspect
