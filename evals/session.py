"""The library face of experiments: run one, go on with one, judge one again."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from editplan.calls.layer import CallPolicy, Calls
from editplan.calls.prices import load_prices
from editplan.errors import DatasetError, EditplanError, StoreError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.components import (
    Cast,
    Generator,
    Given,
    check_judges,
    describe,
    models_of,
    resolve_cast,
    resolve_judges,
)
from editplan.evals.executors import make_executor
from editplan.evals.experiment import Experiment, parse_experiment
from editplan.evals.run import Run, load_run
from editplan.evals.runner import Hands, Progress, Session, chosen_cases, jobs_to_do
from editplan.evals.store import RunStore, read_billed, read_cases, read_description, read_rows
from editplan.protocols import close

RUNS_DIR = Path("runs")

_CASES_PER_PLACE = 4
"""Runs under way for each request that may be out: with fewer, places stay empty while the last runs make their calls
one after another (200 runs of three calls at 32 places take 1.17 times the ideal with 2, 1.11 times with 4)."""


@dataclass(frozen=True)
class SessionOptions:
    """How one session works, beside what the experiment says."""

    given: Given = field(default_factory=Given)
    on_progress: Callable[[Progress], None] = lambda _: None
    judge_only: bool = False
    """Make no outcome; only ask judges whose word is missing."""


@dataclass(frozen=True)
class Finished:
    """A session that ended in order."""

    run: Run
    stopped: str | None
    """The limit that ended it early, in words."""


def run_experiment(
    experiment: Experiment, runs_dir: Path = RUNS_DIR, options: SessionOptions = SessionOptions()
) -> Finished:
    """Carries an experiment out, or goes on with it: finished runs are read from `<runs_dir>/<name>`.

    Raises `ConfigError` for a name that fails or a run of that name with another configuration, `DatasetError` for
    an unusable suite, `StoreError` for a directory that can't be written. Ctrl-C raises `KeyboardInterrupt` with
    everything recorded; the same call goes on.
    """
    return asyncio.run(arun_experiment(experiment, runs_dir, options))


def score_run(folder: Path, options: SessionOptions = SessionOptions()) -> Finished:
    """Asks the judges whose word on a run's outcomes is missing or failed; makes no edit."""
    experiment = parse_experiment(read_description(folder).get("experiment", {}), source=str(folder))
    again = SessionOptions(given=options.given, on_progress=options.on_progress, judge_only=True)
    return asyncio.run(arun_experiment(experiment.model_copy(update={"name": folder.name}), folder.parent, again))


async def arun_experiment(
    experiment: Experiment, runs_dir: Path = RUNS_DIR, options: SessionOptions = SessionOptions()
) -> Finished:
    """As `run_experiment`, inside a running event loop."""
    cast = resolve_cast(experiment, options.given)
    folder = runs_dir / cast.experiment.name
    is_new = not folder.exists()
    store = RunStore(folder)
    try:
        stopped = await _carry_out(cast, store, options)
    except EditplanError:
        store.close()
        if is_new:
            _remove_untouched(folder)
        raise
    finally:
        store.close()
    return Finished(run=load_run(folder), stopped=stopped)


def _remove_untouched(folder: Path) -> None:
    """Removes the new folder of a run that was refused before anything was sent or recorded, so its name is free."""
    if not read_billed(folder)["calls"] and next(read_rows(folder), None) is None:
        shutil.rmtree(folder, ignore_errors=True)


async def _carry_out(cast: Cast, store: RunStore, options: SessionOptions) -> str | None:
    experiment = cast.experiment
    policy = CallPolicy(
        retry=experiment.retry_policy,
        limit=experiment.limit,
        limits=experiment.limits,
        retry_failed=experiment.retry_failed,
        prices=load_prices(experiment.prices),
        concurrency=experiment.concurrency,
    )
    calls = Calls(store.journal, store.images, policy)
    judges = resolve_judges(cast, options.given, calls)
    policy.prices.require((cast.asked_planner, *cast.editors.values(), *models_of(judges)), experiment.max_cost_usd)
    store.claim(describe(cast, judges))
    cases = chosen_cases(await recorded_cases(cast, store), experiment)
    check_judges(judges, cases)
    rows = {row.key: row for row in read_rows(store.folder)}
    jobs = jobs_to_do(experiment, cases, rows, experiment.judges)
    if options.judge_only:
        jobs = tuple(job for job in jobs if job.outcome is not None)
    hands = Hands(
        generate=Generator(cast, calls),
        judges=judges,
        meter=calls.meter,
        executor=make_executor(experiment.executor, _CASES_PER_PLACE * experiment.concurrency),
        on_progress=options.on_progress,
    )
    session = Session(store, cases, hands)
    total = len(cases) * experiment.replicates * len(experiment.conditions) * len(experiment.editors)
    try:
        await session.carry_out(jobs, total=len(jobs) if options.judge_only else total)
    finally:
        calls.keep_limits()
        await close(cast.planner, *cast.editors.values(), *models_of(judges))
    return session.stopped


async def recorded_cases(cast: Cast, store: RunStore) -> tuple[Case, ...]:
    """The run's cases: those recorded when it began, or now the suite's."""
    items = read_cases(store.folder)
    if not items:
        items = tuple(cast.suite.cases(store.images))
        _check_ids(items, cast.suite.id)
        await store.keep_cases(items)
    cases = tuple(item for item in items if isinstance(item, Case))
    if not cases:
        raise DatasetError(f"suite {cast.suite.id} has no case that can be run: see `editplan check`")
    return cases


def _check_ids(items: tuple[Case | InvalidCase, ...], suite: str) -> None:
    seen: set[str] = set()
    for item in items:
        if item.case_id in seen:
            raise DatasetError(f"suite {suite}: case id {item.case_id!r} occurs twice: ids must be unique")
        seen.add(item.case_id)


def run_folder(name: str, runs_dir: Path = RUNS_DIR) -> Path:
    """A run's folder by its path or its name. Raises `StoreError` if there is none."""
    for folder in (Path(name), runs_dir / name):
        if (folder / "experiment.json").is_file():
            return folder
    raise StoreError(f"{name} is no run: neither {name} nor {runs_dir / name} holds an experiment.json")
