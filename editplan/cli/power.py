"""`editplan power FILE`: how many cases an experiment's claims need, and what they cost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from editplan.cli.run import AsJson, RunsDir


def power(
    file: Annotated[Path, typer.Argument(help="The experiment file (TOML).")],
    pilot: Annotated[str | None, typer.Option(help="The pilot run [default: the file's own].")] = None,
    runs_dir: RunsDir = Path("runs"),
    effect: Annotated[float | None, typer.Option(help="The true difference sought [default: the pilot's].")] = None,
    cases: Annotated[int | None, typer.Option(min=2, help="Cases planned [default: the pilot's suite].")] = None,
    wanted: Annotated[float, typer.Option("--power", min=0.01, max=0.999, help="Power that is asked for.")] = 0.8,
    alpha: Annotated[float, typer.Option(min=0.0001, max=0.5, help="Two-sided level over all claims.")] = 0.05,
    as_json: AsJson = False,
) -> None:
    """Plan an experiment's size from a pilot: cases, calls, cost, detectable difference."""
    from editplan.cli.console import print_json
    from editplan.cli.tables import rich_table, shown
    from editplan.evals.claims.sizing import size_claims
    from editplan.evals.experiment import load_experiment
    from editplan.evals.report.figures import DASH, counts, money, number, signed
    from editplan.evals.run import load_run
    from editplan.evals.session import run_folder
    from editplan.evals.stats.power import Design

    experiment = load_experiment(file)
    run = load_run(run_folder(pilot or experiment.name, runs_dir))
    planned = cases or experiment.max_cases or len(run.cases)
    found = size_claims(experiment, run, planned, Design(alpha=alpha, power=wanted), effect)
    if as_json:
        print_json({"cases_planned": planned, "claims": [each.model_dump(mode="json") for each in found]})
        return
    rows = [
        [
            each.words,
            f"{signed(each.pilot.delta)} ± {number(each.pilot.spread)}",
            signed(each.effect),
            DASH if each.cases is None else str(each.cases),
            DASH if each.calls is None else counts(each.calls),
            money(each.cost_usd),
            number(each.power_now, 2),
            number(each.detectable_now),
        ]
        for each in found
    ]
    head = ["claim", "pilot ± spread", "effect", "cases", "calls", "cost", f"power at {planned}", "detectable there"]
    shown(rich_table(f"{experiment.name}: size for a power of {wanted:g}", head, rows))
