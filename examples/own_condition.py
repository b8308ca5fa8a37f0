"""A condition of your own: one agent call describes the picture, and the editor gets goal and description.

Name it in an experiment file as "own_condition:described" and run from this folder, or give it to `EditAgent`.
"""

from __future__ import annotations

from typing import Any

from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from editplan.calls.budget import CallBudget
from editplan.planner.conditions.direct import EDIT
from editplan.planner.deps import Deps
from editplan.planner.graph import Step, chain
from editplan.planner.state import State, request_of
from editplan.records import Ask


async def describe(state: State, runtime: Runtime[Deps]) -> State:
    """Asks once; the session counts the call, journals it and holds it to the budget."""
    deps, request = runtime.context, request_of(state)
    ask = Ask(
        task="describe",
        prompt_id="own/describe/v1",
        text=f"Describe the picture in two sentences.\n\n<goal>\n{request.goal}\n</goal>",
        parts=request.parts,
        temperature=deps.options.temperature,
        max_tokens=deps.options.max_tokens,
    )
    reply = await deps.session.ask(deps.need_planner(), ask, node="describe")
    return {"instruction": f"{request.goal} The picture shows: {reply.text.strip()}"}


def described() -> tuple[CompiledStateGraph[Any, Any, Any, Any], CallBudget]:
    """The compiled graph and what it may call."""
    return chain([Step("describe", describe), EDIT], name="described"), CallBudget(agent_calls=1, generations=1)
