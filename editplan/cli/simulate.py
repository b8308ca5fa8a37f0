"""`editplan simulate FILE`: the experiment with scripted models of known rates, before it costs anything."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from editplan.cli.run import AsJson

if TYPE_CHECKING:
    from editplan.evals.simulation.claims import Simulated


def simulate(
    file: Annotated[Path, typer.Argument(help="The experiment file (TOML); [simulation] holds the planted rates.")],
    experiments: Annotated[int, typer.Option(min=1, help="Simulated experiments.")] = 200,
    seed: Annotated[int, typer.Option(help="Of the simulation.")] = 0,
    rehearse: Annotated[bool, typer.Option(help="Also run the whole pipeline once with scripted models.")] = True,
    as_json: AsJson = False,
) -> None:
    """Rehearse an experiment in memory: do its claims come out as planted, and how often?"""
    from editplan.cli.console import print_json
    from editplan.cli.tables import print_summary
    from editplan.evals.experiment import load_experiment
    from editplan.evals.simulation.claims import simulate_claims
    from editplan.evals.simulation.rates import Rates

    experiment = load_experiment(file)
    rates = experiment.simulation or Rates()
    summary = _rehearsed(experiment, rates) if rehearse else None
    found = simulate_claims(experiment, rates, experiments, seed)
    if as_json:
        print_json({**found.model_dump(mode="json"), "rates": rates.model_dump(mode="json"), "rehearsal": summary})
        return
    if summary is not None:
        print_summary(summary)
    _print_claims(found)


def _rehearsed(experiment: Any, rates: Any) -> dict[str, Any]:
    from editplan.evals.summary import summarise
    from editplan.testing.rehearsal import rehearse_experiment

    with tempfile.TemporaryDirectory(prefix="editplan-rehearsal-") as folder:
        return summarise(asyncio.run(rehearse_experiment(experiment, rates, Path(folder))).run)


def _print_claims(found: Simulated) -> None:
    from editplan.cli.tables import rich_table, shown
    from editplan.evals.report.figures import number, signed

    rows = [
        [
            it.words,
            signed(it.true_difference),
            signed(it.mean_estimate),
            number(it.coverage),
            *(number(it.verdicts[name]) for name in ("supported", "contradicted", "inconclusive")),
            number(it.significant),
            number(it.predicted),
        ]
        for it in found.claims
    ]
    head = [
        "claim",
        "planted",
        "found",
        "coverage",
        "supported",
        "contradicted",
        "inconclusive",
        "p < .05",
        "predicted",
    ]
    shown(rich_table(f"{found.experiments} simulated experiments of {found.cases} cases", head, rows))
