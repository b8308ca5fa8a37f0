"""What can't be measured is refused before a run, or is a missing measurement: never a zero, never paid for twice."""

import json
import shutil
from pathlib import Path

import pytest

from editplan.errors import ConfigError, DatasetError, EditplanError, StoreError
from editplan.evals.audit.auditing import AuditOptions, plan_audit
from editplan.evals.cases import Case
from editplan.evals.components import Given
from editplan.evals.contracts import Contract
from editplan.evals.experiment import Experiment, parse_experiment
from editplan.evals.judges.checkers import CheckersJudge
from editplan.evals.judges.registry import check_options, resolve_judge
from editplan.evals.run import load_run, missing_outputs
from editplan.evals.runner import task_of
from editplan.evals.session import Finished, SessionOptions, run_experiment
from editplan.evals.store import RunStore
from editplan.evals.suites.puzzles.making import make_puzzle
from editplan.evals.suites.puzzles.suite import as_case
from editplan.evals.summary import summarise
from editplan.store import ImageStore
from editplan.testing.evaluation import ScriptedJudge, TinySuite, by_output
from editplan.testing.scripted import ScriptedEditor


def puzzle_case(images: ImageStore, *, with_checks: bool) -> Case:
    case = as_case(make_puzzle(21, 0, "move", "easy"), images)
    return case if with_checks else case.model_copy(update={"contract": unchecked(case.contract)})


def unchecked(contract: Contract | None) -> Contract:
    assert contract is not None
    groups = tuple(
        group.model_copy(update={"atoms": tuple(atom.model_copy(update={"check": None}) for atom in group.atoms)})
        for group in contract.criterion_groups
    )
    return contract.model_copy(update={"criterion_groups": groups})


def plan(**changes: object) -> Experiment:
    names = {"name": "trial", "suite": "tiny", "conditions": ["direct"], "editors": ["one"], "judges": ["j"]}
    return parse_experiment({**names, **changes})


def run(folder: Path, experiment: Experiment | None = None, suite: TinySuite = TinySuite(2)) -> Finished:
    given = Given(
        suite=suite, editors={"one": ScriptedEditor(editor_id="one")}, judges={"j": ScriptedJudge(by_output)}
    )
    return run_experiment(experiment or plan(), folder, SessionOptions(given=given))


def test_checkers_are_refused_where_no_atom_has_a_check() -> None:
    images = ImageStore()
    bare, full = puzzle_case(images, with_checks=False), puzzle_case(images, with_checks=True)
    with pytest.raises(ConfigError, match="no atom has a check: name a vision model as judge"):
        CheckersJudge().check_cases([bare, bare])
    CheckersJudge().check_cases([bare, full])


