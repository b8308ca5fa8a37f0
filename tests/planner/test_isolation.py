"""Nothing of an evaluation reaches a condition, and a case's id reaches no model."""

from __future__ import annotations

import json
from typing import Any

import pytest

from editplan.errors import DatasetError
from editplan.planner.conditions.registry import resolve_condition
from editplan.planner.forbidden import FORBIDDEN_KEYS, forbidden_keys
from editplan.planner.formats import read_plan_file
from editplan.planner.state import ConditionInput, State
from editplan.records import EditRequest
from editplan.testing import ScriptedModel

EVALUATION_WORDS = {
    "contract",
    "reference",
    "regime",
    "domain",
    "oracle",
    "hint",
    "ground_truth",
    "answer_image",
    "rubric",
}


def test_a_request_has_no_field_for_an_evaluator() -> None:
    assert set(EditRequest.model_fields) == {"case_id", "parts", "goal", "mask", "output", "language"}
    assert set(ConditionInput.__annotations__) == {"request"}
    assert not EVALUATION_WORDS & set(State.__annotations__)


@pytest.mark.parametrize("name", ["plan", "generic_rewrite", "direct", "self_reflection:1", "best_of:2[plan]"])
async def test_another_case_id_gives_the_same_plan(
    name: str, answers: dict[str, Any], request_: Any, run_one: Any
) -> None:
    seen = []
    for case_id in ("rule_dependent/legend/007", "图一", "zzz"):
        model = ScriptedModel(answers)
        outcome = await run_one(name, planner=model, request=request_.model_copy(update={"case_id": case_id}))
        texts = [ask.model_dump_json() for ask in model.asks if ask.task not in ("critique", "choose")]
        assert not any(case_id in text for text in texts)
        seen.append((texts, outcome.plan, outcome.instruction))
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("key", sorted(FORBIDDEN_KEYS))
def test_a_planted_key_is_named_with_its_path(key: str) -> None:
    assert forbidden_keys({"a": [{}, {key.upper(): 1}]}) == (f"forbidden_key:$.a[1].{key.upper()}",)
    with pytest.raises(DatasetError, match=rf"forbidden_key:\$\.evidence_ledger\[0\]\.{key}"):
        read_plan_file({"uid": "x", "evidence_ledger": [{key: None}]})


@pytest.mark.parametrize("key", sorted(FORBIDDEN_KEYS))
async def test_a_planted_key_in_an_answer_is_refused(key: str, answers: dict[str, Any], run_one: Any) -> None:
    leaked = json.loads(json.dumps(answers["resolve"]))
    leaked["candidate_transitions"][0][key] = "x"
    outcome = await run_one("plan", planner=ScriptedModel({**answers, "resolve": leaked}))
    assert outcome.status == "agent_failed"
    assert any(f"forbidden_key:$.candidate_transitions[0].{key}" in note for note in outcome.notes)


def test_graphs_take_a_request_and_leave_an_outcome() -> None:
    graph = resolve_condition("plan").build()
    assert list(graph.get_input_jsonschema()["properties"]) == ["request"]
    assert list(graph.get_output_jsonschema()["properties"]) == ["outcome"]
