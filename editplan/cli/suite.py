"""`editplan suite export SPEC DIR`: write a suite in SolveEdit's published layout."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

suite = typer.Typer(no_args_is_help=True, help="Work with suites of cases.")


@suite.callback()
def _suite() -> None:
    """Work with suites of cases."""


@suite.command()
def export(
    spec: Annotated[str, typer.Argument(help="A suite, for example 'puzzles?count=60&seed=7'.")],
    folder: Annotated[Path, typer.Argument(help="Where manifest.jsonl, contracts/ and images/ go.")],
) -> None:
    """Write a suite's cases in the published layout."""
    from editplan.cli.console import say
    from editplan.evals.suites.export import export_suite
    from editplan.evals.suites.registry import resolve_suite

    exported = export_suite(resolve_suite(spec), folder)
    for item in exported.left_out:
        say(f"left out: {item.case_id}: {item.error}")
    print(f"{exported.n_cases} cases: {exported.manifest}")