async def test_a_case_of_which_nothing_is_decided_is_not_measured() -> None:
    images = ImageStore()
    bare, full = puzzle_case(images, with_checks=False), puzzle_case(images, with_checks=True)
    source = full.request.parts[0].media
    verdicts = await CheckersJudge().judge(task_of(bare, source, None), images)
    assert (verdicts.status, verdicts.score, verdicts.required, verdicts.damage) == ("judge_incomplete",) + (
        None,
    ) * 3
    assert verdicts.coverage == 0.0
    assert (await CheckersJudge().judge(task_of(full, source, None), images)).status == "scored"


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("checkers", "no case has one"),
        ("pixels", "no case has one"),
        ("svg", "no case is one"),
        ("vlm:openai:m@http://127.0.0.1:9/v1", "no case has one"),
    ],
)
def test_a_judge_that_fits_no_case_is_refused(spec: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k" * 12)
    images = ImageStore()
    bare = puzzle_case(images, with_checks=False).model_copy(update={"contract": None})
    judge = resolve_judge(spec)
    with pytest.raises(ConfigError, match=told):
        judge.check_cases([bare])  # type: ignore[attr-defined]


def test_a_key_that_no_code_judge_reads_is_refused() -> None:
    with pytest.raises(ConfigError, match="judge_options: unknown key 'detektor'; checkers knows: detector"):
        check_options(["checkers"], {"detektor": "x"})
    with pytest.raises(ConfigError, match=r"unknown key 'samples'; pixels, svg knows: none"):
        check_options(["svg", "pixels"], {"samples": 3})
    with pytest.raises(ConfigError, match="detector = 5: the path of weights"):
        check_options(["checkers"], {"detector": 5})
    check_options(["checkers", "openai:m"], {"samples": 3})


@pytest.mark.parametrize("content", [None, b""], ids=["missing", "empty"])
def test_a_run_whose_database_is_gone_is_not_begun_anew(tmp_path: Path, content: bytes | None) -> None:
    run(tmp_path)
    for path in (tmp_path / "trial").glob("run.sqlite*"):
        path.unlink()
    if content is not None:
        (tmp_path / "trial" / "run.sqlite").write_bytes(content)
    for _ in range(2):
        with pytest.raises(StoreError, match=r"run\.sqlite is empty or missing: restore it or give the run another"):
            run(tmp_path)


def test_a_truncated_database_is_refused(tmp_path: Path) -> None:
    run(tmp_path)
    path = tmp_path / "trial" / "run.sqlite"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(StoreError, match="restore it"):
        run(tmp_path)


@pytest.mark.parametrize(
    ("changes", "suite"),
    [
        ({"judges": ["nobody"]}, TinySuite(2)),
        ({"judges": ["pixels"]}, TinySuite(2)),
        ({"judge_options": {"zzz": 1}, "judges": ["pixels"]}, TinySuite(2)),
        ({"prices": "none.toml"}, TinySuite(2)),
        ({}, TinySuite(0, invalid=2)),
    ],
)
def test_a_refused_run_leaves_no_folder(tmp_path: Path, changes: dict[str, object], suite: TinySuite) -> None:
    with pytest.raises((ConfigError, DatasetError)):
        run(tmp_path, plan(**changes), suite)
    assert not (tmp_path / "trial").exists()
    run(tmp_path)


def test_a_refusal_keeps_what_an_earlier_session_made(tmp_path: Path) -> None:
    run(tmp_path)
    with pytest.raises(EditplanError):
        run(tmp_path, plan(prices="none.toml"))
    assert len(load_run(tmp_path / "trial").rows) == 2


def test_a_run_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "trial").write_text("mine")
    with pytest.raises(StoreError, match="is a file, and a run needs a folder"):
        RunStore(tmp_path / "trial")
    assert (tmp_path / "trial").read_text() == "mine"


def test_deleted_pictures_are_counted_and_judged_as_nothing(tmp_path: Path) -> None:
    finished = run(tmp_path)
    assert missing_outputs(finished.run) == ()
    before = summarise(finished.run)
    shutil.rmtree(tmp_path / "trial" / "images")
    again = run(tmp_path)
    assert len(missing_outputs(again.run)) == 2
    assert summarise(again.run)["conditions"] == before["conditions"]


def test_an_output_that_was_deleted_before_it_was_judged_is_no_zero(tmp_path: Path) -> None:
    import sqlite3

    run(tmp_path)
    shutil.rmtree(tmp_path / "trial" / "images")
    with sqlite3.connect(tmp_path / "trial" / "run.sqlite") as db:
        db.execute("DELETE FROM scores")
    db.close()
    (arm,) = summarise(run(tmp_path).run)["conditions"]["direct"].values()
    assert arm["judged"]["statuses"] == {"judge_error": 2}
    assert arm["score"]["mean"] is None
    assert json.dumps(arm["score"])


def test_a_missing_folder_of_pictures_is_told_before_any_puzzle_is_drawn(tmp_path: Path) -> None:
    images = ImageStore()
    with pytest.raises(ConfigError, match="is no folder"):
        plan_audit(AuditOptions(puzzles=5, pictures=tmp_path / "none"), images)
    assert not images._bytes
