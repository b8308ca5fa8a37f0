"""Human review over two operating-system processes: one plans and ends, another carries out the word."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

GOAL = "Recolor the red square to blue."


@pytest.fixture
def board(tmp_path: Path) -> Path:
    pixels = np.full((96, 128, 3), 255, np.uint8)
    pixels[30:60, 30:60] = (255, 0, 0)
    path = tmp_path / "board.png"
    PIL.Image.fromarray(pixels).save(path)
    return path


def editplan(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", "from editplan.cli import main; main()", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120)


def calls(run: Path) -> dict[str, int]:
    """Wire attempts by kind."""
    with closing(sqlite3.connect(run / "run.sqlite")) as journal:
        rows = journal.execute("SELECT kind, count(*) FROM attempts JOIN calls USING (key) GROUP BY kind").fetchall()
    return dict(rows)


def planned(board: Path) -> str:
    """Plans in a process of its own; the id of what waits."""
    done = editplan(board.parent, "edit", str(board), "--goal", GOAL, "--review", "--run-dir", "run", "--json")
    assert done.returncode == 0, done.stderr
    waiting = json.loads(done.stdout)
    assert waiting["status"] == "waiting_for_review"
    assert "blue" in waiting["instruction"]
    assert not (board.parent / "board.edited.png").exists()
    return str(waiting["case"])


def test_another_process_approves_and_no_call_is_made_twice(board: Path) -> None:
    case, run = planned(board), board.parent / "run"
    assert calls(run) == {"agent": 2}
    done = editplan(board.parent, "resume", "run", case, "--approve")
    assert done.returncode == 0, done.stderr
    assert calls(run) == {"agent": 2, "generation": 1}
    assert tuple(np.asarray(PIL.Image.open(board.parent / "board.edited.png"))[45, 45])[2] > 200
    again = editplan(board.parent, "resume", "run", case, "--reject")
    assert again.returncode == 2
    assert "was decided (approve)" in again.stderr


def test_another_process_edits_the_instruction(board: Path) -> None:
    case = planned(board)
    words = "Recolor the red square to green. Output only the edited image."
    done = editplan(board.parent, "resume", "run", case, "--edit", words, "--out", "other.png", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["status"], document["instruction"]) == ("ok", words)
    assert any("edited by hand" in note for note in document["notes"])
    assert (board.parent / "other.png").exists()


async def test_a_rejected_plan_makes_no_edit(board: Path) -> None:
    from editplan.planner.reviewing import ReviewWish, begin_review, decide_review, read_review
    from editplan.records import Status

    run = board.parent / "run"
    begun = await begin_review(ReviewWish(images=(str(board),), goal=GOAL), run)
    case = begun.pending.request.case_id
    assert read_review(run, case) == begun.pending
    decided = await decide_review(run, case, {"decision": "reject", "reason": "wrong thing"})
    assert decided.result is not None
    assert decided.result.status is Status.CANCELLED
    assert decided.result.outcome.media is None
    assert calls(run) == {"agent": 2}
    assert read_review(run, case).decided == "reject"


async def test_what_does_not_wait_is_an_error_that_lists_what_does(board: Path) -> None:
    from editplan.errors import ConfigError, StoreError
    from editplan.planner.reviewing import ReviewWish, begin_review, decide_review

    run = board.parent / "run"
    begun = await begin_review(ReviewWish(images=(str(board),), goal=GOAL), run)
    with pytest.raises(StoreError, match=begun.pending.request.case_id):
        await decide_review(run, "request-0", "approve")
    with pytest.raises(ConfigError, match="no plan to review"):
        await begin_review(ReviewWish(images=(str(board),), goal=GOAL, condition="direct"), run)
