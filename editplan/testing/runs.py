"""Writes a run directory from outcomes and verdicts that the caller makes up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from editplan.evals.cases import Case, Suite
from editplan.evals.executors import Job
from editplan.evals.experiment import Experiment
from editplan.evals.judging import Verdicts
from editplan.evals.rows import RunKey, RunRow, ScoreRow
from editplan.evals.run import Run, load_run
from editplan.evals.runner import chosen_cases, jobs_to_do
from editplan.evals.store import RunStore
from editplan.records import Outcome

Made = tuple[Outcome, Verdicts | None] | None
"""An outcome and every judge's word on it; None for a run that was not made."""


async def write_run(folder: Path, experiment: Experiment, suite: Suite, make: Callable[[Case, RunKey], Made]) -> Run:
    """The run directory of an experiment whose every outcome `make` decides."""
    store = RunStore(folder)
    try:
        names = {"id": suite.id, "metric": suite.metric}
        store.claim(
            {"experiment": experiment.model_dump(mode="json"), "suite": names, "identity": experiment.identity()}
        )
        items = tuple(suite.cases(store.images))
        await store.keep_cases(items)
        cases = {item.case_id: item for item in items if isinstance(item, Case)}
        for job in jobs_to_do(experiment, chosen_cases(cases.values(), experiment), {}, experiment.judges):
            await _keep(store, job, make(cases[job.key.case_id], job.key))
    finally:
        store.close()
    return load_run(folder)


async def _keep(store: RunStore, job: Job, made: Made) -> None:
    if made is None:
        return
    outcome, verdicts = made
    scores = tuple(ScoreRow(judge=judge, verdicts=verdicts) for judge in job.judges) if verdicts else ()
    await store.keep(RunRow(key=job.key, outcome=outcome, scores=scores))
