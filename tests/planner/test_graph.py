"""Graphs with LangGraph's own means: checkpoints, review, subgraphs, streams."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command

from editplan.calls.journal import Journal
from editplan.calls.layer import Calls
from editplan.errors import ConfigError
from editplan.planner.conditions.registry import resolve_condition
from editplan.planner.deps import Deps
from editplan.planner.options import PlannerOptions
from editplan.planner.run import session_of
from editplan.records import CallKind, Outcome
from editplan.store import ImageStore
from editplan.testing import ScriptedEditor, ScriptedModel

REVIEW = PlannerOptions(review=True)
THREAD: Any = {"configurable": {"thread_id": "1"}}


def _deps(calls: Calls, answers: dict[str, Any], options: PlannerOptions = PlannerOptions()) -> Deps:
    session = session_of(calls, resolve_condition("plan"), case_id="case")
    return Deps(session, planner=ScriptedModel(answers), editor=ScriptedEditor(), options=options)


def _input(request: Any) -> Any:
    return {"request": request.model_dump(mode="json")}


async def _paused(calls: Calls, answers: dict[str, Any], request: Any, saver: InMemorySaver) -> Deps:
    deps = _deps(calls, answers, REVIEW)
    graph = resolve_condition("plan").build(saver)
    state = await graph.ainvoke(_input(request), THREAD, context=deps)
    assert state["__interrupt__"][0].value["instruction"].startswith("Move the red block")
    assert deps.editor.jobs == []
    return deps


@pytest.mark.parametrize(
    ("word", "status", "instruction"),
    [
        ("approve", "ok", "Move the red block"),
        ({"decision": "edit", "instruction": "Do nothing."}, "ok", "Do nothing."),
        ({"decision": "reject", "reason": "wrong slot"}, "cancelled", "Move the red block"),
    ],
)
async def test_a_plan_pauses_for_review_and_goes_on(
    word: Any, status: str, instruction: str, calls: Calls, answers: dict[str, Any], request_: Any
) -> None:
    saver = InMemorySaver()
    deps = await _paused(calls, answers, request_, saver)
    state = await resolve_condition("plan").build(saver).ainvoke(Command(resume=word), THREAD, context=deps)
    outcome = Outcome.model_validate(state["outcome"])
    assert outcome.status == status
    assert outcome.instruction.startswith(instruction)
    assert len(deps.editor.jobs) == (status == "ok")
    assert (outcome.refusal.text if outcome.refusal else "") == ("wrong slot" if status == "cancelled" else "")


async def test_another_word_is_an_error(calls: Calls, answers: dict[str, Any], request_: Any) -> None:
    saver = InMemorySaver()
    deps = await _paused(calls, answers, request_, saver)
    with pytest.raises(ConfigError, match="approve"):
        await resolve_condition("plan").build(saver).ainvoke(Command(resume="maybe"), THREAD, context=deps)


async def test_another_process_goes_on_with_the_ledger(
    tmp_path: Path, board: bytes, answers: dict[str, Any], request_: Any
) -> None:
    def opened() -> Calls:
        return Calls(Journal(tmp_path / "run.sqlite"), ImageStore(tmp_path / "images"))

    first, saver = opened(), InMemorySaver()
    first.images.add(board)
    await _paused(first, answers, request_, saver)
    first.journal.close()
    kept = copy.deepcopy((dict(saver.storage), dict(saver.writes), dict(saver.blobs)))

    second, fresh = opened(), InMemorySaver()
    storage, writes, blobs = kept
    for thread, spaces in storage.items():
        for space, checkpoints in spaces.items():
            fresh.storage[thread][space].update(checkpoints)
    fresh.writes.update(writes)
    fresh.blobs.update(blobs)
    deps = _deps(second, answers, REVIEW)
    graph = resolve_condition("plan").build(fresh)
    state = await graph.ainvoke(Command(resume="approve"), THREAD, context=deps)
    outcome = Outcome.model_validate(state["outcome"])
    second.journal.close()
    assert outcome.status == "ok"
    assert deps.planner.asks == []
    assert outcome.calls.logical(CallKind.AGENT) == 2
    assert outcome.calls.logical(CallKind.GENERATION) == 1


async def test_a_second_request_on_a_thread_starts_clean(
    calls: Calls, answers: dict[str, Any], request_: Any
) -> None:
    graph = resolve_condition("plan").build(InMemorySaver())
    broken = ScriptedModel(lambda ask: "no JSON")
    deps = Deps(session_of(calls, resolve_condition("plan"), case_id="a"), planner=broken, editor=ScriptedEditor())
    failed = await graph.ainvoke(_input(request_), THREAD, context=deps)
    assert failed["outcome"]["status"] == "agent_failed"
    good = await graph.ainvoke(_input(request_), THREAD, context=_deps(calls, answers))
    assert good["outcome"]["status"] == "ok"
    assert good["outcome"]["notes"] == []


async def test_a_checkpoint_is_plain_json(calls: Calls, answers: dict[str, Any], request_: Any) -> None:
    saver = InMemorySaver()
    graph = resolve_condition("plan").build(saver)
    await graph.ainvoke(_input(request_), THREAD, context=_deps(calls, answers))
    values = (await graph.aget_state(THREAD)).values
    assert json.loads(json.dumps(values)) == values
    assert len(json.dumps(values)) < 50_000


async def test_it_works_as_a_subgraph(calls: Calls, answers: dict[str, Any], request_: Any) -> None:
    class Outer(TypedDict, total=False):
        request: dict[str, Any]
        outcome: dict[str, Any]
        status: str

    async def after(state: Outer) -> Outer:
        return {"status": state["outcome"]["status"]}

    builder = StateGraph(Outer, Deps)
    builder.add_node("plan", resolve_condition("plan").build())
    builder.add_node("after", after)
    builder.add_edge(START, "plan")
    builder.add_edge("plan", "after")
    builder.add_edge("after", END)
    graph = builder.compile()
    deps = _deps(calls, answers)
    events = []
    async for place, mode, chunk in graph.astream(
        _input(request_), context=deps, stream_mode=["custom", "values"], subgraphs=True
    ):
        events += [chunk["event"]] if mode == "custom" else []
        last = chunk if mode == "values" and place == () else None
    assert last["status"] == "ok"
    assert events[0] == "inspecting"
    assert events[-1] == "done"


def test_the_nodes_of_plan_are_those_of_the_method() -> None:
    nodes = [name for name in resolve_condition("plan").build().get_graph().nodes if not name.startswith("__")]
    assert nodes == ["begin", "inspect", "crop", "resolve", "compile", "review", "edit", "close"]
