"""`editplan demo`: two small experiments with the embedded models, in under a minute and without a key."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from editplan.cli.run import AsJson

SUITES = {"puzzles": "puzzles?count=10&seed=7", "paintbench": "paintbench:sample"}
CONDITIONS = {
    "puzzles": ("direct", "direct:preserve", "generic_rewrite", "plan"),
    "paintbench": ("direct", "generic_rewrite", "plan"),
}


def demo(
    runs_dir: Annotated[Path, typer.Option("--runs-dir", help="Where the demo's folder goes.")] = Path("runs"),
    as_json: AsJson = False,
) -> None:
    """Run a small experiment on puzzles and on a PaintBench sample, and print tables and reports."""
    from editplan.cli.console import print_json, progress, say
    from editplan.cli.tables import print_summary
    from editplan.evals.report.page import EMBEDDED_NOTE, write_report
    from editplan.evals.session import SessionOptions, run_experiment

    folder = runs_dir / time.strftime("demo-%Y%m%d-%H%M%S")
    say(EMBEDDED_NOTE)
    documents: dict[str, Any] = {}
    for name, suite in SUITES.items():
        with progress(name) as show:
            finished = run_experiment(_experiment(name, suite), folder, SessionOptions(on_progress=show))
        page, summary = write_report(finished.run)
        documents[name] = {**summary, "report": str(page)}
        if not as_json:
            print_summary(summary)
            print(f"report: {page}\n")
    if as_json:
        print_json(documents)


def _experiment(name: str, suite: str) -> Any:
    from editplan.evals.experiment import parse_experiment

    primary = {"a": "plan", "b": "generic_rewrite", "primary": True}
    return parse_experiment(
        {
            "name": name,
            "suite": suite,
            "conditions": CONDITIONS[name],
            "editors": ("embedded:raster",),
            "comparisons": (primary, {"a": "plan", "b": "direct"}),
        },
        source="demo",
    )
