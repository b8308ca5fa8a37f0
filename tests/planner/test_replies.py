"""The messy replies of tests/data/replies, each through the whole ask loop and through the whole `plan` graph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from editplan.records import CallKind, Reply, Status
from editplan.testing import ScriptedModel

REPLIES = json.loads((Path(__file__).parents[1] / "data" / "replies" / "replies.json").read_text(encoding="utf-8"))[
    "replies"
]


def _model(answers: dict[str, Any], reply: dict[str, Any], *then: Any) -> ScriptedModel:
    messy = Reply(text=reply["text"], finish=reply["finish"])
    return ScriptedModel({**answers, reply["stage"]: [messy, *then]})


@pytest.mark.parametrize("reply", REPLIES, ids=lambda each: f"{each['stage']}-{each['name']}")
async def test_what_comes_of_a_messy_reply(reply: dict[str, Any], answers: dict[str, Any], run_one: Any) -> None:
    model = _model(answers, reply, answers[reply["stage"]])
    outcome = await run_one("plan", planner=model)
    asked_again = any(call.reask for call in outcome.calls.calls)
    assert outcome.status is Status.OK
    assert asked_again is (reply["expect"] in ("reask", "refused_or_reask"))
    assert outcome.calls.logical(CallKind.AGENT) == 2
    assert outcome.calls.answered(CallKind.AGENT) == 2 + asked_again
    mended = any(
        "repaired" in note or "more than one object" in note or "inside another" in note for note in outcome.notes
    )
    assert mended is (reply["expect"] == "accept_repaired")


@pytest.mark.parametrize(
    "reply",
    [each for each in REPLIES if "reask" in each["expect"]],
    ids=lambda each: f"{each['stage']}-{each['name']}",
)
async def test_the_same_fault_twice_ends_the_outcome(
    reply: dict[str, Any], answers: dict[str, Any], run_one: Any
) -> None:
    outcome = await run_one("plan", planner=_model(answers, reply))
    refused = reply["expect"] == "refused_or_reask"
    assert outcome.status is (Status.REFUSED_OUTPUT if refused else Status.AGENT_FAILED)
    assert outcome.calls.answered(CallKind.GENERATION) == 0
    assert outcome.media is None
    if refused:
        assert outcome.refusal is not None
        assert outcome.refusal.text == reply["text"]
        assert outcome.refusal.provider == "scripted"


async def test_a_reask_quotes_what_was_wrong(answers: dict[str, Any], run_one: Any) -> None:
    reply = next(each for each in REPLIES if each["name"] == "selected_unknown")
    model = _model(answers, reply, answers["resolve"])
    await run_one("plan", planner=model)
    first, again = [ask for ask in model.asks if ask.task == "resolve"]
    assert "selected_transition_id 'z9' is no candidate; there are: z1, z2" in again.text
    assert again.text.startswith(first.text)
    assert again.prompt_id.startswith(first.prompt_id + "+reask/v1@")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no_closing", "closing sentence was added"),
        ("too_long", "364 words"),
        ("empty_instruction", "is empty"),
        ("mentions_benchmark", "speaks of the analysis"),
    ],
)
async def test_compile_mends_instructions_and_says_so(
    name: str, words: str, answers: dict[str, Any], run_one: Any
) -> None:
    reply = next(each for each in REPLIES if each["name"] == name)
    outcome = await run_one("plan", planner=_model(answers, reply))
    assert any(words in note for note in outcome.notes)
    assert outcome.instruction.endswith("Output only the edited image.")
    assert "benchmark" not in outcome.instruction
    assert "third slot" in outcome.instruction


async def test_honest_uncertainty_is_kept(answers: dict[str, Any], run_one: Any) -> None:
    reply = next(each for each in REPLIES if each["name"] == "all_uncertain")
    outcome = await run_one("plan", planner=_model(answers, reply))
    assert outcome.status is Status.OK
    assert outcome.plan.uncertainties == ("cannot tell which slot",)
    assert not outcome.plan.certain


async def test_an_instruction_stays_in_the_language_of_the_goal(answers: dict[str, Any], run_one: Any) -> None:
    reply = next(each for each in REPLIES if each["name"] == "chinese")
    outcome = await run_one("plan", planner=_model(answers, reply))
    assert outcome.instruction.startswith("把红色积木移到托盘从左数第三个槽位。")
