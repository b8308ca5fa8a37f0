"""What an experiment will cost: from its budgets, or from a pilot whose calls stay in the run."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from editplan.calls.estimate import Calling, Estimate, Typical, estimated, typical
from editplan.calls.prices import is_in_process, load_prices
from editplan.evals.cases import Case
from editplan.evals.components import Cast, Given, models_of, resolve_cast, resolve_judges
from editplan.evals.experiment import Experiment
from editplan.evals.session import RUNS_DIR, SessionOptions, run_experiment
from editplan.evals.store import select
from editplan.records import CallKind, Usage
from editplan.store import ImageStore


def estimate_experiment(experiment: Experiment, given: Given = Given()) -> Estimate:
    """From declared budgets and typical calls; nothing is sent. Raises `ConfigError` for a name that fails."""
    cast = resolve_cast(experiment, given)
    n_cases = _count(cast)
    runs = n_cases * cast.experiment.replicates
    work: list[Calling] = []
    outputs = 0
    for condition in cast.conditions.values():
        budget = condition.budget
        if cast.planner is not None and budget.agent_calls:
            # A plan is drawn once and shared over editors.
            calls = runs * budget.agent_calls
            work.append(typical(cast.planner.id, CallKind.AGENT, calls, in_process=is_in_process(cast.planner)))
        for editor in cast.editors.values():
            calls = runs * budget.generations
            work.append(typical(editor.id, CallKind.GENERATION, calls, in_process=is_in_process(editor)))
        outputs += runs * max(1, budget.generations) * len(cast.editors)
    for judge in models_of(resolve_judges(cast, given)):
        work.append(typical(judge.id, CallKind.JUDGE, outputs, in_process=is_in_process(judge)))
    return estimated(
        _summed(work),
        load_prices(experiment.prices),
        concurrency=experiment.concurrency,
        basis=f"{n_cases} cases, declared budgets and typical calls; one judge call an output",
    )


def estimate_with_pilot(experiment: Experiment, pilot: int, runs_dir: Path = RUNS_DIR) -> Estimate:
    """Carries out the first `pilot` cases, then scales what they took; the run goes on from them.

    Raises what `run_experiment` raises.
    """
    few = experiment.model_copy(update={"max_cases": pilot})
    finished = run_experiment(few, runs_dir, SessionOptions())
    folder = finished.run.folder
    n_cases = _count(resolve_cast(experiment, Given()))
    made = select(folder, "SELECT count(DISTINCT case_id) FROM outcomes")[0][0]
    work = _measured(folder, n_cases / max(1, made))
    prices = load_prices(experiment.prices)
    basis = f"{made} cases of this run, scaled to {n_cases}"
    whole = estimated(work, prices, concurrency=experiment.concurrency, basis=basis)
    spent = estimated(_measured(folder, 1.0), prices, concurrency=1, basis="").cost_usd
    return whole.model_copy(update={"spent_usd": spent})


def _count(cast: Cast) -> int:
    items = sum(1 for item in cast.suite.cases(ImageStore()) if isinstance(item, Case))
    limit = cast.experiment.max_cases
    return items if limit is None else min(items, limit)


def _summed(work: list[Calling]) -> list[Calling]:
    calls: dict[tuple[str, CallKind], Calling] = {}
    for each in work:
        before = calls.get((each.model, each.kind))
        total = each.calls + (before.calls if before else 0.0)
        calls[each.model, each.kind] = each.model_copy(update={"calls": total})
    return list(calls.values())


def _measured(folder: Path, scale: float) -> list[Calling]:
    """All calls of a run by model and kind, `scale` times as many, each as they were on average."""
    query = (
        "SELECT calls.key, calls.model, calls.kind, attempts.usage, attempts.seconds FROM attempts"
        " JOIN calls ON calls.key = attempts.key"
    )
    usages: dict[tuple[str, str], Usage] = defaultdict(Usage)
    seconds: dict[tuple[str, str], float] = defaultdict(float)
    keys: dict[tuple[str, str], set[str]] = defaultdict(set)
    for key, model, kind, usage, took in select(folder, query):
        group = (model, kind)
        usages[group] += Usage.model_validate(json.loads(usage)) if usage else Usage()
        seconds[group] += took or 0.0
        keys[group].add(key)
    return [
        Calling(
            model=model,
            kind=CallKind(kind),
            calls=len(keys[model, kind]) * scale,
            each=_mean(usage, seconds[model, kind], len(keys[model, kind])),
        )
        for (model, kind), usage in usages.items()
    ]


def _mean(usage: Usage, seconds: float, calls: int) -> Typical:
    return Typical(
        tokens_in=usage.tokens_in / calls,
        tokens_out=usage.tokens_out / calls,
        images_out=usage.images_out / calls,
        seconds=seconds / calls,
        cost_usd=None if usage.cost_usd is None else usage.cost_usd / calls,
    )
