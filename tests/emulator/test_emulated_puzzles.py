"""Through the real SDKs and the wire, a run gives the embedded run's plans, pixels and scores."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from editplan.evals.report.page import write_report
from editplan.evals.run import Run, load_run
from editplan.testing.emulated import embedded_run, rehearse, scores_of

COUNT, SEED = 6, 11
SECRET = "planted-key-that-must-stay-secret"


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return embedded_run(tmp_path_factory.mktemp("embedded"), count=COUNT, seed=SEED)


@pytest.mark.parametrize(("provider", "key"), [("openai", "OPENAI_API_KEY"), ("google", "GEMINI_API_KEY")])
def test_a_provider_gives_the_embedded_runs_figures_and_the_ledger_counts_what_arrived(
    provider: str, key: str, embedded: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(key, SECRET)
    found = rehearse(tmp_path, provider, embedded, count=COUNT, seed=SEED)
    assert found.differing == ()
    assert found.scores == scores_of(embedded)
    assert found.scores["plan"] > found.scores["direct"]
    assert found.arrived == found.in_ledgers == COUNT * (1 + 3)
    _look_everywhere(tmp_path, provider)


def _look_everywhere(folder: Path, name: str) -> None:
    """The planted key is in no file of the run directory, the report included."""
    write_report(load_run(folder / name))
    with closing(sqlite3.connect(folder / name / "run.sqlite")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {".sqlite", ".json", ".html", ".png"}
    assert [path for path in files if SECRET.encode() in path.read_bytes()] == []
