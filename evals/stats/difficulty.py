"""Does planning help more where the direct edit fails?

Difficulty is measured on a direct replicate that isn't in the gain: were the same draw in both, even a constant
gain would correlate with difficulty (Oldham 1962), at -.5 for scores that are all noise.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from editplan.errors import ConfigError
from editplan.evals.stats.bootstrap import jackknife_influence, resampled_sums
from editplan.evals.stats.intervals import Interval, Resampled, percentile_interval
from editplan.evals.stats.means import MeanEstimate, means_by
from editplan.evals.stats.samples import Floats, Resampling, Sample
from editplan.records import Record


class DifficultyTrend(Record):
    """How the gain depends on how hard a case is without planning."""

    correlation: float | None
    """Pearson's r of gain and difficulty; None where one of them doesn't vary."""
    slope: float | None
    """Gain per unit of difficulty (least squares)."""
    ci: Interval | None
    """Of the slope."""
    by_third: dict[str, MeanEstimate]
    """Mean gain of the easiest, middle and hardest cases; ties keep together."""
    n: int


def gain_by_difficulty(
    arm: Sequence[float],
    direct: Sequence[Sequence[float]],
    groups: Sequence[str | None] | None = None,
    plan: Resampling | None = None,
) -> DifficultyTrend:
    """The trend of arm - direct over difficulty = 1 - direct.

    `direct` holds at least two replicates of the direct arm (each one score a case, 0..1): the first measures
    difficulty, the mean of the others is the baseline of the gain. Raises `ConfigError` for a single replicate.
    """
    if len(direct) < 2:
        raise ConfigError("gain against difficulty needs two direct replicates: one of them mustn't be in the gain")
    difficulty = 1.0 - np.asarray(direct[0], dtype=np.float64)
    baseline = np.mean([np.asarray(replicate, dtype=np.float64) for replicate in direct[1:]], axis=0)
    gains = Sample.of((np.asarray(arm, dtype=np.float64) - baseline).tolist(), groups, (-1.0, 1.0))
    plan = plan or Resampling()
    thirds = means_by(gains, _thirds(difficulty), plan)
    columns = _moments(difficulty, gains)
    total = columns.sum(axis=0)[None, :]
    slope, correlation = float(_slope(total)[0]), _correlation(difficulty, gains.values)
    if correlation is None or gains.n_units < 3:
        return DifficultyTrend(correlation=None, slope=None, ci=None, by_third=thirds, n=gains.n)
    draws, influence = _slope(resampled_sums(columns, plan)), jackknife_influence(columns, _slope)
    interval = percentile_interval(Resampled(slope, draws, influence), plan.level)
    return DifficultyTrend(correlation=correlation, slope=slope, ci=interval, by_third=thirds, n=gains.n)


def _moments(x: Floats, gains: Sample) -> Floats:
    """Count, sum x, sum y, sum xx, sum xy of each unit, (U, 5)."""
    y = gains.values
    parts = (np.ones_like(x), x, y, x * x, x * y)
    return np.stack([np.bincount(gains.units, weights=part) for part in parts], axis=1)


def _slope(moments: Floats) -> Floats:
    n, x, y, xx, xy = moments.T
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = xx - x * x / n
        return np.asarray(np.where(spread > 1e-12, (xy - x * y / n) / spread, np.nan))


def _correlation(x: Floats, y: Floats) -> float | None:
    if np.ptp(x) < 1e-12 or np.ptp(y) < 1e-12:
        return None
    return float(np.corrcoef(x, y)[0, 1])


def _thirds(difficulty: Floats) -> list[str]:
    edges = np.quantile(difficulty, [1 / 3, 2 / 3], method="lower")
    names = ("easiest", "middle", "hardest")
    return [names[int(part)] for part in np.searchsorted(edges, difficulty, side="left")]
