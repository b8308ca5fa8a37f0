"""The published formats, written and read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from editplan.errors import DatasetError
from editplan.planner.formats import read_inspection_file, read_plan_file, write_inspection, write_plan
from editplan.planner.inspections import read_inspection
from editplan.planner.plans import read_plan
from editplan.planner.reading import Reader
from editplan.records import Obligation

PUBLISHED_PLAN = {
    "schema_version",
    "uid",
    "unresolved_variables",
    "evidence_ledger",
    "candidate_transitions",
    "selected_transition_id",
    "contrastive_challenge",
    "self_contract",
    "compiled_instruction",
    "uncertainties",
}


def test_a_plan_comes_back_as_it_was(answers: dict[str, Any]) -> None:
    plan = read_plan(answers["resolve"], Reader())
    odd = Obligation(kind="preservation", text="the tray has five slots")
    plan = plan.model_copy(update={"obligations": (*plan.obligations, odd)})
    written = json.loads(json.dumps(write_plan(plan, "case 7")))
    assert set(written) >= PUBLISHED_PLAN
    read = read_plan_file(written)
    assert read.value == plan
    assert (read.uid, read.notes, read.broken) == ("case 7", (), ())


def test_an_inspection_comes_back_as_it_was(answers: dict[str, Any]) -> None:
    inspection = read_inspection(answers["inspect"], Reader())
    read = read_inspection_file(json.loads(json.dumps(write_inspection(inspection, "u"))))
    assert (read.value, read.uid, read.notes, read.broken) == (inspection, "u", (), ())


def test_a_file_of_the_reference_is_read_with_a_report(answers: dict[str, Any]) -> None:
    made = json.loads(json.dumps(answers["resolve"]))
    made |= {"schema_version": "solveedit.plan.v1", "uid": "x", "planner_model": "m", "planner_call_budget": 2}
    made["selected_transition_id"] = "z2"
    made["candidate_transitions"][0]["supporting_claim_ids"] = ["e7"]
    made["compiled_instruction"] = "Move it."
    read = read_plan_file(made)
    assert read.value.instruction == "Move it."
    assert [each.kind for each in read.value.obligations] == ["completion", "preservation"]
    assert any("rejected" in rule for rule in read.broken)
    assert any("e7" in rule for rule in read.broken)
    assert any("closing sentence" in rule for rule in read.broken)
    assert any("planner_model" in note for note in read.notes)


def test_another_version_and_a_missing_uid_are_reported() -> None:
    broken = read_plan_file({"schema_version": "solveedit.plan.v0"}).broken
    assert any("schema_version" in rule for rule in broken)
    assert "$.uid is missing" in broken


@pytest.mark.parametrize("value", [None, [], "text", 3])
def test_what_is_no_object_is_refused(value: Any) -> None:
    with pytest.raises(DatasetError, match="one JSON object"):
        read_plan_file(value)
