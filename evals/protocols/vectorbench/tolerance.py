"""Tolerances of the published evaluator (protocol section 4.3, table): how near to the target is near enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

X_ATTRIBUTES = frozenset({"cx", "rx", "width", "x", "x1", "x2"})
Y_ATTRIBUTES = frozenset({"cy", "height", "ry", "y", "y1", "y2"})
SLACK = 1e-9
CEILING = 0.90
"""Share of the requested change that no tolerance exceeds, so that the corrupted value can never pass."""


@dataclass(frozen=True, slots=True)
class Bound:
    """One row of the tolerance table: t = min(cap, max(floor, ratio * delta), 0.9 * delta)."""

    ratio: float
    cap: float
    floor: float

    def tolerance(self, delta: float | None) -> float:
        """The tolerance for a requested change of size delta; the cap if delta is unknown."""
        if delta is None:
            return self.cap
        if delta <= 0:
            return min(self.cap, self.floor)
        return min(self.cap, max(self.floor, delta * self.ratio), delta * CEILING)


COLOUR = Bound(ratio=0.45, cap=18.0, floor=4.0)
OPACITY = Bound(ratio=0.50, cap=0.12, floor=0.03)


@dataclass(frozen=True, slots=True)
class Viewport:
    """Width and height of the target in user units; they scale the caps."""

    width: float
    height: float

    def number(self, attribute: str, target: float) -> Bound:
        """The bound of a single number."""
        if attribute == "opacity":
            return OPACITY
        if attribute == "stroke-width":
            return Bound(ratio=0.50, cap=max(1.0, abs(target) * 0.40), floor=0.25)
        if attribute in X_ATTRIBUTES:
            cap = self.width * 0.025
        elif attribute in Y_ATTRIBUTES:
            cap = self.height * 0.025
        else:
            cap = min(self.width, self.height) * 0.02
        return Bound(ratio=0.50, cap=max(0.75, cap), floor=0.75)

    def number_list(self) -> Bound:
        """The bound of points and other lists of numbers."""
        return Bound(ratio=0.55, cap=max(0.75, min(self.width, self.height) * 0.03), floor=0.75)

    def path_shape(self) -> Bound:
        """The bound of the sampled shape of a path."""
        return Bound(ratio=0.70, cap=max(0.75, min(self.width, self.height) * 0.03), floor=0.75)

    def path_coordinates(self) -> Bound:
        """The bound of the coordinates of a path with the target's own commands."""
        return Bound(ratio=0.70, cap=max(0.5, min(self.width, self.height) * 0.025), floor=0.5)


@dataclass(frozen=True, slots=True)
class Match:
    """The result of one comparison; distances are in `unit`."""

    passed: bool
    comparison: str
    distance: float | None = None
    tolerance: float | None = None
    baseline_distance: float | None = None
    progress: float | None = None
    unit: str | None = None
    detail: str | None = None

    @classmethod
    def exact(cls, comparison: str, passed: bool, detail: str | None = None) -> Self:
        """A comparison without distances: all or nothing, in progress too."""
        return cls(passed, comparison, progress=1.0 if passed else 0.0, detail=detail)

    @classmethod
    def measured(cls, comparison: str, distance: float, delta: float | None, tolerance: float, unit: str) -> Self:
        """A comparison by distance, where delta is the distance of the corrupted value."""
        return cls(
            passed=distance <= tolerance + SLACK,
            comparison=comparison,
            distance=_rounded(distance),
            tolerance=_rounded(tolerance),
            baseline_distance=_rounded(delta),
            progress=progress(distance, delta),
            unit=unit,
        )


def progress(distance: float, delta: float | None) -> float | None:
    """clip(1 - distance / delta, 0, 1); without a delta 1 for an exact hit, else None."""
    if not math.isfinite(distance):
        return 0.0
    if delta is None:
        return 1.0 if distance <= SLACK else None
    if delta <= SLACK:
        return 1.0 if distance <= SLACK else 0.0
    return round(max(0.0, min(1.0, 1.0 - distance / delta)), 6)


def _rounded(number: float | None) -> float | None:
    return round(number, 6) if number is not None and math.isfinite(number) else None


def root_mean_square(left: Sequence[float], right: Sequence[float]) -> float:
    """RMS of the differences of two sequences of one length; infinite where squares leave the float range."""
    if not left:
        return 0.0
    try:
        return math.sqrt(math.fsum((a - b) ** 2 for a, b in zip(left, right, strict=True)) / len(left))
    except OverflowError:
        return math.inf
