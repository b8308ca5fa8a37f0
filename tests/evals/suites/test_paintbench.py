"""The packaged PaintBench sample as a suite."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from editplan.errors import ConfigError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.suites import resolve_suite
from editplan.evals.suites.paintbench import sample_folder
from editplan.store import ImageStore


def test_the_sample_has_one_problem_a_task_with_reference_and_groups() -> None:
    suite = resolve_suite("paintbench:sample")
    cases = [case for case in suite.cases(ImageStore()) if isinstance(case, Case)]
    assert suite.metric == "mean_iou"
    assert len({case.groups["task"] for case in cases}) == len(cases) == 20
    assert all(case.reference is not None for case in cases)
    assert {case.regime for case in cases} == {"IS", "SD", "RD"}
    assert all({"category", "mode", "visual_condition", "as_worded"} <= set(case.groups) for case in cases)


def test_the_answer_in_words_goes_to_the_oracle_only() -> None:
    (case,) = resolve_suite("paintbench:sample?tasks=legend").cases(ImageStore())
    assert isinstance(case, Case)
    assert case.oracle is not None
    assert case.oracle.final_state not in case.request.model_dump_json()


def test_an_unknown_task_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="unknown task 'dancing'; known: blending"):
        resolve_suite("paintbench:sample?tasks=dancing")


def test_a_faulty_problem_costs_itself_only(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(sample_folder(), tree)
    answer = next(tree.glob("removal/*_answer.png"))
    answer.unlink()
    facts = next(tree.glob("legend/[0-9]*.json"))
    facts.write_text(json.dumps([1]))
    items = list(resolve_suite(f"paintbench:{tree}").cases(ImageStore()))
    broken = {item.case_id.split("/")[0]: item.error for item in items if isinstance(item, InvalidCase)}
    assert set(broken) == {"removal", "legend"}
    assert answer.name in broken["removal"]
    assert sum(isinstance(item, Case) for item in items) == 18
