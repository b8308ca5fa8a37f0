"""Each condition makes exactly the calls that it declares, and sees what it may see."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from editplan.calls.session import Scope, generation_seed
from editplan.errors import ConfigError
from editplan.planner.conditions.registry import condition_names, resolve_condition
from editplan.planner.hints import KnowledgeHint, OracleSpec
from editplan.planner.instructions import KEEP_REST
from editplan.records import CallKind, PartRole, Status
from editplan.testing import ScriptedEditor, ScriptedModel

TABLE = {
    "direct": (0, 1),
    "direct:preserve": (0, 1),
    "knowledge_hint": (0, 1),
    "text_rewrite": (2, 1),
    "generic_rewrite": (2, 1),
    "generic_rewrite:tiles": (2, 1),
    "text_answer": (1, 0),
    "describe": (1, 0),
    "text_thinking": (2, 1),
    "text_thinking:raw": (1, 1),
    "oracle": (2, 1),
    "oracle:raw": (0, 1),
    "self_reflection:1": (1, 2),
    "self_reflection:2": (2, 3),
    "self_reflection:1?from=draft": (1, 2),
    "plan": (2, 1),
    "plan:no_crops": (2, 1),
    "plan:one_candidate": (2, 1),
    "plan:no_contrast": (2, 1),
    "plan:no_preservation": (2, 1),
    "plan:no_obligations": (2, 1),
    "plan:one_stage": (1, 1),
    "plan_verify": (3, 2),
    "best_of:2[direct]": (1, 2),
    "best_of:3[direct]": (2, 3),
    "best_of:2[plan]": (3, 2),
}
GIVEN = {
    "oracle": OracleSpec(final_state="The third slot holds the red block."),
    "hint": KnowledgeHint(text="A hint."),
}


@pytest.mark.parametrize("name", TABLE)
async def test_a_condition_makes_the_calls_of_its_budget(name: str, run_one: Any) -> None:
    budget = resolve_condition(name).budget
    outcome = await run_one(name, **GIVEN)
    assert outcome.status is Status.OK
    assert (budget.agent_calls, budget.generations) == TABLE[name]
    logical = (outcome.calls.logical(CallKind.AGENT), outcome.calls.logical(CallKind.GENERATION))
    assert logical == TABLE[name]
    assert (outcome.media is None) is (budget.generations == 0)


def test_every_listed_name_is_in_the_table() -> None:
    assert {name for name in condition_names() if "K[" not in name} <= set(TABLE)


async def test_direct_sends_the_goal_as_it_is(goal: str, run_one: Any) -> None:
    assert (await run_one("direct")).instruction == goal


async def test_preserve_adds_boilerplate_only(goal: str, run_one: Any) -> None:
    outcome = await run_one("direct:preserve")
    assert outcome.instruction == f"{goal} {KEEP_REST} Output only the edited image."


async def test_text_rewrite_sees_no_image(answers: dict[str, Any], run_one: Any) -> None:
    model = ScriptedModel(answers)
    await run_one("text_rewrite", planner=model)
    assert [ask.parts for ask in model.asks] == [(), ()]


async def test_tiles_show_six_crops_to_the_second_call(answers: dict[str, Any], run_one: Any) -> None:
    model = ScriptedModel(answers)
    await run_one("generic_rewrite:tiles", planner=model)
    first, second = model.asks
    assert len(first.parts) == 1
    assert [part.role for part in second.parts[1:]] == [PartRole.CROP] * 6


async def test_plan_shows_the_crops_that_were_asked_for(answers: dict[str, Any], run_one: Any) -> None:
    model = ScriptedModel(answers)
    await run_one("plan", planner=model)
    labels = [part.label for part in model.asks[1].parts]
    assert labels[0] == "Image 1"
    assert labels[1].startswith("Image 2: crop of image 1 (query q1), left ")


async def test_no_crops_shows_none(answers: dict[str, Any], run_one: Any) -> None:
    model = ScriptedModel(answers)
    await run_one("plan:no_crops", planner=model)
    assert [len(ask.parts) for ask in model.asks] == [1, 1]


@pytest.mark.parametrize(
    ("name", "left_out"),
    [
        ("plan:no_contrast", "contrastive_challenge"),
        ("plan:no_obligations", "self_contract"),
        ("plan:no_preservation", "preserve"),
        ("plan:one_candidate", "contrastive_challenge"),
    ],
)
async def test_an_ablation_asks_for_less(name: str, left_out: str, answers: dict[str, Any], run_one: Any) -> None:
    model = ScriptedModel(answers)
    outcome = await run_one(name, planner=model)
    resolve = model.asks[-1]
    assert f'"{left_out}"' not in json.dumps(resolve.json_schema)
    assert left_out not in resolve.text or left_out == "preserve"
    if name == "plan:no_preservation":
        assert all(each.kind == "completion" for each in outcome.plan.obligations)
        assert all(each.preserve == () for each in outcome.plan.candidates)
    if name == "plan:no_obligations":
        assert outcome.plan.obligations == ()
    if name == "plan:one_candidate":
        assert len(outcome.plan.candidates) == 1


async def test_every_arm_has_the_same_ceiling_and_temperature(answers: dict[str, Any], run_one: Any) -> None:
    model = ScriptedModel(answers)
    for name in TABLE:
        await run_one(name, planner=model, **GIVEN)
    assert len({(ask.max_tokens, ask.temperature) for ask in model.asks}) == 1


async def test_generations_have_the_seeds_of_case_and_index(run_one: Any) -> None:
    seeds = {}
    for name in ("direct", "plan", "best_of:2[direct]", "self_reflection:1"):
        editor = ScriptedEditor()
        await run_one(name, editor=editor)
        seeds[name] = [job.seed for job in editor.jobs]
    wanted = [generation_seed(Scope(case_id="case", condition=""), index) for index in (0, 1)]
    assert seeds == {
        "direct": wanted[:1],
        "plan": wanted[:1],
        "best_of:2[direct]": wanted,
        "self_reflection:1": wanted,
    }


async def test_reflection_starts_again_from_the_source(request_: Any, run_one: Any) -> None:
    editor = ScriptedEditor()
    outcome = await run_one("self_reflection:1", editor=editor)
    assert [job.parts[0].media for job in editor.jobs] == [request_.parts[0].media] * 2
    assert len(outcome.drafts) == 1
    assert outcome.media != outcome.drafts[0]
    assert "critique 1: the slot is still bare" in outcome.notes


async def test_reflection_from_the_draft_starts_there(run_one: Any) -> None:
    editor = ScriptedEditor()
    outcome = await run_one("self_reflection:1?from=draft", editor=editor)
    assert editor.jobs[1].parts[0].media == outcome.drafts[0]


async def test_the_raw_answer_is_the_one_that_is_judged(answers: dict[str, Any], run_one: Any) -> None:
    numbered = iter(range(100))
    model = ScriptedModel(lambda ask: {"observations": [], "answer": f"answer {next(numbered)}"})
    judged = await run_one("text_answer", planner=model)
    used = await run_one("text_thinking:raw", planner=model)
    assert judged.text == used.instruction == "answer 0"
    assert len(model.asks) == 1
    assert used.calls.answered(CallKind.AGENT) == 1


@pytest.mark.parametrize(("said", "index"), [("A", 0), ("B", 1), ("neither", None)])
async def test_the_chooser_takes_what_was_called_better(
    said: str, index: int | None, answers: dict[str, Any], run_one: Any
) -> None:
    model = ScriptedModel({**answers, "choose": {"observations": [], "better": said}})
    outcome = await run_one("best_of:2[direct]", planner=model)
    shown = [part.media for part in model.asks[-1].parts[1:]]
    assert [part.label[9:] for part in model.asks[-1].parts[1:]] == ["result A", "result B"]
    assert outcome.media == (outcome.drafts[0] if index is None else shown[index])


async def test_a_chooser_of_a_plan_sees_its_obligations(answers: dict[str, Any], run_one: Any) -> None:
    model = ScriptedModel(answers)
    await run_one("best_of:2[plan]", planner=model)
    assert "1. the red block fills the third slot" in model.asks[-1].text


async def test_the_oracle_is_reachable_by_the_oracle_only(answers: dict[str, Any], run_one: Any) -> None:
    spec = OracleSpec(final_state="ORACLE-WORDS")
    for name in TABLE:
        model, editor = ScriptedModel(answers), ScriptedEditor()
        outcome = await run_one(
            name, planner=model, editor=editor, oracle=spec, hint=KnowledgeHint(text="HINT-WORDS")
        )
        seen = "".join(ask.text for ask in model.asks) + "".join(job.instruction for job in editor.jobs)
        assert ("ORACLE-WORDS" in seen) is name.startswith("oracle")
        assert ("HINT-WORDS" in seen) is (name == "knowledge_hint")
        assert outcome.status is Status.OK


@pytest.mark.parametrize("name", ["oracle", "oracle:raw", "knowledge_hint"])
async def test_a_case_without_a_specification_is_unsupported(name: str, run_one: Any) -> None:
    assert (await run_one(name)).status is Status.UNSUPPORTED


async def test_a_new_picture_is_closed_and_checked_as_one(request_: Any, run_one: Any) -> None:
    new = request_.model_copy(update={"output": "new"})
    outcome = await run_one(
        "direct:preserve", request=new, editor=ScriptedEditor(lambda job, images: new.parts[0].media)
    )
    assert outcome.instruction.endswith("Output only the new image.")
    assert not any("identical" in note for note in outcome.notes)


async def test_an_untouched_copy_is_noted(request_: Any, run_one: Any) -> None:
    outcome = await run_one("direct", editor=ScriptedEditor(lambda job, images: request_.parts[0].media))
    assert "output: it is identical to the input" in outcome.notes


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"there is no condition 'plam'; known: direct, .*plan:no_crops"):
        resolve_condition("plam")
    with pytest.raises(ConfigError, match="no condition 'plan:no_luck'"):
        resolve_condition("plan:no_luck")
    with pytest.raises(ConfigError, match="best_of draws one generation"):
        resolve_condition("best_of:2[self_reflection:1]")


OWN = """
from editplan.calls.budget import CallBudget
from editplan.planner.conditions.base import ChainCondition
from editplan.planner.conditions.direct import EDIT
from editplan.planner.graph import Step

async def shout(state, runtime):
    return {"instruction": state["request"]["goal"].upper()}

def shouting():
    budget = CallBudget(agent_calls=0, generations=1)
    return ChainCondition("x", budget, (Step("shout", shout), EDIT)).build(), budget

wrong = 3

def raising():
    return {}["nothing"]
"""


async def test_a_condition_of_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, goal: str, run_one: Any
) -> None:
    (tmp_path / "own_conditions.py").write_text(OWN)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    outcome = await run_one("own_conditions:shouting")
    assert outcome.instruction == goal.upper()
    with pytest.raises(ConfigError, match="has no whispering"):
        resolve_condition("own_conditions:whispering")
    with pytest.raises(ConfigError, match="has no id, budget"):
        resolve_condition("own_conditions:wrong")
    with pytest.raises(ConfigError, match="can't import no_such_module_here"):
        resolve_condition("no_such_module_here:f")
    with pytest.raises(ConfigError, match=r"condition 'own_conditions:raising': the function raised KeyError"):
        resolve_condition("own_conditions:raising")
    (tmp_path / "broken_conditions.py").write_text("raise ValueError('no')")
    with pytest.raises(ConfigError, match=r"importing broken_conditions raised ValueError: no"):
        resolve_condition("broken_conditions:any")
