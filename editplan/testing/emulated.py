"""Rehearsals through the emulator: the real SDKs, the same suite as an embedded run, and what must come out equal."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from editplan.emulator.brains import Brain
from editplan.emulator.server import Emulator, Running
from editplan.evals.experiment import Experiment, parse_experiment
from editplan.evals.rows import RunKey, RunRow
from editplan.evals.run import Run
from editplan.evals.session import run_experiment
from editplan.evals.summary import summarise
from editplan.records import CallKind

CONDITIONS = ("direct", "plan")
EMBEDDED = ("embedded", "embedded:raster")


def specs(provider: str, url: str) -> tuple[str, str]:
    """Planner and editor of a provider, at the emulator. The sizes are those of the source."""
    return {
        "openai": (f"openai:gpt-4.1@{url}/v1", f"openai:gpt-image-2@{url}/v1?size=auto"),
        "google": (f"google:gemini-3.1-flash@{url}", f"google:gemini-3.1-flash-image@{url}"),
    }[provider]


def puzzles(name: str, models: tuple[str, str], *, count: int, seed: int) -> Experiment:
    """Direct and planned edits of puzzles with these models."""
    planner, editor = models
    suite = f"puzzles?count={count}&seed={seed}"
    plan: dict[str, Any] = {"name": name, "suite": suite, "conditions": CONDITIONS, "editors": (editor,)}
    return parse_experiment({**plan, "planner": planner, "concurrency": 8})


@dataclass(frozen=True)
class Rehearsed:
    """A run through the emulator beside the embedded one."""

    scores: dict[str, float]
    """By condition."""
    differing: tuple[str, ...]
    """Runs whose plan, pixels, instruction or score differ from the embedded run's."""
    arrived: int
    """Requests that the server counted."""
    in_ledgers: int
    """Wire attempts that the outcomes' ledgers count."""


def scores_of(run: Run) -> dict[str, float]:
    """The headline of each condition."""
    arms = summarise(run)["conditions"]
    return {condition: arm["score"]["mean"] for condition, editors in arms.items() for arm in editors.values()}


def embedded_run(folder: Path, *, count: int, seed: int) -> Run:
    """The same experiment with the embedded models themselves."""
    return run_experiment(puzzles("embedded", EMBEDDED, count=count, seed=seed), folder).run


def rehearse(folder: Path, provider: str, beside: Run, *, count: int, seed: int) -> Rehearsed:
    """Runs the puzzles through the emulator and compares with the embedded run."""
    emulator = Emulator(Brain())
    with Running(emulator) as url:
        experiment = puzzles(provider, specs(provider, url), count=count, seed=seed)
        run = run_experiment(experiment, folder).run
    rows = {_place(key): row for key, row in run.rows.items()}
    differing = [
        f"{key.case_id} {key.condition}" for key, row in beside.rows.items() if not _equal(row, rows[_place(key)])
    ]
    ledgers = [row.outcome.calls for row in run.rows.values()]
    wired = (ledger.wire_attempts(kind) for ledger in ledgers for kind in (CallKind.AGENT, CallKind.GENERATION))
    arrived = Counter(emulator.stats()["requests"]).total()
    return Rehearsed(scores_of(run), tuple(differing), arrived, sum(wired))


def _place(key: RunKey) -> tuple[str, str, int]:
    return key.case_id, key.condition, key.replicate


def _equal(one: RunRow, other: RunRow) -> bool:
    """Same plan, pixels, instruction and scores; a refusal is the same wherever the provider declares it."""
    a, b = one.outcome, other.outcome
    made = (a.plan, a.media, a.instruction, a.refusal is None) == (b.plan, b.media, b.instruction, b.refusal is None)
    return made and [row.verdicts.score for row in one.scores] == [row.verdicts.score for row in other.scores]
