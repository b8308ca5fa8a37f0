"""A run's tables on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from editplan.evals.report.figures import counts, headline, interval, number, p_value, signed

_WIDTH = 132
"""Where stdout is no terminal."""

if TYPE_CHECKING:
    from rich.console import Console

_WIDEST = 1000


def print_summary(summary: dict[str, Any]) -> None:
    """Headline and comparisons on stdout."""
    from rich.console import Console

    # A condition's name may hold brackets, which would be read as markup.
    console = Console(markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(width=_WIDTH, markup=False, emoji=False)
    console.print(_headline(summary))
    if summary["comparisons"]:
        console.print(_comparisons(summary))
    for published in summary["published"]:
        _whole(console, _published(published))
    for judge in summary["same_family_judges"]:
        console.print(f"{judge} judges plans of its own model family: its gains may flatter.", markup=False)
    for case in summary["invalid_cases"]:
        console.print(f"not run: {case['case_id']}: {case['error']}", markup=False)


def _headline(summary: dict[str, Any]) -> Any:
    from rich.table import Table

    n = summary["n_cases"] * summary["replicates"]
    editors = list(dict.fromkeys(editor for arms in summary["conditions"].values() for editor in arms))
    title = f"{summary['name']}: {summary['suite']}, N = {n}" + (f", {editors[0]}" if len(editors) == 1 else "")
    table = Table(title=title, title_justify="left")
    table.add_column("arm", no_wrap=True)
    for name in (f"{summary['metric']} (95% CI)", "R", "D", "agent + generations"):
        table.add_column(name, justify="right", no_wrap=name in {"R", "D"})
    table.add_column("ended")
    for condition, arms in summary["conditions"].items():
        for editor, arm in arms.items():
            calls = f"{arm['vector']['agent']:.2f} + {arm['vector']['generations']:.2f}"
            parts = (number(arm["required"]), number(arm["damage"]), calls, counts(arm["statuses"]))
            name = condition if len(editors) == 1 else f"{condition} · {editor}"
            table.add_row(name, headline(arm["score"]), *parts)
    return table


def _whole(console: Console, table: Any) -> None:
    """A wide table: a terminal folds it into its width, a file or a pipe takes it as it is."""
    if console.is_terminal:
        console.print(table)
        return
    unbounded = console.options.update(width=_WIDEST)
    type(console)(width=max(console.width, console.measure(table, options=unbounded).maximum)).print(table)


def _published(published: dict[str, Any]) -> Any:
    from rich.table import Table

    table = Table(title=published["title"], title_justify="left")
    for place, name in enumerate(published["columns"]):
        table.add_column(name, justify="right" if place else "left", overflow="fold")
    for row in published["rows"]:
        table.add_row(*row)
    return table


def _comparisons(summary: dict[str, Any]) -> Any:
    from rich.table import Table

    table = Table(title="Paired differences", title_justify="left")
    table.add_column("a - b", no_wrap=True)
    for name in ("difference (95% CI)", "p", "wins / ties / losses", "n"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("calls", ""):
        table.add_column(name, no_wrap=True)
    several = len({row["editor"] for row in summary["comparisons"]}) > 1
    for row in summary["comparisons"]:
        table.add_row(
            f"{row['a']} - {row['b']}" + (f" ({row['editor']})" if several else ""),
            f"{signed(row['delta'])} {interval(row['ci'])}",
            p_value(row["p"]),
            f"{row['wins']} / {row['ties']} / {row['losses']}",
            str(row["n"]),
            "matched" if row["is_matched"] else f"not matched in {row['matched']['n_differing']}",
            "exploratory" if row["exploratory"] else "primary" if row["primary"] else "declared",
        )
    return table


def rich_table(title: str, head: list[str], rows: list[list[str]], *, numbers_from: int = 1) -> Any:
    """A table; columns from `numbers_from` on are numbers, set flush right."""
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for place, name in enumerate(head):
        table.add_column(name, justify="right" if place >= numbers_from else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def shown(content: Any) -> None:
    """Prints a table, or a line as it is, on stdout."""
    from rich.console import Console

    # A condition's name may hold brackets, which would be read as markup.
    console = Console(markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(width=_WIDTH, markup=False, emoji=False)
    console.print(content, markup=False, highlight=False)
