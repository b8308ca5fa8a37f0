"""From which score on a case counts as passed."""

from __future__ import annotations

from collections.abc import Mapping

PASS_MARKS: Mapping[str, float] = {
    "solvescore": 1.0,
    "specification_pass": 1.0,
    "mean_iou": 0.5,
    "rubric": 60.0,
}
"""On the metric's own scale: all that is required and no damage; half the area; 3 of 5 as RIG-Bench has it."""


def pass_mark(metric: str, given: float | None = None) -> float:
    """The mark that was given, else the metric's own, else its ceiling of 1."""
    return given if given is not None else PASS_MARKS.get(metric, 1.0)


def passes(value: float, mark: float) -> bool:
    """Whether a score reaches the mark; rounding doesn't fail a case."""
    return value >= mark - 1e-9
