"""A run to be killed: `python -m editplan.testing.kills FOLDER` carries a small experiment out with a counted editor.

`rehearse` kills it at random moments, goes on with it, and tells whether anything finished was made again.
"""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from editplan.evals.components import Given
from editplan.evals.experiment import Experiment, parse_experiment
from editplan.evals.run import load_run
from editplan.evals.session import SessionOptions, run_experiment
from editplan.evals.summary import figures_of, summarise
from editplan.testing.evaluation import ScriptedJudge, TinySuite, by_output
from editplan.testing.scripted import CountingEditor, ScriptedEditor, ScriptedModel

NAME = "rehearsal"
COUNT_FILE = "calls.txt"
CASES = 40
_REWRITE = {"instruction": "Recolour the square to red. Output only the edited image."}


def rehearsal() -> Experiment:
    """Two arms on forty tiny cases."""
    arms = {"conditions": ["direct", "generic_rewrite"], "editors": ["counted"], "judges": ["scripted"]}
    return parse_experiment({"name": NAME, "suite": "tiny", "planner": "scripted", "concurrency": 4, **arms})


def carry_out(folder: Path) -> None:
    """One session, to its end unless it is killed."""
    editor = CountingEditor(ScriptedEditor(pause_s=0.02), folder / COUNT_FILE)
    given = Given(
        suite=TinySuite(CASES),
        planner=ScriptedModel(lambda _: _REWRITE, pause_s=0.005),
        editors={"counted": editor},
        judges={"scripted": ScriptedJudge(by_output)},
    )
    run_experiment(rehearsal(), folder, SessionOptions(given=given))


@dataclass(frozen=True)
class Rehearsed:
    """What came of the kills."""

    kills: int
    """Sessions that were killed before they ended."""
    repeated: tuple[str, ...]
    """Generations whose answer was recorded and that were made again; empty if resuming works."""
    cut_off: int
    """Requests that a kill cut off and that were made again."""
    figures: dict[str, Any]
    """The summary, without what depends on the kills."""


def rehearse(folder: Path, kills: int, seed: int, *, longest_s: float = 0.4) -> Rehearsed:
    """Kills a run `kills` times (or until it is finished), then lets it end.

    A session is killed up to `longest_s` after its first edit began, and every fifth at any moment from its start.
    """
    draw = random.Random(seed)
    repeated: set[str] = set()
    killed = 0
    for session in range(kills):
        safe, before = answered(folder), begun(folder)
        killed += _killed_session(folder, draw.uniform(0.0, longest_s), at_work=(seed + session) % 5 != 0)
        repeated |= _made_again(safe, before, begun(folder))
    safe, before = answered(folder), begun(folder)
    _session(folder).wait(timeout=300)
    repeated |= _made_again(safe, before, begun(folder))
    figures = figures_of(summarise(load_run(folder / NAME)))
    return Rehearsed(killed, tuple(sorted(repeated)), begun(folder).total() - len(answered(folder)), figures)


def _session(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "editplan.testing.kills", str(folder)])


def _killed_session(folder: Path, after_s: float, *, at_work: bool) -> bool:
    before = begun(folder).total()
    session = _session(folder)
    while at_work and session.poll() is None and begun(folder).total() == before:
        time.sleep(0.005)
    time.sleep(after_s if at_work else 3 * after_s)
    ended = session.poll() is not None
    session.kill()
    session.wait()
    return not ended


def _made_again(safe: set[str], before: Counter[str], after: Counter[str]) -> set[str]:
    return {name for name in safe if after[name] > before[name]}


def begun(folder: Path) -> Counter[str]:
    """How often each generation was begun, from the counting editor's own file."""
    path = folder / COUNT_FILE
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return Counter(line.removeprefix("begin ") for line in lines if line.startswith("begin "))


def answered(folder: Path) -> set[str]:
    """The generations whose answer the journal holds."""
    path = folder / NAME / "run.sqlite"
    if not path.exists():
        return set()
    with closing(sqlite3.connect(path, timeout=30.0)) as journal:
        tables = {name for (name,) in journal.execute("SELECT name FROM sqlite_master")}
        if "calls" not in tables:
            return set()
        rows = journal.execute("SELECT request FROM calls WHERE kind='generation' AND final='answer'").fetchall()
    jobs = [json.loads(request)["job"] for (request,) in rows]
    return {_name(job) for job in jobs}


def _name(job: dict[str, Any]) -> str:
    from editplan.records import EditJob

    return EditJob.model_validate(job).model_dump_json(include={"instruction", "seed"})


if __name__ == "__main__":
    carry_out(Path(sys.argv[1]))
