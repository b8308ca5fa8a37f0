"""`editplan run FILE`: carry an experiment out, or go on with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from editplan.evals.experiment import Experiment
    from editplan.evals.run import Run
    from editplan.evals.session import Finished

RunsDir = Annotated[Path, typer.Option("--runs-dir", help="Where run directories lie.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]


def run(
    file: Annotated[Path, typer.Argument(help="The experiment file (TOML).")],
    runs_dir: RunsDir = Path("runs"),
    max_cases: Annotated[int | None, typer.Option(min=1, help="Only so many cases of the seeded order.")] = None,
    retry_failed: Annotated[bool, typer.Option(help="Ask refusals and failed plans again.")] = False,
    resend_unknown: Annotated[bool, typer.Option(help="Send requests again whose answer was never seen.")] = False,
    prices: Annotated[Path | None, typer.Option(help="A file with prices of your own (TOML).")] = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="Say what it would take; send nothing.")] = False,
    pilot: Annotated[int, typer.Option(min=0, help="With --estimate: make so many cases first.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Carry out an experiment. The same command again finishes an interrupted run."""
    from editplan.cli.console import progress, say
    from editplan.evals.experiment import load_experiment
    from editplan.evals.session import SessionOptions, run_experiment

    experiment = load_experiment(file)
    changes: dict[str, Any] = {"max_cases": max_cases} if max_cases is not None else {}
    changes |= {"retry_failed": True} if retry_failed else {}
    changes |= {"resend_unknown": True} if resend_unknown else {}
    changes |= {"prices": prices} if prices is not None else {}
    experiment = experiment.model_copy(update=changes)
    if estimate:
        show_estimate(experiment, pilot, runs_dir, as_json=as_json)
        return
    try:
        with progress(experiment.name) as show:
            finished = run_experiment(experiment, runs_dir, SessionOptions(on_progress=show))
    except KeyboardInterrupt:
        say(f"interrupted: run the same command again to go on with {runs_dir / experiment.name}")
        raise typer.Exit(130) from None
    show_finished(finished, as_json=as_json)


def show_estimate(experiment: Experiment, pilot: int, runs_dir: Path, *, as_json: bool) -> None:
    """Prints what an experiment will take, from its budgets or from a pilot."""
    from editplan.cli.console import print_json
    from editplan.cli.estimates import print_estimate
    from editplan.evals.estimate import estimate_experiment, estimate_with_pilot

    found = estimate_with_pilot(experiment, pilot, runs_dir) if pilot else estimate_experiment(experiment)
    if as_json:
        print_json(found.document())
    else:
        print_estimate(found)


def show_finished(finished: Finished, *, as_json: bool) -> None:
    """Writes the report, prints tables or JSON, and exits 1 where runs ended in a fault or were not made."""
    from editplan.cli.console import print_json, say
    from editplan.cli.tables import print_summary
    from editplan.evals.providers import changed_models
    from editplan.evals.report.page import write_report

    page, summary = write_report(finished.run)
    if as_json:
        print_json({**summary, "report": str(page), "stopped": finished.stopped})
    else:
        print_summary(summary)
        print(f"report: {page}")
    for changed in changed_models(summary["returned_models"]):
        say(changed)
    if finished.stopped:
        say(f"stopped early: {finished.stopped}")
    lost = tell_missing_outputs(finished.run)
    if has_faults(summary) or lost:
        raise typer.Exit(1)


def tell_missing_outputs(run: Run) -> bool:
    """Says on stderr, in one line, which outputs of a run were deleted; whether there are any."""
    from editplan.cli.console import say
    from editplan.evals.run import missing_outputs

    if lost := missing_outputs(run):
        first = lost[0]
        say(
            f"{len(lost)} of {len(run.rows)} outputs are missing in {run.folder / 'images'} (the first: "
            f"{first.case_id}, {first.condition}): restore the folder; the tables keep the scores that were recorded"
        )
    return bool(lost)


def has_faults(summary: dict[str, Any]) -> bool:
    """Whether any run ended in a fault or was not made, any item can't be run, or any judging failed."""
    from editplan.evals.rows import JUDGE_FAILURES
    from editplan.evals.summary import NOT_RUN
    from editplan.records import Status

    faults = {NOT_RUN, *(status.value for status in Status if status.is_fault)}
    tables = (summary["conditions"], *(other["conditions"] for other in summary["judges"].values()))
    arms = [arm for table in tables for editors in table.values() for arm in editors.values()]
    unjudged = any(JUDGE_FAILURES & set(arm["judged"]["statuses"]) for arm in arms)
    return bool(summary["invalid_cases"]) or unjudged or any(faults & set(arm["statuses"]) for arm in arms)
