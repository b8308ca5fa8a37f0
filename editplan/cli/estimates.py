"""An estimate on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from editplan.calls.estimate import Estimate


def print_estimate(found: Estimate) -> None:
    """Calls, tokens and cost by model, and the sums, on stdout."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"Estimate from {found.basis}", title_justify="left")
    table.add_column("model", overflow="fold")
    for name in ("kind", "calls", "tokens in", "tokens out", "images", "USD"):
        table.add_column(name, justify="right")
    for line in found.lines:
        numbers = (line.calls, line.tokens_in, line.tokens_out, line.images_out)
        table.add_row(line.model, line.kind.value, *(f"{number:,}" for number in numbers), _usd(line.cost_usd))
    console = Console()
    console.print(table)
    console.print(f"{found.calls:,} calls, {_usd(found.cost_usd)}, about {found.minutes:.1f} minutes", markup=False)
    if found.spent_usd is not None:
        console.print(f"spent so far: {_usd(found.spent_usd)}; those calls are kept and not made again", markup=False)
    for model in found.unpriced:
        name = model.partition("?")[0]
        console.print(f'no price for {name}: give --prices with [[price]] match = "{name}"', markup=False)


def _usd(cost: float | None) -> str:
    return "unknown" if cost is None else f"${cost:.4f}"
