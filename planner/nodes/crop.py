"""Crop: deterministic code between Inspect and Resolve."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from editplan.planner.crops import cut
from editplan.planner.labels import Crop
from editplan.planner.state import State, inspection_of, request_of, with_notes
from editplan.planner.views import seen

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from editplan.planner.deps import Deps


async def crop(state: State, runtime: Runtime[Deps]) -> State:
    """Cuts out what Inspect asked for, at most `max_crops`."""
    deps, queries = runtime.context, inspection_of(state).visual_queries
    most = deps.options.max_crops
    request = await seen(request_of(state), deps.images)
    crops = await asyncio.to_thread(cut, request, queries, deps.images, most)
    for each in crops:
        runtime.stream_writer({"event": "crop", **each.model_dump(mode="json")})
    left_out = len(queries) - len(crops)
    notes = [f"crop: {left_out} of {len(queries)} requests were left out"] if left_out else []
    return {"crops": [each.model_dump(mode="json") for each in crops], "notes": with_notes(state, *notes)}


def crops_of(state: State) -> tuple[Crop, ...]:
    """The crops that were made."""
    return tuple(Crop.model_validate(each) for each in state.get("crops", []))
