"""Runs one condition on one request: what the library face and the experiment runner both use."""

from __future__ import annotations

import logging
import time
from dataclasses import replace

from editplan.calls.layer import Calls
from editplan.calls.session import CallSession, Scope
from editplan.errors import ConfigError
from editplan.planner.conditions.base import Condition
from editplan.planner.deps import Deps
from editplan.planner.state import ConditionInput
from editplan.planner.views import RENDERED_NOTE, has_drawing
from editplan.records import EditRequest, Outcome

log = logging.getLogger("editplan.planner")


def session_of(calls: Calls, condition: Condition, *, case_id: str, replicate: int = 0, seed: int = 0) -> CallSession:
    """The call session of one outcome, held to the condition's budget."""
    scope = Scope(case_id=case_id, condition=condition.id, replicate=replicate, seed=seed)
    return CallSession(calls, scope, condition.budget)


async def run_condition(condition: Condition, request: EditRequest, deps: Deps) -> Outcome:
    """The outcome of `condition` on `request`; whatever fails on the way ends in its status.

    Raises `ConfigError` for a condition that lacks a model, a hint or an oracle, and errors of our own files
    (`PromptError`, `StoreError`); cancelling goes through.
    """
    check(condition, deps)
    if deps.options.review:
        raise ConfigError(
            "a review pauses the graph, which needs a checkpointer: invoke condition.build(checkpointer), "
            "or use aplan and arender"
        )
    began = time.monotonic()
    graph = condition.build()
    state = await graph.ainvoke(
        ConditionInput(request=request.model_dump(mode="json")), context=admitted(condition, deps)
    )
    if "outcome" not in state:
        raise ConfigError(f"the graph of {condition.id} left no outcome: its last node must set it")
    outcome = Outcome.model_validate(state["outcome"])
    log.info("%s on %s ended as %s", condition.id, request.case_id, outcome.status)
    rendered = (RENDERED_NOTE,) if condition.budget.agent_calls and has_drawing(request) else ()
    return outcome.model_copy(update={"seconds": time.monotonic() - began, "notes": (*outcome.notes, *rendered)})


def check(condition: Condition, deps: Deps) -> None:
    """Raises `ConfigError` where a model that the budget implies is missing, before anything is called."""
    if condition.budget.agent_calls and deps.planner is None:
        raise ConfigError(f"{condition.id} asks a vision model: give planner=")
    if condition.budget.generations and deps.editor is None:
        raise ConfigError(f"{condition.id} makes an image: give editor=")


def admitted(condition: Condition, deps: Deps) -> Deps:
    """The handles without what the suite hands to other conditions."""
    given = getattr(condition, "given", "")
    return replace(
        deps, oracle=deps.oracle if given == "oracle" else None, hint=deps.hint if given == "hint" else None
    )
