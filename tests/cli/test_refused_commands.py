"""Exit codes of runs and checks whose figures would be missing."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

EXPERIMENT = """
name = "small"
suite = "puzzles?count=2&seed=3"
conditions = ["direct"]
editors = ["embedded:raster"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(EXPERIMENT)
    return path


def test_a_judge_that_fits_no_case_is_wrong_use_in_check_and_run(command: Any, file: Path, tmp_path: Path) -> None:
    file.write_text(EXPERIMENT + 'judges = ["pixels"]\n')
    for name in ("check", "run"):
        assert command(name, file, "--runs-dir", tmp_path / "runs") == 2
        assert "no case has one: use another judge" in command.out + command.err
    assert not (tmp_path / "runs" / "small").exists()


def test_a_suite_without_a_case_that_can_be_run_fails_the_check(command: Any, file: Path, tmp_path: Path) -> None:
    (tmp_path / "own.jsonl").write_text('{"goal": "x", "rubric": "y", "image": "none.png"}\n')
    file.write_text(EXPERIMENT.replace("puzzles?count=2&seed=3", f"jsonl:{tmp_path}/own.jsonl"))
    assert command("check", file, "--runs-dir", tmp_path / "runs", "--json") == 2
    found = json.loads(command.out)
    (suite,) = (line for line in found["checks"] if line["what"] == "suite")
    assert not found["ok"]
    assert "no case can be run" in suite["found"]


def test_deleted_outputs_are_told_in_one_line_beside_the_tables(command: Any, file: Path, tmp_path: Path) -> None:
    runs = ("--runs-dir", tmp_path / "runs")
    assert command("run", file, *runs) == 0
    shutil.rmtree(tmp_path / "runs" / "small" / "images")
    for arguments in (("report", "small"), ("run", file), ("score", "small")):
        assert command(*arguments, *runs) == 1
        assert "direct" in command.out
        (line,) = (each for each in command.err.splitlines() if "outputs are missing" in each)
        assert "restore the folder" in line


def test_an_item_that_cannot_be_run_ends_a_run_with_1(command: Any, file: Path, tmp_path: Path) -> None:
    import numpy as np
    import PIL.Image

    for name, shade in (("a.png", 250), ("b.png", 9)):
        PIL.Image.fromarray(np.full((64, 64, 3), shade, np.uint8)).save(tmp_path / name)
    good = {"goal": "Make it dark.", "image": "a.png", "reference": "b.png"}
    lines = [json.dumps(good), '{"goal": "half a pair \\ud800"}', '{"goal": "a", "goal": "b"}']
    (tmp_path / "own.jsonl").write_text("\n".join(lines))
    file.write_text(EXPERIMENT.replace("puzzles?count=2&seed=3", f"jsonl:{tmp_path}/own.jsonl"))
    assert command("run", file, "--runs-dir", tmp_path / "runs", "--json") == 1
    summary = json.loads(command.out)
    assert (summary["n_cases"], len(summary["invalid_cases"])) == (1, 2)


def test_a_missing_folder_of_pictures_ends_an_audit_at_once(command: Any, tmp_path: Path) -> None:
    out = tmp_path / "audit"
    assert command("judge-audit", "--judge", "checkers", "--images", tmp_path / "none", "--out", out) == 2
    assert "is no folder" in command.err
    assert not out.exists()
