"""The audit finds what was planted in a judge, on puzzles and on pictures, and tells nothing to the judge."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import PIL.Image
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage import data

from editplan.errors import ConfigError
from editplan.evals.audit.agreeing import claim_name
from editplan.evals.audit.auditing import AuditOptions, ask_all, plan_audit, read_rows, run_audit
from editplan.evals.audit.damage import KINDS, plant, tinted, visibly_changed
from editplan.evals.audit.detecting import GLOBAL, detection, smallest_seen
from editplan.evals.audit.noops import NOOPS
from editplan.evals.audit.photographs import picture_tasks
from editplan.evals.audit.planted import PlantedJudge
from editplan.evals.audit.report import audit_report
from editplan.evals.audit.shares import clustered_share
from editplan.evals.audit.tasks import AuditTask
from editplan.evals.judges.checkers import CheckersJudge
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.stats.intervals import wilson
from editplan.protocols import Images
from editplan.store import ImageStore


@pytest.fixture(scope="module")
def photograph() -> np.ndarray:
    return np.ascontiguousarray(data.astronaut()[::2, ::2])


@pytest.fixture(scope="module")
def planned(photograph: np.ndarray) -> tuple[ImageStore, tuple[AuditTask, ...]]:
    """Tasks of two crops of one photograph."""
    images = ImageStore()
    crops = {"a": photograph[:140, 60:200], "b": photograph[60:220, 40:200]}
    tasks = [task for name, crop in crops.items() for task in picture_tasks(name, crop.copy(), images, 3)]
    return images, tuple(tasks)


@pytest.mark.parametrize("kind", KINDS)
def test_planted_damage_shows_and_stays_in_its_place(photograph: np.ndarray, kind: str) -> None:
    where = np.zeros(photograph.shape[:2], dtype=bool)
    where[20:120, 90:200] = True
    planted = plant(photograph, kind, 20, where, Random(1))
    assert planted is not None
    assert planted.changed.any()
    assert not (planted.changed & ~where).any()
    assert np.array_equal(planted.changed, visibly_changed(planted.before, planted.after))


def test_damage_that_cant_show_is_not_planted() -> None:
    flat = np.full((120, 120, 3), 128, dtype=np.uint8)
    everywhere = np.ones((120, 120), dtype=bool)
    assert plant(flat, "removed", 20, everywhere, Random(0)) is None
    assert plant(flat, "recoloured", 20, everywhere, Random(0)) is not None
    assert plant(flat, "text", 20, np.zeros_like(everywhere), Random(0)) is None


def test_noops_change_nothing_visibly_but_at_edges(photograph: np.ndarray) -> None:
    for name, make in NOOPS.items():
        changed = visibly_changed(photograph, make(photograph, Random(0)))
        assert changed.mean() < (0.5 if name == "one pixel" else 0.1), name
    assert not visibly_changed(photograph, tinted(photograph, 0.8, Random(2))).any()


def test_tasks_tell_the_judge_nothing(planned: tuple[ImageStore, tuple[AuditTask, ...]]) -> None:
    _, tasks = planned
    secrets = {*KINDS, *GLOBAL, *NOOPS, "damaged"}
    asked = {task.unit: task.task.contract for task in tasks}
    for task in tasks:
        assert task.task.contract == asked[task.unit]
        assert task.task.contract is not None
        assert task.task.contract.case_id == ""
        shown = {str(value) for value in task.task.model_dump(exclude={"contract"}).values()}
        assert not secrets & shown
    assert {task.kind for task in tasks} >= {*KINDS, *GLOBAL, *NOOPS}
    assert len({task.task_id for task in tasks}) == len(tasks)


@pytest.mark.parametrize("rate", [0.0, 0.3, 1.0])
async def test_a_planted_miss_rate_lies_in_the_interval(
    planned: tuple[ImageStore, tuple[AuditTask, ...]], rate: float
) -> None:
    images, tasks = planned
    judge = PlantedJudge(tasks, rate, false_alarm_rate=0.0, seed=5)
    report = audit_report(await ask_all(judge, tasks, images), judge.id)
    miss = report.detection.miss
    assert miss.n == sum(task.damaged for task in tasks)
    assert miss.ci is not None
    assert miss.ci[0] <= rate <= miss.ci[1]
    assert report.detection.false_alarms.k == 0
    biased = report.score_error["pictures, damaged"]
    assert biased.mean is not None
    assert (biased.mean > 0) == (rate > 0)
    assert report.score_error["pictures, no-ops"].mean == 0.0


async def test_a_nervous_judge_is_caught_on_noops(planned: tuple[ImageStore, tuple[AuditTask, ...]]) -> None:
    images, tasks = planned
    judge = PlantedJudge(tasks, 0.0, false_alarm_rate=1.0)
    found = detection(await ask_all(judge, tasks, images))
    assert found.false_alarms.share == 1.0
    assert found.miss.share == 0.0
    assert set(found.by_noop) == set(NOOPS)


async def test_the_checkers_see_large_damage_and_no_damage_in_noops(
    planned: tuple[ImageStore, tuple[AuditTask, ...]],
) -> None:
    images, tasks = planned
    few = tuple(task for task in tasks if task.unit == "b" and (task.size in (None, 0.16) or task.kind == "tint"))
    found = detection(await ask_all(CheckersJudge(), few, images, concurrency=2))
    assert found.patches.all.share == 1.0
    assert found.false_alarms.share is not None
    assert found.false_alarms.share <= 0.2


async def test_on_puzzles_agreement_is_measured_by_group() -> None:
    images = ImageStore()
    tasks, _ = plan_audit(AuditOptions(puzzles=2, seed=2, checkers=True), images)
    assert {task.kind for task in tasks} >= {"solution", "error", "untouched"}
    judge = PlantedJudge(tasks, 0.5, seed=1)
    report = audit_report(await ask_all(judge, tasks, images), judge.id)
    (whole,) = report.agreement["all"]
    assert whole.n == sum(len(task.truth) for task in tasks)
    assert whole.kappa is not None
    assert whole.kappa < 1.0
    assert whole.false_fail.k == 0
    assert whole.false_pass.k > 0
    for groups in report.agreement.values():
        assert sum(group.n for group in groups) == whole.n
    perfect = PlantedJudge(tasks, 0.0)
    report = audit_report(await ask_all(perfect, tasks, images), perfect.id)
    assert report.agreement["all"][0].kappa == 1.0
    assert report.score_error["puzzles"].mean_absolute == 0.0


def test_an_audit_writes_its_files_and_goes_on_where_it_stopped(tmp_path: Path, photograph: np.ndarray) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    PIL.Image.fromarray(photograph[:128, :128]).save(pictures / "one.png")
    PIL.Image.fromarray(photograph[:40, :40]).save(pictures / "small.png")
    options = AuditOptions(puzzles=0, pictures=pictures, max_tasks=6, checkers=True)

    class Failing(CheckersJudge):
        asked = 0

        async def judge(self, task: JudgeTask, images: Images) -> Verdicts:
            Failing.asked += 1
            if Failing.asked == 2:
                return Verdicts(status="judge_refused")
            return await super().judge(task, images)

    first = run_audit(Failing(), options, tmp_path / "out")
    assert first.statuses == {"scored": 5, "judge_refused": 1}
    assert "small.png" in " ".join(first.notes)
    assert len(list(read_rows(tmp_path / "out"))) == 6
    second = run_audit(Failing(), options, tmp_path / "out")
    assert Failing.asked == 7
    assert second.statuses == {"scored": 6}
    page = (tmp_path / "out" / "index.html").read_text()
    assert "<svg" in page
    assert "<script" not in page
    assert json.loads((tmp_path / "out" / "audit.json").read_text())["n_tasks"] == 6


def test_an_audit_of_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nothing to audit"):
        plan_audit(AuditOptions(puzzles=0), ImageStore())
    with pytest.raises(ConfigError, match="holds no picture"):
        plan_audit(AuditOptions(puzzles=0, pictures=tmp_path), ImageStore())


def test_a_model_is_audited_without_checks() -> None:
    tasks, _ = plan_audit(AuditOptions(puzzles=1), ImageStore())
    for task in tasks:
        assert task.task.contract is not None
        assert all(atom.check is None for _, atom in task.task.contract.atoms())


def test_the_smallest_seen_follows_a_monotone_fit() -> None:
    assert smallest_seen([(1, 0.1, 10), (2, 0.9, 10), (4, 1.0, 10)]) == 2
    assert smallest_seen([(1, 0.9, 10), (2, 0.5, 10), (4, 1.0, 10)]) == 4
    assert smallest_seen([(1, 0.1, 10), (2, 0.3, 10)]) is None
    assert smallest_seen([(1, 0.8, 10), (2, 0.0, 0), (4, 1.0, 10)]) == 1


def test_a_share_of_lone_outputs_is_wilsons() -> None:
    share = clustered_share((str(at), at < 7) for at in range(40))
    expected = wilson(7, 40)
    assert share.ci == pytest.approx((expected.lo, expected.hi))
    assert clustered_share([]).ci is None


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=9), min_size=1, max_size=8))
def test_clustering_never_narrows_an_interval(units: list[list[bool]]) -> None:
    hits = [(str(at), hit) for at, unit in enumerate(units) for hit in unit]
    share = clustered_share(hits)
    assert share.ci is not None
    assert share.share is not None
    alone = wilson(share.k, share.n)
    assert 0.0 <= share.ci[0] <= share.share <= share.ci[1] <= 1.0
    assert share.ci[1] - share.ci[0] >= alone.hi - alone.lo - 1e-9


def test_claims_are_named_without_their_number() -> None:
    assert [claim_name(name) for name in ("box_12", "box-3", "number", "7")] == ["box", "box", "number", "7"]
