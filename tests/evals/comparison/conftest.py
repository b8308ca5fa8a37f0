"""Runs whose every outcome and verdict a test decides."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from editplan.evals.cases import Case
from editplan.evals.experiment import parse_experiment
from editplan.evals.judging import Verdicts
from editplan.evals.rows import RunKey
from editplan.evals.run import Run
from editplan.records import CallKind, CallRecord, Ledger, Outcome, Status
from editplan.testing.evaluation import TinySuite
from editplan.testing.runs import Made, write_run

Scoring = Callable[[Case, RunKey], float | Made]
Making = Callable[..., Awaitable[Run]]


def ledger(agent: int, generations: int = 1) -> Ledger:
    def call(node: str, kind: CallKind) -> CallRecord:
        return CallRecord(key=node, node=node, kind=kind, ordinal=0, answered=True, wire_attempts=1)

    calls = [call(f"agent{at}", CallKind.AGENT) for at in range(agent)]
    return Ledger(calls=(*calls, *(call(f"edit{at}", CallKind.GENERATION) for at in range(generations))))


def made(case: Case, score: float, agent: int = 0) -> Made:
    """An ordinary outcome with that score."""
    outcome = Outcome(
        status=Status.OK, media=case.request.parts[0].media, instruction="do it now", calls=ledger(agent)
    )
    verdicts = Verdicts(status="scored", score=score, required=score, damage=0.0, coverage=1.0, gate="pass")
    return outcome, verdicts


def number(case: Case) -> int:
    return int(case.case_id[-3:])


@pytest.fixture
def run_of(tmp_path: Path) -> Making:
    """Writes a run: `scoring` gives a score, or the whole outcome; agent calls by condition in `agent`."""

    async def make(
        scoring: Scoring,
        *,
        count: int = 24,
        agent: dict[str, int] | None = None,
        metric: str = "solvescore",
        **keys: object,
    ) -> Run:
        names = {"name": "x", "suite": "tiny", "editors": ["e"], "judges": ["j"], "conditions": ["direct", "plan"]}
        experiment = parse_experiment({**names, **keys})
        calls = agent or {}

        def decide(case: Case, key: RunKey) -> Made:
            found = scoring(case, key)
            return made(case, found, calls.get(key.condition, 0)) if isinstance(found, float) else found

        return await write_run(tmp_path / experiment.name, experiment, TinySuite(count, metric=metric), decide)

    return make
