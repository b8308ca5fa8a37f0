"""Chains steps into a LangGraph graph: every failure ends as an outcome, and the ledger travels in the state."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from editplan.errors import CallFailure, ConfigError
from editplan.planner.deps import Deps
from editplan.planner.endings import ENDABLE, Endable, Ending, ending_of
from editplan.planner.state import ConditionInput, ConditionOutput, State, media_of, plan_of, request_of, with_notes
from editplan.protocols import Editor
from editplan.records import CallKind, CallRecord, EditRequest, Ledger, Media, Outcome, Status

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.runtime import Runtime
    from langgraph.types import Checkpointer

    Node = Callable[[State, Runtime[Deps]], Awaitable[State]]
    Compiled = CompiledStateGraph[State, Deps, ConditionInput, ConditionOutput]

log = logging.getLogger("editplan.planner")

_CERTAIN_ENDS = frozenset({Status.BUDGET_EXCEEDED, Status.CANCELLED, Status.UNSUPPORTED})
"""Ends of the thinking after which the goal is not sent to the editor, whatever the caller asked."""


@dataclass(frozen=True)
class Step:
    """One node of a chain."""

    name: str
    act: Node
    thinking: bool = True
    """Whether it works towards the instruction; a failure of it may fall back to the goal if the caller asks."""


def chain(
    steps: Sequence[Step], *, name: str, edits: bool | None = None, checkpointer: Checkpointer = None
) -> Compiled:
    """A compiled graph that runs `steps` in order and closes with an outcome; an ending skips to the close.

    `edits`: whether the steps lead to a generation, here (the default: if one of them is one) or in a later graph.
    """
    from langgraph.graph import END, START, StateGraph

    builder: StateGraph[State, Deps, ConditionInput, ConditionOutput] = StateGraph(
        State, Deps, input_schema=ConditionInput, output_schema=ConditionOutput
    )
    edits = any(not step.thinking for step in steps) if edits is None else edits
    builder.add_node("begin", _beginning(edits=edits))
    for step in steps:
        builder.add_node(step.name, _guarded(step, edits=edits))
    builder.add_node("close", _closing())
    builder.add_edge(START, "begin")
    names = ["begin", *(step.name for step in steps), "close"]
    builder.add_conditional_edges("begin", _router(names[1], names[1], thinking=False), [names[1], "close"])
    generation = next((step.name for step in steps if not step.thinking), "close")
    for place, step in enumerate(steps, 1):
        following = names[place + 1]
        builder.add_conditional_edges(
            step.name, _router(following, generation, thinking=step.thinking), [following, generation, "close"]
        )
    builder.add_edge("close", END)
    return builder.compile(checkpointer=checkpointer, name=name)


def _beginning(*, edits: bool) -> Any:
    from langgraph.runtime import Runtime

    async def begin(state: State, runtime: Runtime[Deps]) -> State:
        deps, request = runtime.context, request_of(state)
        if deps is None:
            raise ConfigError("the graph needs context=Deps(...): the models and the call session")
        update = _cleared(request)
        unsupported = _unsupported(request, deps.editor) if edits else None
        if unsupported:
            ending = Ending(status=Status.UNSUPPORTED, note=unsupported)
            update["ending"] = ending.model_dump(mode="json")
        return update

    begin.__annotations__ = {"state": State, "runtime": Runtime, "return": State}
    return begin


def _unsupported(request: EditRequest, editor: Editor | None) -> str | None:
    """Why the editor could not take the request, known before an agent call is spent on it."""
    if editor is None:
        return None
    can = editor.capabilities
    if len(request.parts) > can.max_images:
        return f"{editor.id} takes {can.max_images} image(s), the request has {len(request.parts)}"
    if request.mask is not None and not can.mask:
        return f"{editor.id} takes no mask"
    return None


def _cleared(request: EditRequest) -> State:
    """The channels as they are at the start, whatever an earlier request left on the same thread."""
    return {
        "request": request.model_dump(mode="json"),
        "inspection": None,
        "crops": [],
        "plan": None,
        "text": "",
        "answer": None,
        "instruction": "",
        "drafts": [],
        "media": None,
        "notes": [],
        "calls": [],
        "ending": None,
        "fell_back": False,
    }


def _router(following: str, generation: str, *, thinking: bool) -> Callable[[State], str]:
    def after(state: State) -> str:
        if state.get("ending"):
            return "close"
        return generation if thinking and state.get("fell_back") else following

    return after


def _guarded(step: Step, *, edits: bool) -> Any:
    from langgraph.runtime import Runtime

    async def node(state: State, runtime: Runtime[Deps]) -> State:
        deps = runtime.context
        if not deps.session.ledger.calls and state.get("calls"):
            deps.session.resume(tuple(CallRecord.model_validate(each) for each in state["calls"]))
        try:
            update = await step.act(state, runtime)
        except ENDABLE as failure:
            update = {"ending": _ending(failure, step, deps).model_dump(mode="json")}
        if edits:
            update = _fallen_back(state, update, deps, step)
        update["calls"] = [each.model_dump(mode="json") for each in deps.session.ledger.calls]
        return update

    node.__annotations__ = {"state": State, "runtime": Runtime, "return": State}
    return node


def _ending(failure: Endable, step: Step, deps: Deps) -> Ending:
    record = failure.record if isinstance(failure, CallFailure) else None
    agent = record.kind is CallKind.AGENT if record is not None else step.thinking
    model = deps.planner if agent or deps.editor is None else deps.editor
    return ending_of(failure, step.name, model.id if model is not None else "")


def _fallen_back(state: State, update: State, deps: Deps, step: Step) -> State:
    """Puts the goal in place of the instruction where the thinking failed and the caller asked for that."""
    raw = update.get("ending")
    if not raw or not step.thinking or deps.options.on_plan_failure != "direct":
        return update
    ending = Ending.model_validate(raw)
    if ending.status in _CERTAIN_ENDS or step.name == "review":
        return update
    log.warning("%s: %s; the goal goes to the editor as it is", ending.status, ending.note)
    note = f'no plan ({ending.status}: {ending.note}); on_plan_failure="direct": the goal went to the editor as it is'
    return {
        "ending": None,
        "fell_back": True,
        "plan": None,
        "instruction": request_of(state).goal,
        "notes": with_notes(state, *update.get("notes", []), note),
    }


def _closing() -> Any:
    from langgraph.runtime import Runtime

    async def close(state: State, runtime: Runtime[Deps]) -> State:
        outcome = outcome_of(state).model_dump(mode="json")
        runtime.stream_writer({"event": "done", "status": outcome["status"], "outcome": outcome})
        return {"outcome": outcome}

    close.__annotations__ = {"state": State, "runtime": Runtime, "return": State}
    return close


def outcome_of(state: State) -> Outcome:
    """What the state comes to."""
    raw = state.get("ending")
    ending = Ending.model_validate(raw) if raw else None
    final = media_of(state.get("media"))
    calls = tuple(CallRecord.model_validate(each) for each in state.get("calls", []))
    notes = with_notes(state, *([ending.note] if ending else []))
    return Outcome(
        status=ending.status if ending else Status.OK,
        media=None if ending else final,
        text=state.get("answer"),
        drafts=_drafts(state, final if ending else None),
        instruction=state.get("instruction") or None,
        plan=plan_of(state),
        calls=Ledger(calls=calls),
        refusal=ending.refusal if ending else None,
        notes=tuple(notes),
    )


def _drafts(state: State, last: Media | None) -> tuple[Media, ...]:
    """Earlier generations in order; the last one too where the graph ended after it."""
    drafts = [media for each in state.get("drafts", []) if (media := media_of(each))]
    return (*drafts, last) if last is not None and last not in drafts else tuple(drafts)
