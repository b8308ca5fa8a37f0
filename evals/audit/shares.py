"""Shares with confidence intervals for outputs that come from few pictures."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from editplan.errors import ConfigError
from editplan.records import Record

LEVEL = 0.95


class Share(Record):
    """k of n, with the interval that follows from how much the units differ."""

    k: int
    n: int
    n_units: int
    share: float | None
    lo: float | None
    hi: float | None

    @property
    def ci(self) -> tuple[float, float] | None:
        """The 95% interval."""
        return None if self.lo is None or self.hi is None else (self.lo, self.hi)


def clustered_share(hits: Iterable[tuple[str, bool]]) -> Share:
    """The share of hits with a 95% interval; each hit comes with its unit (picture or scene).

    Wilson's interval at the effective sample size n / deff, shrunk by the squared ratio of the normal to the t
    quantile for the few units (Korn and Graubard 1998, "Confidence intervals for proportions with small expected
    number of positive counts estimated from survey data", section 2; they use it with Clopper-Pearson). The design
    effect is never taken below 1.
    """
    found = list(hits)
    if not found:
        return Share(k=0, n=0, n_units=0, share=None, lo=None, hi=None)
    k, n = sum(hit for _, hit in found), len(found)
    units: dict[str, list[bool]] = {}
    for unit, hit in found:
        units.setdefault(unit, []).append(hit)
    lo, hi = _wilson(k / n, effective_size(list(units.values())))
    return Share(k=k, n=n, n_units=len(units), share=k / n, lo=lo, hi=hi)


def effective_size(units: Sequence[Sequence[bool]]) -> float:
    """How many independent outputs the clustered ones are worth; at least 1."""
    from scipy.stats import norm, t

    n, count = sum(map(len, units)), len(units)
    share = sum(map(sum, units)) / n
    if count < 2:
        # One picture tells nothing about others: its outputs count as one.
        return 1.0
    if all(len(unit) == 1 for unit in units):
        return float(n)
    residuals = np.array([sum(unit) - share * len(unit) for unit in units])
    variance = count / (count - 1) * float((residuals**2).sum()) / n**2
    simple = share * (1.0 - share) / n
    effect = max(1.0, variance / simple) if simple > 0 else 1.0
    few = float(norm.ppf(0.5 + LEVEL / 2)) / float(t.ppf(0.5 + LEVEL / 2, count - 1))
    return max(1.0, n / effect * few**2)


def _wilson(share: float, n: float) -> tuple[float, float]:
    """Wilson's score interval (1927) for an n that needn't be whole."""
    from scipy.stats import norm

    if n <= 0:
        raise ConfigError("an interval needs at least one output")
    z = float(norm.ppf(0.5 + LEVEL / 2))
    scale = 1.0 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z / scale * math.sqrt(share * (1.0 - share) / n + z * z / (4 * n * n))
    # Rounding must not leave the estimate itself out at 0 and 1.
    return min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half))
