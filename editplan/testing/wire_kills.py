"""A run through the emulator to be killed: `python -m editplan.testing.wire_kills FOLDER URL CASES [resend]`.

`rehearse` kills it at random moments, goes on with it, and asks the server whether anything finished was sent again.
"""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from editplan.emulator.brains import Brain
from editplan.emulator.server import Emulator, Running
from editplan.evals.components import Given
from editplan.evals.experiment import Experiment, parse_experiment
from editplan.evals.run import load_run
from editplan.evals.session import SessionOptions, run_experiment
from editplan.evals.summary import figures_of, summarise
from editplan.testing.evaluation import ScriptedJudge, TinySuite, by_output

NAME = "wired"
CASES = 40
CONCURRENCY = 4


def experiment(url: str, *, resend: bool = False) -> Experiment:
    """Direct and planned edits over the wire."""
    editor = f"openai:gpt-image-2@{url}/v1?size=auto"
    arms = {"conditions": ["direct", "plan"], "editors": [editor], "judges": ["scripted"]}
    made = {"name": NAME, "suite": "tiny", "planner": f"openai:gpt-4.1@{url}/v1", "concurrency": CONCURRENCY}
    return parse_experiment({**made, **arms, "resend_unknown": resend})


def carry_out(folder: Path, url: str, cases: int, *, resend: bool = False) -> None:
    """One session, to its end unless it is killed."""
    given = Given(suite=TinySuite(cases), judges={"scripted": ScriptedJudge(by_output)})
    run_experiment(experiment(url, resend=resend), folder, SessionOptions(given=given))


@dataclass(frozen=True)
class Found:
    """What the server and the journal say after the kills."""

    kills: int
    sent_again: tuple[str, ...]
    """Finished calls that reached the server once more; empty if resuming works."""
    unknown: int
    """Attempts of unknown fate when the kills were over."""
    most_unknown: int
    """As many could be out when the kills came."""
    figures: dict[str, Any]
    """The summary, without what depends on the kills."""


def uninterrupted(folder: Path, url: str, cases: int) -> dict[str, Any]:
    """The figures of a run that nothing kills."""
    _session(folder, url, cases).wait(timeout=600)
    return figures_of(summarise(load_run(folder / NAME)))


def rehearse(folder: Path, kills: int, seed: int, *, cases: int = CASES, longest_s: float = 4.0) -> Found:
    """Kills sessions until `kills` were killed or the run is finished, then lets it end with leave to send again.

    The uninterrupted run's figures must be equal: ask `uninterrupted` at another server.
    """
    draw = random.Random(seed)
    emulator = Emulator(Brain(canned=True), latency_s=0.05)
    killed = 0
    finished: dict[str, int] = {}
    with Running(emulator) as url:
        for _ in range(kills):
            killed += _killed_session(folder, url, cases, draw.uniform(1.0, longest_s))
            # What is finished by now may never be sent again: remember how many requests had come by then.
            for request_id in answered(folder):
                finished.setdefault(request_id, len(emulator.seen))
        unknown = _unknown(folder)
        _session(folder, url, cases, resend=True).wait(timeout=600)
    figures = figures_of(summarise(load_run(folder / NAME)))
    return Found(killed, _sent_again(emulator, finished), unknown, killed * CONCURRENCY, figures)


def _sent_again(emulator: Emulator, finished: dict[str, int]) -> tuple[str, ...]:
    digests = {each.id: each.digest for each in emulator.seen}
    return tuple(
        request_id
        for request_id, count in finished.items()
        if any(each.digest == digests[request_id] for each in emulator.seen[count:])
    )


def _session(folder: Path, url: str, cases: int, *, resend: bool = False) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "editplan.testing.wire_kills", str(folder), url, str(cases)]
    return subprocess.Popen([*command, *(["resend"] if resend else [])])


def _killed_session(folder: Path, url: str, cases: int, after_s: float) -> bool:
    """Kills a session some time after its journal is there, so that a slow start doesn't count."""
    session = _session(folder, url, cases)
    begun = time.monotonic()
    before = _attempts(folder)
    while session.poll() is None and _attempts(folder) == before and time.monotonic() - begun < 60.0:
        time.sleep(0.05)
    time.sleep(after_s)
    ended = session.poll() is not None
    session.kill()
    session.wait()
    return not ended


def _rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    path = folder / NAME / "run.sqlite"
    if not path.exists():
        return []
    with closing(sqlite3.connect(path, timeout=30.0)) as journal:
        tables = {name for (name,) in journal.execute("SELECT name FROM sqlite_master")}
        return journal.execute(query).fetchall() if {"calls", "attempts"} <= tables else []


def _attempts(folder: Path) -> int:
    return sum(count for (count,) in _rows(folder, "SELECT count(*) FROM attempts"))


def _unknown(folder: Path) -> int:
    """Attempts that were begun and never ended."""
    return sum(count for (count,) in _rows(folder, "SELECT count(*) FROM attempts WHERE state='intent'"))


def answered(folder: Path) -> set[str]:
    """The server's ids of all requests whose answer the journal holds."""
    rows = _rows(folder, "SELECT result FROM calls WHERE final='answer'")
    return {json.loads(result)["request_id"] for (result,) in rows}


if __name__ == "__main__":
    carry_out(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), resend=len(sys.argv) > 4)
