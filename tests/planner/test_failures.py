"""Every failure inside a graph ends as an outcome with the right status, and is never silently a direct edit."""

from __future__ import annotations

from typing import Any

import pytest

from editplan.calls.budget import CallBudget
from editplan.calls.layer import CallPolicy
from editplan.calls.limits import RunLimits
from editplan.calls.session import CallSession, Scope
from editplan.errors import (
    BadReply,
    ConfigError,
    FateUnknown,
    RateLimited,
    Refused,
    Rejected,
    Unavailable,
    Unsupported,
)
from editplan.planner.options import PlannerOptions
from editplan.records import CallKind, Capabilities, Reply, Status
from editplan.testing import ScriptedEditor, ScriptedModel

CASES = [
    (Refused("not this", stage="input"), Status.REFUSED_INPUT),
    (Refused("not that", stage="output", category="safety"), Status.REFUSED_OUTPUT),
    (BadReply("nothing", kind="no_image"), Status.NO_IMAGE),
    (BadReply("broken", kind="bad_image"), Status.BAD_IMAGE),
    (BadReply("html", kind="malformed"), Status.PROVIDER_ERROR),
    (RateLimited("slow down", retry_after_s=0.0), Status.RATE_LIMITED),
    (Unavailable("503"), Status.PROVIDER_ERROR),
    (FateUnknown("no answer"), Status.TIMEOUT_UNKNOWN),
    (Rejected("400", status=400), Status.PROVIDER_ERROR),
    (Unsupported("too many images"), Status.UNSUPPORTED),
]


@pytest.mark.parametrize(("failure", "status"), CASES, ids=lambda each: str(each)[:30])
async def test_a_failing_editor(failure: Exception, status: Status, run_one: Any) -> None:
    outcome = await run_one("plan", editor=ScriptedEditor([failure]))
    assert outcome.status is status
    assert outcome.media is None
    assert outcome.plan is not None
    assert any(note.startswith("edit: ") for note in outcome.notes)
    assert (outcome.refusal is not None) is isinstance(failure, Refused)


@pytest.mark.parametrize(("failure", "status"), CASES, ids=lambda each: str(each)[:30])
async def test_a_failing_planner_makes_no_generation(failure: Exception, status: Status, run_one: Any) -> None:
    outcome = await run_one("plan", planner=ScriptedModel(lambda ask: failure))
    bad_reply = isinstance(failure, BadReply)
    assert outcome.status is (Status.PROVIDER_ERROR if bad_reply else status)
    assert outcome.calls.logical(CallKind.GENERATION) == 0
    assert outcome.instruction is None


async def test_a_refusal_keeps_who_and_why(run_one: Any) -> None:
    outcome = await run_one("direct", editor=ScriptedEditor([Refused("no knives", category="violence")]))
    assert outcome.refusal.model_dump() == {
        "stage": "output",
        "provider": "scripted-editor",
        "category": "violence",
        "text": "no knives",
    }


async def test_a_refused_answer_is_not_asked_again(run_one: Any) -> None:
    model = ScriptedModel(lambda ask: Reply(text="I won't", finish="refused"))
    outcome = await run_one("plan", planner=model)
    assert outcome.status is Status.REFUSED_OUTPUT
    assert outcome.refusal.provider == "scripted"
    assert len(model.asks) == 1


async def test_a_graph_over_its_budget_sends_nothing_more(calls: Any, run_one: Any) -> None:
    small = CallSession(calls, Scope(case_id="case", condition="small"), CallBudget(agent_calls=1, generations=1))
    model = ScriptedModel(
        {"inspect": {"unresolved_variables": [], "visual_queries": [], "preservation_hypotheses": []}}
    )
    outcome = await run_one("plan", session=small, planner=model)
    assert outcome.status is Status.BUDGET_EXCEEDED
    assert len(model.asks) == 1


async def test_a_reached_limit_ends_as_cancelled(calls: Any, run_one: Any) -> None:
    calls.policy = CallPolicy(limits=RunLimits(max_calls=1))
    calls.__post_init__()
    outcome = await run_one("plan")
    assert outcome.status is Status.CANCELLED
    assert "max_calls = 1" in outcome.notes[-1]


async def test_an_editor_of_one_image_is_unsupported_before_any_call(request_: Any, run_one: Any) -> None:
    two = request_.model_copy(update={"parts": request_.parts * 2})
    editor = ScriptedEditor(capabilities=Capabilities(max_images=1))
    outcome = await run_one("plan", request=two, editor=editor)
    assert outcome.status is Status.UNSUPPORTED
    assert outcome.calls.calls == ()


async def test_the_library_caller_may_fall_back_to_the_goal(goal: str, run_one: Any) -> None:
    options = PlannerOptions(on_plan_failure="direct")
    outcome = await run_one("plan", planner=ScriptedModel(lambda ask: "no JSON"), options=options)
    assert outcome.status is Status.OK
    assert outcome.instruction == goal
    assert outcome.plan is None
    assert any('on_plan_failure="direct"' in note and "agent_failed" in note for note in outcome.notes)


@pytest.mark.parametrize("name", ["plan", "generic_rewrite", "text_rewrite", "text_thinking"])
async def test_without_that_option_it_never_does(name: str, run_one: Any) -> None:
    editor = ScriptedEditor()
    outcome = await run_one(name, planner=ScriptedModel(lambda ask: "no JSON"), editor=editor)
    assert outcome.status is Status.AGENT_FAILED
    assert editor.jobs == []


async def test_words_that_failed_are_no_direct_edit(run_one: Any) -> None:
    options = PlannerOptions(on_plan_failure="direct")
    outcome = await run_one("text_answer", planner=ScriptedModel(lambda ask: "no JSON"), options=options)
    assert outcome.status is Status.AGENT_FAILED


async def test_a_critique_that_fails_keeps_the_draft(run_one: Any) -> None:
    outcome = await run_one("self_reflection:1", planner=ScriptedModel(lambda ask: "no JSON"))
    assert outcome.status is Status.AGENT_FAILED
    assert outcome.media is None
    assert len(outcome.drafts) == 1


async def test_a_missing_model_is_said_before_anything_runs(run_one: Any) -> None:
    with pytest.raises(ConfigError, match="give planner="):
        await run_one("plan", planner=None)
    with pytest.raises(ConfigError, match="give editor="):
        await run_one("direct", editor=None)


async def test_secrets_are_masked_in_notes(run_one: Any) -> None:
    failure = Rejected("bad key sk-abcdefghijklmnop1234", status=401)
    outcome = await run_one("direct", editor=ScriptedEditor([failure]))
    assert "abcdefghijklmnop" not in outcome.model_dump_json()
