"""kill -9: nothing finished is made again, and the tables are those of an uninterrupted run."""

from pathlib import Path

from editplan.evals.run import load_run
from editplan.evals.summary import figures_of, summarise
from editplan.testing.kills import CASES, carry_out, rehearsal, rehearse


def test_a_killed_run_makes_nothing_finished_again_and_gives_equal_tables(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    carry_out(whole)
    uninterrupted = figures_of(summarise(load_run(whole / rehearsal().name)))
    assert uninterrupted["complete"]
    assert uninterrupted["conditions"]["direct"]["counted"]["statuses"] == {"ok": CASES}

    killed = tmp_path / "killed"
    killed.mkdir()
    found = rehearse(killed, kills=4, seed=11)
    assert found.kills >= 2
    assert found.repeated == ()
    assert found.figures == uninterrupted
