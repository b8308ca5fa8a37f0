"""Resolve: evidence, candidates, the choice between them, obligations and an instruction, in one answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from editplan.planner.ask import Unusable
from editplan.planner.nodes.answers import asked, failed
from editplan.planner.nodes.crop import crops_of
from editplan.planner.plans import read_plan
from editplan.planner.questions import Form, Shown
from editplan.planner.reading import Reader
from editplan.planner.schemas import plan_schema
from editplan.planner.state import State, inspection_of, with_notes
from editplan.planner.variants import PlanVariant
from editplan.records import Plan

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from editplan.planner.deps import Deps
    from editplan.planner.graph import Node


def resolve_with(variant: PlanVariant) -> Node:
    """The Resolve node of a variant of `plan`."""

    def read(value: dict[str, Any], reader: Reader) -> Plan:
        return read_plan(value, reader, variant)

    form = Form(task=variant.task, node="resolve", schema=plan_schema(variant), read=read)

    async def resolve(state: State, runtime: Runtime[Deps]) -> State:
        fields = {} if variant.inspect_task is None else {"inspection": _findings(state)}
        answer = await asked(runtime.context, state, form, fields, Shown(crops=crops_of(state)))
        if isinstance(answer, Unusable):
            return failed(state, "resolve", answer)
        plan: Plan = answer.value
        for each in plan.evidence:
            runtime.stream_writer({"event": "evidence", **each.model_dump(mode="json")})
        for candidate in plan.candidates:
            chosen = candidate.transition_id == plan.selected
            runtime.stream_writer({"event": "candidate", "selected": chosen, **candidate.model_dump(mode="json")})
        if variant.inspect_task is not None:
            plan = plan.model_copy(update={"inspection": inspection_of(state)})
        return {"plan": plan.model_dump(mode="json"), "notes": with_notes(state, *answer.notes)}

    return resolve


def _findings(state: State) -> str:
    """What Inspect left, for the prompt: without the boxes of the crops, which the labels give."""
    found = inspection_of(state).model_dump(mode="json", exclude={"visual_queries": {"__all__": {"bbox", "image"}}})
    return json.dumps(found, ensure_ascii=False, indent=1)
