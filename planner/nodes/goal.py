"""Instructions that are made from the goal by rule, without a call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from editplan.errors import Unsupported
from editplan.planner.instructions import KEEP_REST, as_sentence, with_closing
from editplan.planner.state import State, request_of

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from editplan.planner.deps import Deps


async def take_goal(state: State, runtime: Runtime[Deps]) -> State:
    """The goal as it is."""
    return _instructed(request_of(state).goal, runtime)


async def take_goal_and_preserve(state: State, runtime: Runtime[Deps]) -> State:
    """The goal and the sentences that every planned instruction ends with."""
    request = request_of(state)
    return _instructed(with_closing(f"{as_sentence(request.goal)} {KEEP_REST}", request.output), runtime)


async def take_hint(state: State, runtime: Runtime[Deps]) -> State:
    """The goal and the benchmark's own hint. Raises `Unsupported` where none was handed over."""
    hint = runtime.context.hint
    if hint is None or not hint.text.strip():
        raise Unsupported("knowledge_hint needs a KnowledgeHint: the suite has none for this case")
    return _instructed(f"{request_of(state).goal.strip()}\n\n{hint.text.strip()}", runtime)


async def take_specification(state: State, runtime: Runtime[Deps]) -> State:
    """The given specification as the instruction. Raises `Unsupported` where none was handed over."""
    return _instructed(specification(runtime.context), runtime)


def specification(deps: Deps) -> str:
    """The oracle's final state in words. Raises `Unsupported` where none was handed over."""
    if deps.oracle is None or not deps.oracle.final_state.strip():
        raise Unsupported("oracle needs an OracleSpec: the suite has none for this case")
    return deps.oracle.final_state.strip()


def _instructed(text: str, runtime: Runtime[Deps]) -> State:
    runtime.stream_writer({"event": "instruction", "instruction": text})
    return {"instruction": text}
