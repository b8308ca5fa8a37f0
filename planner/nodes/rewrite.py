"""Free rewriting of the goal in two calls, with or without the images: the controls of equal price."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from editplan.planner.ask import Unusable
from editplan.planner.crops import tiles
from editplan.planner.nodes.answers import asked, failed, finished, read_text
from editplan.planner.nodes.crop import crops_of
from editplan.planner.questions import Form, Shown
from editplan.planner.schemas import INSTRUCTION
from editplan.planner.state import State, request_of, with_notes
from editplan.planner.views import seen

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from editplan.planner.deps import Deps
    from editplan.planner.graph import Node


def draft_with(task: str, *, blind: bool = False) -> Node:
    """The first of the two calls."""
    form = Form(task=task, node="draft", schema=INSTRUCTION, read=read_text("instruction"))

    async def draft(state: State, runtime: Runtime[Deps]) -> State:
        answer = await asked(runtime.context, state, form, shown=Shown(blind=blind))
        if isinstance(answer, Unusable):
            return failed(state, "draft", answer)
        return {"text": answer.value, "notes": with_notes(state, *answer.notes)}

    return draft


def revise_with(task: str, *, blind: bool = False) -> Node:
    """The second call, which sees the draft; and the crops if the condition cut any."""
    form = Form(task=task, node="revise", schema=INSTRUCTION, read=read_text("instruction"))

    async def revise(state: State, runtime: Runtime[Deps]) -> State:
        shown = Shown(crops=crops_of(state), blind=blind)
        answer = await asked(runtime.context, state, form, {"draft": state["text"]}, shown)
        if isinstance(answer, Unusable):
            return failed(state, "revise", answer)
        instruction, notes = finished(answer.value, request_of(state).output, "revise")
        runtime.stream_writer({"event": "instruction", "instruction": instruction})
        return {"instruction": instruction, "notes": with_notes(state, *answer.notes, *notes)}

    return revise


async def tile(state: State, runtime: Runtime[Deps]) -> State:
    """Cuts the first image into six fixed tiles."""
    request = await seen(request_of(state), runtime.context.images)
    cut = await asyncio.to_thread(tiles, request, runtime.context.images)
    return {"crops": [each.model_dump(mode="json") for each in cut]}
