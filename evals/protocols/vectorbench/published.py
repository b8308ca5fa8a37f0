"""The printed form of the published tables, in percent with one decimal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from editplan.evals.protocols.vectorbench.tables import ModelRow, Share

Column = tuple[str, Callable[[ModelRow], str]]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share * 100:.1f}"


def _cost(row: ModelRow) -> str:
    return "-" if row.cost_usd is None else f"${row.cost_usd:.3f}"


def _interval(share: Share) -> str:
    low, high = share.interval
    return f"{low * 100:.2f}-{high * 100:.2f}"


_SHARED: tuple[Column, ...] = (
    ("Model", lambda row: row.model),
    ("Full", lambda row: _percent(row.full.value)),
    ("Near", lambda row: _percent(row.near.value)),
    ("Repair", lambda row: _percent(row.repair.value)),
    ("Progress", lambda row: _percent(row.progress)),
    ("Clean", lambda row: _percent(row.clean.value)),
    ("UCR", lambda row: _percent(row.ucr)),
    ("Valid", lambda row: _percent(row.valid.value)),
)
MAIN_COLUMNS: tuple[Column, ...] = (*_SHARED, ("Cost", _cost))
"""The paper's main table."""
FULL_COLUMNS: tuple[Column, ...] = (
    *_SHARED,
    ("Full 95% CI", lambda row: _interval(row.full)),
    ("Trunc.", lambda row: _percent(row.truncation.value)),
    ("Errors", lambda row: _percent(row.errors.value)),
)
"""The appendix table, with the Wilson interval of the headline beside it."""


def table(rows: Sequence[ModelRow], columns: Sequence[Column] = MAIN_COLUMNS) -> tuple[tuple[str, ...], ...]:
    """The header and one line of text cells a model, in the order given."""
    header = tuple(title for title, _ in columns)
    return (header, *(tuple(cell(row) for _, cell in columns) for row in rows))
