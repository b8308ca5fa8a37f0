"""What statistics are made from: one value a case, and the unit that the case is resampled with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from editplan.errors import ConfigError
from editplan.records import Record

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bounds = tuple[float, float]

UNIT_RANGE: Bounds = (0.0, 1.0)


class Resampling(Record):
    """How often, from which seed and for which confidence level a sample is resampled."""

    resamples: int = Field(default=10_000, ge=100)
    seed: int = 0
    level: float = Field(default=0.95, gt=0.5, lt=1.0)


@dataclass(frozen=True, eq=False)
class Sample:
    """The values of n cases in U units; the unit is the scene group where a case has one, else the case itself."""

    values: Floats
    units: Ints
    """Index 0..U-1 of each case's unit."""
    bounds: Bounds = UNIT_RANGE
    """The least and greatest value that a case can have."""

    @classmethod
    def of(
        cls, values: Sequence[float], groups: Sequence[str | None] | None = None, bounds: Bounds = UNIT_RANGE
    ) -> Sample:
        """A sample from values (one a case) and scene groups (None for a case that stands alone).

        Raises `ConfigError` for an empty sample, a value that isn't finite or lies outside `bounds`, or group
        names that don't match the values.
        """
        found = np.asarray(values, dtype=np.float64)
        if found.ndim != 1 or not found.size:
            raise ConfigError("a sample needs at least one value, one a case")
        if not np.isfinite(found).all():
            raise ConfigError(f"value {int(np.flatnonzero(~np.isfinite(found))[0])} of a sample is not a number")
        low, high = bounds
        if found.min() < low - 1e-9 or found.max() > high + 1e-9:
            raise ConfigError(f"values {found.min():g}..{found.max():g} leave their range {low:g}..{high:g}")
        return cls(found, unit_indices(groups, found.size), bounds)

    @property
    def n(self) -> int:
        """Number of cases."""
        return int(self.values.size)

    @property
    def n_units(self) -> int:
        """Number of units that are resampled."""
        return int(self.units.max()) + 1

    @property
    def mean(self) -> float:
        """Mean over cases."""
        return float(self.values.mean())

    @cached_property
    def sums(self) -> Floats:
        """Sum of the values of each unit, (U,)."""
        sums = np.bincount(self.units, weights=self.values, minlength=self.n_units)
        return sums.astype(np.float64)

    @cached_property
    def sizes(self) -> Floats:
        """Number of cases of each unit, (U,)."""
        return np.bincount(self.units, minlength=self.n_units).astype(np.float64)

    @property
    def is_degenerate(self) -> bool:
        """Whether resampling can't tell anything: one unit, or all values equal."""
        return self.n_units < 2 or float(np.ptp(self.values)) <= 1e-12

    def minus(self, other: Sample) -> Sample:
        """The paired differences of two samples of the same cases in the same order."""
        if not np.array_equal(self.units, other.units):
            raise ConfigError("paired samples must hold the same cases in the same units, in the same order")
        low, high = self.bounds[0] - other.bounds[1], self.bounds[1] - other.bounds[0]
        return Sample(self.values - other.values, self.units, (low, high))


def unit_indices(groups: Sequence[str | None] | None, n: int) -> Ints:
    """The unit of each of `n` cases: cases of one group share it, a case without a group has its own."""
    if groups is None:
        return np.arange(n)
    if len(groups) != n:
        raise ConfigError(f"{len(groups)} scene groups for {n} values; give one a case, or None")
    seen: dict[object, int] = {}
    keys = [(at,) if group is None else group for at, group in enumerate(groups)]
    return np.array([seen.setdefault(key, len(seen)) for key in keys], dtype=np.int64)


def case_means(observations: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The mean of each case over its replicates and judge samples, in the order of first appearance."""
    collected: dict[str, list[float]] = {}
    for case, value in observations:
        collected.setdefault(case, []).append(value)
    return {case: float(np.mean(values)) for case, values in collected.items()}


def common_cases(*arms: Mapping[str, float]) -> tuple[str, ...]:
    """The cases that were measured in every arm, in the order of the first: what paired figures are made of."""
    first, *others = arms
    return tuple(case for case in first if all(case in other for other in others))
