"""The suite's cases and the judge `svg`, end to end over an image store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from editplan.errors import JudgeError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.protocols.vectorbench import load_tasks
from editplan.evals.protocols.vectorbench.judge import SvgJudge
from editplan.evals.protocols.vectorbench.suite import VectorBenchSuite, scene_groups
from editplan.records import Media
from editplan.store import ImageStore
from tests.evals.protocols.vectorbench.conftest import FIXTURE, INITIAL, TARGET, small_task


@pytest.fixture
def store() -> ImageStore:
    return ImageStore()


@pytest.fixture
def case(tmp_path: Path, store: ImageStore) -> Case:
    (tmp_path / "small.json").write_text(json.dumps(small_task(difficulty="hard")))
    (found,) = VectorBenchSuite(tmp_path).cases(store)
    assert isinstance(found, Case)
    return found


async def judged(case: Case, store: ImageStore, output: Media | None) -> Verdicts:
    task = JudgeTask(source=case.request.parts, output=output, goal=case.request.goal, rubric=case.rubric)
    return await SvgJudge().judge(task, store)


def test_a_condition_sees_the_drawing_and_the_request_only(case: Case, store: ImageStore) -> None:
    (part,) = case.request.parts
    assert (part.media.kind, part.media.width, part.media.height) == ("svg", 220, 140)
    assert store[part.media.sha256].png().decode() == INITIAL
    assert case.request.goal == "Put the sun back."
    assert "#f59e0b" not in case.request.model_dump_json()
    assert case.groups["difficulty"] == "hard"


def test_broken_files_become_invalid_cases(tmp_path: Path, store: ImageStore) -> None:
    (tmp_path / "a.json").write_text(json.dumps(small_task(instruction=" ")))
    (tmp_path / "b.json").write_text("{")
    found = list(VectorBenchSuite(tmp_path).cases(store))
    assert all(isinstance(item, InvalidCase) for item in found)
    assert [item.case_id for item in found] == ["small", "b"]


def test_tasks_on_one_drawing_share_a_scene() -> None:
    groups = scene_groups(load_tasks(FIXTURE / "tasks").tasks)
    assert groups == {"sv_002": "sv_002", "sv_004": "sv_004", "sv_006": "sv_002"}


async def test_the_target_scores_one_and_a_side_effect_zero(case: Case, store: ImageStore) -> None:
    right = await judged(case, store, store.add_svg(TARGET, width=1, height=1))
    wrong = await judged(case, store, store.add_svg(TARGET.replace("Open", "Shut"), width=1, height=1))
    assert (right.status, right.score, right.required, right.damage) == ("scored", 1.0, 1.0, 0.0)
    assert (wrong.score, wrong.required, wrong.damage) == (0.0, 1.0, 0.5)
    assert [atom.verdict for atom in right.atoms] == ["pass"] * 5
    assert json.loads(wrong.raw[0])["status"] == "SIDE_EFFECTS"


async def test_no_output_invalid_output_and_pixels_are_told_apart(case: Case, store: ImageStore) -> None:
    missing = await judged(case, store, None)
    broken = await judged(case, store, store.add_svg(TARGET[:-1], width=1, height=1))
    pixels = await judged(case, store, Media(sha256="0" * 64, width=1, height=1))
    assert (missing.status, missing.score) == ("missing_output", 0.0)
    assert (broken.status, broken.gate, broken.damage) == ("scored", "fail", None)
    assert "not well-formed" in broken.notes[0]
    assert (pixels.gate, pixels.notes[0]) == ("fail", "the output is png, not svg")


async def test_a_case_of_another_suite_is_a_set_up_fault(case: Case, store: ImageStore) -> None:
    with pytest.raises(JudgeError, match="vectorbench"):
        await judged(case.model_copy(update={"rubric": None}), store, None)
