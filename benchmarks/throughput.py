"""How near a run comes to latency / concurrency: plans of 200 cases through the emulator with canned answers.

python benchmarks/throughput.py [--cases 200] [--concurrency 32] [--latency-ms 1000 50] [--storm]

The emulator runs in a process of its own, so that the CPU time is the run's.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from editplan.evals.components import Given
from editplan.evals.experiment import parse_experiment
from editplan.evals.session import SessionOptions, run_experiment
from editplan.evals.summary import summarise
from editplan.testing.evaluation import ScriptedJudge, TinySuite, by_output

ALLOWED = 1.15
STORM = '[[fault]]\nkind = "rate_limit"\nshare = 0.3\n'


@dataclass(frozen=True)
class Measured:
    """One run."""

    calls: int
    attempts: int
    wall_s: float
    start_up_s: float
    """Until the first request went out."""
    cpu_s: float
    statuses: dict[str, int]


@contextmanager
def emulator(latency_ms: float, faults: Path | None = None) -> Iterator[str]:
    """A server in a process of its own; gives its URL."""
    command = [sys.executable, "-m", "editplan.cli", "emulate", "--canned", "--port", "0"]
    command += ["--latency-ms", str(latency_ms), *(["--faults", str(faults)] if faults else [])]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        words = server.stderr.readline().split()
        if "on" not in words:
            raise SystemExit(" ".join(words) + server.stderr.read())
        yield words[words.index("on") + 1].rstrip(";")
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(timeout=20)


def measure(folder: Path, url: str, cases: int, concurrency: int) -> Measured:
    """Runs `plan` on all cases and reads the clock."""
    editor = f"openai:gpt-image-2@{url}/v1?size=auto"
    made = {"name": "throughput", "suite": "tiny", "planner": f"openai:gpt-4.1@{url}/v1", "conditions": ["plan"]}
    limit = {"retry": {"base_s": 0.5, "cap_s": 4.0}}
    experiment = parse_experiment(
        {**made, "editors": [editor], "judges": ["scripted"], "concurrency": concurrency, **limit}
    )
    given = Given(suite=TinySuite(cases), judges={"scripted": ScriptedJudge(by_output)})
    before, began, clock = resource.getrusage(resource.RUSAGE_SELF), time.monotonic(), time.time()
    run = run_experiment(experiment, folder, SessionOptions(given=given)).run
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF)
    with closing(sqlite3.connect(folder / "throughput" / "run.sqlite")) as journal:
        first = journal.execute("SELECT min(began) FROM attempts").fetchone()[0]
        calls = journal.execute("SELECT count(*) FROM calls").fetchone()[0]
        attempts = journal.execute("SELECT count(*) FROM attempts").fetchone()[0]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    arms = summarise(run)["conditions"]["plan"]
    return Measured(calls, attempts, wall, first - clock, cpu, next(iter(arms.values()))["statuses"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--latency-ms", type=float, nargs="*", default=[1000.0, 50.0])
    parser.add_argument("--storm", action="store_true", help="also 30% of requests answered by 429")
    chosen = parser.parse_args()
    os.environ.setdefault("OPENAI_API_KEY", "emulated-key")
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for latency_ms in chosen.latency_ms:
            with emulator(latency_ms) as url:
                found = measure(Path(scratch) / f"{latency_ms:g}", url, chosen.cases, chosen.concurrency)
            failed += show(found, latency_ms, chosen.concurrency) and latency_ms >= 1000
        if chosen.storm:
            faults = Path(scratch) / "faults.toml"
            faults.write_text(STORM)
            with emulator(50.0, faults) as url:
                found = measure(Path(scratch) / "storm", url, chosen.cases, chosen.concurrency)
            print(f"429 storm: {found.attempts} attempts for {found.calls} calls, {found.statuses}")
            failed += found.statuses != {"ok": chosen.cases}
    sys.exit(bool(failed))


def show(found: Measured, latency_ms: float, concurrency: int) -> bool:
    """Prints one run; whether it is slower than allowed."""
    ideal = found.calls * latency_ms / 1000.0 / concurrency
    ratio = (found.wall_s - found.start_up_s) / ideal
    print(
        f"{latency_ms:g} ms: {found.calls} calls in {found.wall_s:.1f} s (start-up {found.start_up_s:.1f} s), "
        f"ideal {ideal:.1f} s, ratio {ratio:.2f}; {1000 * found.cpu_s / found.calls:.1f} ms CPU a call; "
        f"{found.statuses}"
    )
    return ratio > ALLOWED


if __name__ == "__main__":
    main()
