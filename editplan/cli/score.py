"""`editplan score RUN`: ask the judges whose word is missing; no edit is made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from editplan.cli.run import AsJson, RunsDir


def score(
    name: Annotated[str, typer.Argument(metavar="RUN", help="A run directory, or its name.")],
    runs_dir: RunsDir = Path("runs"),
    as_json: AsJson = False,
) -> None:
    """Judge a run again where judging is missing or failed. Makes no edit."""
    from editplan.cli.console import progress
    from editplan.cli.run import show_finished
    from editplan.evals.session import SessionOptions, run_folder, score_run

    folder = run_folder(name, runs_dir)
    with progress(f"judging {folder.name}") as show:
        finished = score_run(folder, SessionOptions(on_progress=show))
    show_finished(finished, as_json=as_json)
