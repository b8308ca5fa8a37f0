"""The domain-adjusted regime gap of RQ2 (SolveEdit 4.3).

Regimes are spread unevenly over domains, so a raw gap mixes both. The adjusted gap is the regime difference inside
each domain, averaged with weights that are the same for every pair of regimes: the domain's share of all cases.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from editplan.errors import ConfigError
from editplan.evals.stats.bootstrap import jackknife_influence, resampled_sums
from editplan.evals.stats.intervals import Interval, Resampled, percentile_interval
from editplan.evals.stats.samples import Floats, Resampling, Sample
from editplan.records import Record


class RegimeGap(Record):
    """A regime's mean minus the base regime's, raw and adjusted for domains."""

    regime: str
    base: str
    raw: float
    adjusted: float
    ci: Interval
    """Of the adjusted gap."""
    by_domain: dict[str, float]
    weights: dict[str, float]
    """Share of each domain among the cases of all domains that hold both regimes; they sum to 1."""
    left_out: tuple[str, ...]
    """Domains in which one of the two regimes has no case."""


def domain_adjusted_gap(
    sample: Sample,
    cells: Sequence[tuple[str, str]],
    regime: str,
    base: str = "IS",
    plan: Resampling | None = None,
) -> RegimeGap:
    """The gap `regime` - `base` of a metric; `cells` gives each case's (regime, domain), all regimes included.

    Raises `ConfigError` where no domain holds both regimes. A domain that loses a regime in a resample is left
    out of that resample.
    """
    if len(cells) != sample.n:
        raise ConfigError(f"{len(cells)} (regime, domain) pairs for {sample.n} cases; give one a case")
    regimes, domains = [cell[0] for cell in cells], [cell[1] for cell in cells]
    shared = [name for name in dict.fromkeys(domains) if {(regime, name), (base, name)} <= set(cells)]
    if not shared:
        raise ConfigError(f"no domain holds cases of both {regime} and {base}; the gap can't be adjusted")
    pooled = np.array([domains.count(name) for name in shared], dtype=np.float64)
    columns = _unit_columns(sample, cells, [(which, name) for which in (regime, base) for name in shared])
    gaps = _cell_gaps(columns.sum(axis=0)[None, :], len(shared))[0]
    plan = plan or Resampling()

    def statistic(sums: Floats) -> Floats:
        return _weighted(_cell_gaps(sums, len(shared)), pooled)

    adjusted = float(statistic(columns.sum(axis=0)[None, :])[0])
    resampled = Resampled(adjusted, statistic(resampled_sums(columns, plan)), jackknife_influence(columns, statistic))
    return RegimeGap(
        regime=regime,
        base=base,
        raw=_mean_where(sample, regimes, regime) - _mean_where(sample, regimes, base),
        adjusted=adjusted,
        ci=percentile_interval(resampled, plan.level),
        by_domain=dict(zip(shared, map(float, gaps), strict=True)),
        weights=dict(zip(shared, map(float, pooled / pooled.sum()), strict=True)),
        left_out=tuple(name for name in dict.fromkeys(domains) if name not in shared),
    )


def _mean_where(sample: Sample, regimes: Sequence[str], regime: str) -> float:
    return float(sample.values[np.array([found == regime for found in regimes])].mean())


def _unit_columns(sample: Sample, cells: Sequence[tuple[str, str]], wanted: list[tuple[str, str]]) -> Floats:
    """Sums, then sizes of the wanted cells in each unit: (U, 2 k)."""
    column = {cell: at for at, cell in enumerate(wanted)}
    k = len(wanted)
    columns = np.zeros((sample.n_units, 2 * k))
    for value, unit, cell in zip(sample.values, sample.units, cells, strict=True):
        at = column.get(cell)
        if at is not None:
            columns[unit, at] += value
            columns[unit, k + at] += 1.0
    return columns


def _cell_gaps(sums: Floats, domains: int) -> Floats:
    """(r, 4 d) cell sums and sizes to (r, d) differences regime - base; NaN where a cell is empty."""
    with np.errstate(divide="ignore", invalid="ignore"):
        means = sums[:, : 2 * domains] / sums[:, 2 * domains :]
    return np.asarray(means[:, :domains] - means[:, domains:])


def _weighted(gaps: Floats, weights: Floats) -> Floats:
    """Weighted mean over the defined domains of each row; NaN where none is defined."""
    defined = np.isfinite(gaps)
    total = (defined * weights).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((np.where(defined, gaps, 0.0) * weights).sum(axis=1) / total)
