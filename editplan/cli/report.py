"""`editplan report RUN`: write the report of a run, finished or not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from editplan.cli.run import AsJson, RunsDir, tell_missing_outputs


def report(
    name: Annotated[str, typer.Argument(metavar="RUN", help="A run directory, or its name.")],
    runs_dir: RunsDir = Path("runs"),
    out: Annotated[Path | None, typer.Option(help="Another folder for the report.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write index.html, summary.json and summary.csv of a run, and print its tables."""
    from editplan.cli.console import print_json
    from editplan.cli.tables import print_summary
    from editplan.evals.report.page import write_report
    from editplan.evals.run import load_run
    from editplan.evals.session import run_folder

    run = load_run(run_folder(name, runs_dir))
    page, summary = write_report(run, out)
    if as_json:
        print_json({**summary, "report": str(page)})
    else:
        print_summary(summary)
        print(f"report: {page}")
    if tell_missing_outputs(run):
        raise typer.Exit(1)
