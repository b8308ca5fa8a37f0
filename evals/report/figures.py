"""How numbers are written, in the report and on the terminal alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

DASH = "–"


def number(value: float | None, digits: int = 3) -> str:
    """A number, or a dash where there is none."""
    return DASH if value is None else f"{value:.{digits}f}"


def signed(value: float | None, digits: int = 3) -> str:
    """A difference with its sign."""
    return DASH if value is None else f"{value:+.{digits}f}"


def interval(ci: Sequence[float] | None, digits: int = 3) -> str:
    """`[low, high]`, or a dash."""
    return DASH if ci is None else f"[{ci[0]:.{digits}f}, {ci[1]:.{digits}f}]"


def p_value(p: float | None) -> str:
    """A p-value; very small ones as a bound."""
    return DASH if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def headline(score: Mapping[str, Any]) -> str:
    """Mean and interval, and where it is incomplete the word and the bounds."""
    text = f"{number(score['mean'])} {interval(score['ci'])}" if score["mean"] is not None else DASH
    if score["complete"]:
        return text
    return f"{text} incomplete, within {interval(score['bounds'])}"


def counts(values: Mapping[str, int]) -> str:
    """`ok 96, refused_input 4`."""
    return ", ".join(f"{name} {count}" for name, count in values.items()) or DASH


def money(cost_usd: float | None) -> str:
    """Dollars, or a dash where no provider told or charges."""
    return DASH if cost_usd is None else f"${cost_usd:.4f}" if cost_usd < 1 else f"${cost_usd:.2f}"


def matching(comparison: Mapping[str, Any]) -> str:
    """`matched`, or what differs and in how many runs."""
    if comparison["is_matched"]:
        return "matched"
    vector = comparison["matched"]
    names = {"agent": "agent calls", "generations": "generations"}
    unequal = " and ".join(text for name, text in names.items() if not vector[name])
    return f"not matched: {unequal} differ in {vector['n_differing']} runs"
