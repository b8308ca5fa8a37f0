"""Options that `edit` and `batch` share: how an output is given back, and what a request may take."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from editplan.calls.layer import CallPolicy
    from editplan.records import Box

Editor = Annotated[str, typer.Option(help="An editor's spec.")]
Condition = Annotated[str, typer.Option(help="How the edit is planned; see the README's table.")]
FinishIt = Annotated[
    bool,
    typer.Option("--finish/--no-finish", help="Give back the source's size, alpha, profile and untouched pixels."),
]
Native = Annotated[bool, typer.Option("--native", help="Edit only a crop round the region, at its own resolution.")]
Deadline = Annotated[float | None, typer.Option(min=0.0, help="Seconds that one request may take.")]
MaxCost = Annotated[float | None, typer.Option(min=0.0, help="US dollars that one request may take.")]
Prices = Annotated[Path | None, typer.Option(help="A file with prices of your own (TOML).")]
ResendUnknown = Annotated[bool, typer.Option(help="Send requests again whose answer was never seen.")]

EMBEDDED_EDITOR = "embedded:raster?unparsed=refuse"


def finish_of(finish: bool, native: bool) -> Any:
    """What `finish=` of the agent gets."""
    from editplan.finish.settings import Finish

    return Finish(native_region=True) if native else finish


def box_of(text: str | None) -> Box | None:
    """`x1,y1,x2,y2` as four numbers. Raises `ConfigError` for anything else."""
    from editplan.errors import ConfigError

    if text is None:
        return None
    try:
        x1, y1, x2, y2 = (float(part) for part in text.split(","))
    except ValueError as error:
        raise ConfigError(f"--region {text!r}: give four numbers, x1,y1,x2,y2 in 0..1 of the picture") from error
    return (x1, y1, x2, y2)


def policy_of(prices: Path | None, *, resend_unknown: bool = False) -> CallPolicy:
    """The agent's policy. Raises `ConfigError` for a wrong prices file."""
    from editplan.calls.layer import CallPolicy
    from editplan.calls.prices import load_prices
    from editplan.calls.retry import RetryPolicy

    return CallPolicy(prices=load_prices(prices), retry=RetryPolicy(resend_unknown=resend_unknown))
