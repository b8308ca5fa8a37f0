"""Answers in words, and the instruction that is made from one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from editplan.planner.ask import Unusable
from editplan.planner.nodes.answers import asked, failed, finished, read_text
from editplan.planner.questions import Form
from editplan.planner.schemas import ANSWER, DESCRIPTION, INSTRUCTION
from editplan.planner.state import State, request_of, with_notes

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from editplan.planner.deps import Deps
    from editplan.planner.graph import Node

_ANSWER = Form("answer", "answer", ANSWER, read_text("answer", "observations"))
_DESCRIBE = Form("describe", "describe", DESCRIPTION, read_text("description", "observations"))
_RESTATE = Form("restate", "restate", INSTRUCTION, read_text("instruction"))


def answer_as(condition: str | None) -> Node:
    """Answers in words what the result must show; `condition` is the one whose very answer is taken."""
    form = Form(_ANSWER.task, _ANSWER.node, _ANSWER.schema, _ANSWER.read, of_condition=condition)

    async def answer(state: State, runtime: Runtime[Deps]) -> State:
        return await _worded(state, runtime, form)

    return answer


async def keep_answer(state: State, runtime: Runtime[Deps]) -> State:
    """Leaves the words as the outcome's own answer."""
    return {"answer": state["text"]}


async def describe(state: State, runtime: Runtime[Deps]) -> State:
    """Describes the images without solving anything."""
    return await _worded(state, runtime, _DESCRIBE)


async def restate(state: State, runtime: Runtime[Deps]) -> State:
    """Turns the answer into an instruction."""
    answer = await asked(runtime.context, state, _RESTATE, {"answer": state["text"]})
    if isinstance(answer, Unusable):
        return failed(state, "restate", answer)
    instruction, notes = finished(answer.value, request_of(state).output, "restate")
    runtime.stream_writer({"event": "instruction", "instruction": instruction})
    return {"instruction": instruction, "notes": with_notes(state, *answer.notes, *notes)}


async def take_answer(state: State, runtime: Runtime[Deps]) -> State:
    """The answer itself as the instruction."""
    runtime.stream_writer({"event": "instruction", "instruction": state["text"]})
    return {"instruction": state["text"]}


async def _worded(state: State, runtime: Runtime[Deps], form: Form) -> State:
    answer = await asked(runtime.context, state, form)
    if isinstance(answer, Unusable):
        return failed(state, form.node, answer)
    return {"text": answer.value, "notes": with_notes(state, *answer.notes)}
