"""`editplan judge-audit --judge SPEC`: know your judge before you trust a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from editplan.cli.run import AsJson

if TYPE_CHECKING:
    from editplan.evals.audit.report import AuditReport


def judge_audit(
    judge: Annotated[str, typer.Option(help="`checkers`, or a vision model's spec.")],
    images: Annotated[Path | None, typer.Option(help="A folder of your own pictures to plant damage in.")] = None,
    puzzles: Annotated[int, typer.Option(min=0, help="Puzzles to judge, four or five outputs each.")] = 30,
    out: Annotated[Path, typer.Option(help="Keeps rows, audit.json and index.html; run again to go on.")] = Path(
        "judge-audit"
    ),
    seed: Annotated[int, typer.Option(help="Of puzzles, places of damage, and order.")] = 7,
    max_tasks: Annotated[int | None, typer.Option(min=1, help="Ask about so many outputs at most.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Outputs judged at a time.")] = 8,
    with_checkers: Annotated[
        bool, typer.Option("--with-checkers", help="Audit a model together with the contract's checks.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure a judge where the truth is known: agreement, missed damage, false alarms, error of SolveScore."""
    from editplan.cli.console import print_json, say
    from editplan.evals.audit.auditing import AuditOptions, run_audit
    from editplan.evals.judges.registry import resolve_judge
    from editplan.specs import parse_spec

    options = AuditOptions(
        puzzles=puzzles,
        pictures=images,
        seed=seed,
        max_tasks=max_tasks,
        concurrency=concurrency,
        checkers=with_checkers or parse_spec(judge).provider == "checkers",
    )
    report = run_audit(resolve_judge(judge), options, out, _counter())
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        print_audit(report)
    for note in report.notes:
        say(f"note: {note}")
    say(f"report: {out / 'index.html'}")
    faults = sum(count for status, count in report.statuses.items() if status != "scored")
    raise typer.Exit(1 if faults else 0)


def print_audit(report: AuditReport) -> None:
    """The audit's tables on the terminal."""
    from rich.console import Console

    from editplan.evals.audit.page import (
        AGREEMENT_HEAD,
        DETECTION_HEAD,
        agreement_rows,
        detection_rows,
        percent,
        score_rows,
    )

    console = Console(width=max(Console().width, 120))
    found = report.detection
    console.print(f"{report.judge}: {report.n_tasks} outputs", markup=False, highlight=False)
    console.print(f"planted damage missed: {percent(found.miss)}", markup=False, highlight=False)
    console.print(f"false alarms on no-ops: {percent(found.false_alarms)}", markup=False, highlight=False)
    if found.curves:
        _show(console, "Planted damage", DETECTION_HEAD, detection_rows(report))
    if found.by_noop:
        rows = [[kind, percent(share)] for kind, share in found.by_noop.items()]
        _show(console, "No-ops", ("no-op", "false alarms (95% CI)"), rows)
    for name in ("all", "property", "regime", "atom"):
        if name in report.agreement:
            _show(console, f"Agreement on puzzles, {name}", AGREEMENT_HEAD, agreement_rows(report.agreement[name]))
    head = ("outputs", "n", "judged - true (95% CI)", "mean absolute error")
    _show(console, "SolveScore", head, score_rows(report))


def _show(console: object, title: str, head: tuple[str, ...], rows: list[list[str]]) -> None:
    from rich.console import Console
    from rich.table import Table

    assert isinstance(console, Console)
    table = Table(title=title, title_justify="left")
    for at, name in enumerate(head):
        table.add_column(name, justify="right" if at else "left")
    for row in rows:
        table.add_row(*row)
    console.print(table, markup=False, highlight=False)


def _counter() -> Callable[[int, int], None]:
    """A line on stderr now and then."""
    import time

    from editplan.cli.console import say

    last = time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal last
        if done == total or time.monotonic() - last >= 15.0:
            last = time.monotonic()
            say(f"judging: {done}/{total}")

    return show
