"""Rubric judges: the benchmark's questions, pictures and readings around a scripted model."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from editplan.errors import JudgeError
from editplan.evals.cases import Case, Rubric
from editplan.evals.judges.options import JudgeOptions
from editplan.evals.judging import JudgeTask
from editplan.evals.runner import task_of
from editplan.evals.suites.registry import resolve_suite
from editplan.store import ImageStore
from tests.evals.judges.conftest import Bench
from tests.evals.suites.trees import rigbench_tree, risebench_tree, wiseedit_tree

RIG = {"observations": "x", "visual_quality": 4, "structural_alignment": 3, "reasoning_correctness": 2}


def rig(**changes: float) -> str:
    return "Reasoning first.\n" + json.dumps({**RIG, **changes})


def wise(score: object) -> str:
    return json.dumps({"reason": "seen", "score": score})


@pytest.fixture
def images() -> ImageStore:
    return ImageStore()


def cases_of(spec: str, images: ImageStore) -> dict[str, Case]:
    return {each.case_id: each for each in resolve_suite(spec).cases(images) if isinstance(each, Case)}


def task(case: Case, images: ImageStore) -> JudgeTask:
    return task_of(case, images.add_array(np.full((40, 40, 3), 90, np.uint8)), None)


async def judged(
    case: Case, images: ImageStore, script: list[Any], options: JudgeOptions = JudgeOptions(), **more: Any
) -> Any:
    bench = Bench()
    bench.images = images
    given = task(case, images).model_copy(update=more)
    return await bench.judge(script, options, given)


async def test_rigbench_averages_three_samples_at_its_temperature(tmp_path: Path, images: ImageStore) -> None:
    case = cases_of(f"rigbench:{rigbench_tree(tmp_path)}", images)["maze-1"]
    script = [rig(), rig(reasoning_correctness=5), rig(reasoning_correctness=3.5)]
    verdicts, model = await judged(case, images, script)
    assert {ask.temperature for ask in model.asks} == {0.9}
    assert (verdicts.status, verdicts.samples, len(model.asks)) == ("scored", 3, 3)
    assert verdicts.score == pytest.approx(20 * (0.15 * 4 + 0.2 * 3 + 0.65 * 3.5))
    labels = [part.label for part in model.asks[0].parts]
    assert labels == ["Given image 1:", "Right answer:", "Output to judge:"]


async def test_rigbench_asks_an_unreadable_sample_again_and_then_leaves_it_out(
    tmp_path: Path, images: ImageStore
) -> None:
    case = cases_of(f"rigbench:{rigbench_tree(tmp_path)}", images)["rule-1"]
    script = [rig(visual_quality=9), "Final: 5", rig(), rig()]
    verdicts, model = await judged(case, images, script)
    assert (verdicts.samples, len(model.asks)) == (2, 4)
    assert model.asks[0].parts[0].label == "Example 1 input:"


async def test_rigbench_judges_an_answer_in_words_by_its_text_rubric(tmp_path: Path, images: ImageStore) -> None:
    case = cases_of(f"rigbench:{rigbench_tree(tmp_path)}", images)["maze-1"]
    script = [json.dumps({"reason": "x", "correctness": mark}) for mark in (3, 4, 5)]
    verdicts, model = await judged(case, images, script, output=None, text="Left, then up.")
    assert (verdicts.score, verdicts.report["text_correctness"]) == (80.0, [3.0, 4.0, 5.0])
    assert "Left, then up." in model.asks[0].text


async def test_wiseedit_asks_one_call_a_metric(tmp_path: Path, images: ImageStore) -> None:
    case = cases_of(f"wiseedit:{wiseedit_tree(tmp_path)}", images)["Awareness_1/en/1"]
    verdicts, model = await judged(case, images, [wise(10), wise(7), wise(4), wise(1)])
    assert [ask.task for ask in model.asks] == [
        "wiseedit_dp_single",
        "wiseedit_if_single",
        "wiseedit_vq",
        "wiseedit_kf_single",
    ]
    assert [len(ask.parts) for ask in model.asks] == [2, 2, 1, 2]
    assert verdicts.report["metrics"] == {"DP": 10, "IF": 7, "VQ": 4, "KF": 1}
    assert verdicts.score == pytest.approx((100 + 200 / 3 + 100 / 3 + 0) / 4)
    assert ["It is blue." in ask.text for ask in model.asks] == [False, True, False, True]
    assert {ask.temperature for ask in model.asks} == {0.0}


async def test_wiseedit_shows_several_inputs_and_references_in_order(tmp_path: Path, images: ImageStore) -> None:
    case = cases_of(f"wiseedit:{wiseedit_tree(tmp_path)}", images)["WiseEdit_Complex_2/en/1"]
    verdicts, model = await judged(case, images, [wise(9)] * 5)
    assert len(verdicts.report["metrics"]) == 5
    following = next(ask for ask in model.asks if ask.task == "wiseedit_if_multi")
    labels = [part.label for part in following.parts]
    assert labels[:3] == ["Input image #1:", "Input image #2:", "Edited image:"]
    assert labels[3].startswith("Hint")
    assert labels[3].endswith("Reference image:")


async def test_wiseedit_shows_the_prompt_of_the_language_unless_official(tmp_path: Path, images: ImageStore) -> None:
    case = cases_of(f"wiseedit:{wiseedit_tree(tmp_path)}", images)["Awareness_1/cn/1"]
    _, strict = await judged(case, images, [wise(5)] * 4)
    _, official = await judged(case, images, [wise(5)] * 4, JudgeOptions(mode="official"))
    assert "把杯子变成蓝色" in strict.asks[0].text
    assert "把杯子变成蓝色" not in official.asks[0].text
    assert official.asks[0].temperature is None


async def test_wiseedit_official_reads_what_strict_refuses(tmp_path: Path, images: ImageStore) -> None:
    case = cases_of(f"wiseedit:{wiseedit_tree(tmp_path)}", images)["Awareness_1/en/1"]
    odd = "Looks like 8 out of 10"
    verdicts, model = await judged(case, images, [odd] * 4, JudgeOptions(mode="official"))
    assert (verdicts.status, len(model.asks)) == ("scored", 4)
    verdicts, model = await judged(case, images, [odd] * 8)
    assert (verdicts.status, verdicts.score, len(model.asks)) == ("judge_unparseable", None, 8)


async def test_wiseedit_official_tries_five_times(tmp_path: Path, images: ImageStore) -> None:
    case = cases_of(f"wiseedit:{wiseedit_tree(tmp_path)}", images)["Awareness_1/en/1"]
    script = [wise(5), wise(5), *["no"] * 4, wise(9), wise(5)]
    verdicts, _ = await judged(case, images, script, JudgeOptions(mode="official"))
    assert verdicts.report["metrics"]["VQ"] == 9


async def test_one_metric_that_fails_is_incomplete_and_keeps_the_others(tmp_path: Path, images: ImageStore) -> None:
    case = cases_of(f"wiseedit:{wiseedit_tree(tmp_path)}", images)["Awareness_1/en/1"]
    verdicts, _ = await judged(case, images, [wise(5), wise("7"), wise(7.5), wise(5), wise(5)])
    assert (verdicts.status, verdicts.score) == ("judge_incomplete", None)
    assert verdicts.report["metrics"] == {"DP": 5, "IF": None, "VQ": 5, "KF": 5}


async def test_risebench_weights_its_dimensions(tmp_path: Path, images: ImageStore) -> None:
    case = cases_of(f"risebench:{risebench_tree(tmp_path)}", images)["temporal_1"]
    verdicts, model = await judged(case, images, [f"ok\nFinal Score: {mark}" for mark in (5, 3, 4)])
    assert verdicts.score == pytest.approx(25 * (0.3 * 5 + 0.5 * 3 + 0.2 * 4 - 1))
    assert [len(ask.parts) for ask in model.asks] == [2, 1, 1]
    assert verdicts.report == {"index": "temporal_1", "consistency": 5, "reasoning": 3, "plausibility": 4}


async def test_risebench_logical_items_take_zero_or_one(tmp_path: Path, images: ImageStore) -> None:
    case = cases_of(f"risebench:{risebench_tree(tmp_path)}", images)["logical_1"]
    verdicts, _ = await judged(case, images, ["Final Score: 1", "Final Score: 4", "Final Score: 1"])
    assert (verdicts.status, verdicts.score) == ("scored", 100.0)


async def test_own_criteria_are_scored_from_0_to_10(images: ImageStore, bench: Bench) -> None:
    given = bench.task(rubric=Rubric(protocol="jsonl", criteria="The cup must be blue."))
    given = given.model_copy(update={"contract": None})
    verdicts, model = await bench.judge(["Seen.\n" + wise(7)], task=given)
    assert (verdicts.score, verdicts.samples) == (70.0, 1)
    assert "The cup must be blue." in model.asks[0].text
    verdicts, _ = await bench.judge([wise(11), wise("7")], task=given.model_copy(update={"attempt": 1}))
    assert verdicts.status == "judge_unparseable"


async def test_a_case_without_contract_or_rubric_is_a_judge_error(bench: Bench) -> None:
    with pytest.raises(JudgeError, match="neither"):
        await bench.judge([], task=bench.task().model_copy(update={"contract": None}))
