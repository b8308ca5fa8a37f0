"""Confidence intervals: BCa and percentile bootstrap, Wilson, and exact bounds where nothing varies.

Bootstrap quantiles are widened for the smallness of the sample as Hesterberg (2015, "What teachers should know
about the bootstrap", section 3.4) does: without it 60 cases give 93% where 95% is meant. Scores of one arm are
skewed, which BCa corrects. Paired differences are mostly ties with a few large values on either side, where BCa
takes chance skewness for real and covers 90%; they get percentiles, no side nearer than that of the t interval.
`benchmarks/statistics_calibration.py` measures all this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from editplan.errors import ConfigError
from editplan.evals.stats.bootstrap import resampled_means
from editplan.evals.stats.samples import Bounds, Floats, Resampling, Sample
from editplan.records import Record


class Interval(Record):
    """A confidence interval and how it was made: bca, percentile, wilson or exact."""

    lo: float
    hi: float
    method: str

    def __contains__(self, value: float) -> bool:
        return self.lo <= value <= self.hi


@dataclass(frozen=True, eq=False)
class Resampled:
    """A statistic, its resampled values, and what each unit adds to it."""

    estimate: float
    draws: Floats
    """Values in the resamples; NaN where it isn't defined there."""
    influence: Floats
    """Influence of each unit, (U,), mean 0; the standard error is sqrt(sum / (U (U - 1))) of their squares."""

    def defined(self) -> Floats:
        """The defined draws; raises `ConfigError` where there are too few to speak of an interval."""
        found = self.draws[np.isfinite(self.draws)]
        if found.size < 2 or self.influence.size < 2:
            raise ConfigError("a bootstrap interval needs at least two units and two defined resamples")
        return found


def mean_interval(sample: Sample, plan: Resampling) -> Interval:
    """The interval of one arm's mean over cases.

    Wilson for pass rates of unclustered cases, exact bounds where all values are equal or there is one unit, BCa
    else; percentiles where BCa isn't defined.
    """
    if sample.is_degenerate:
        return exact_bounds(sample.mean, sample.n_units, sample.bounds, plan.level)
    if sample.n_units == sample.n and sample.bounds == (0.0, 1.0) and np.isin(sample.values, (0.0, 1.0)).all():
        return wilson(int(sample.values.sum()), sample.n, plan.level)
    return bca_interval(_resampled_mean(sample, plan), plan.level)


def difference_interval(gains: Sample, plan: Resampling) -> Interval:
    """The interval of a mean of paired differences; exact bounds where all are equal or there is one unit."""
    if gains.is_degenerate:
        return exact_bounds(gains.mean, gains.n_units, gains.bounds, plan.level)
    found = percentile_interval(_resampled_mean(gains, plan), plan.level)
    low, high = gains.bounds
    return Interval(lo=max(low, found.lo), hi=min(high, found.hi), method=found.method)


def bca_interval(resampled: Resampled, level: float) -> Interval:
    """The bias-corrected and accelerated interval (Efron 1987).

    Falls back to percentiles where all draws lie on one side of the estimate or no unit has influence.
    """
    from scipy.stats import norm

    draws, estimate, influence = resampled.defined(), resampled.estimate, resampled.influence
    reach = _reach(influence.size, level)
    slack = 1e-12 * max(1.0, abs(estimate))
    below = float((draws < estimate - slack).mean()) + 0.5 * float((np.abs(draws - estimate) <= slack).mean())
    spread = float((influence**2).sum())
    if not 0.0 < below < 1.0 or spread <= 0.0:
        return percentile_interval(resampled, level)
    bias, acceleration = float(norm.ppf(below)), float((influence**3).sum()) / (6.0 * spread**1.5)
    shares = []
    for z in (bias - reach, bias + reach):
        room = 1.0 - acceleration * z
        if room <= 0.0:
            return percentile_interval(resampled, level)
        shares.append(float(norm.cdf(bias + z / room)))
    lo, hi = np.quantile(draws, shares)
    return Interval(lo=float(lo), hi=float(hi), method="bca")


def percentile_interval(resampled: Resampled, level: float) -> Interval:
    """Widened percentiles of the draws, no side nearer to the estimate than that of the t interval."""
    from scipy.stats import norm, t

    draws, units = resampled.defined(), resampled.influence.size
    reach = _reach(units, level)
    lo, hi = np.quantile(draws, [float(norm.cdf(-reach)), float(norm.cdf(reach))])
    error = math.sqrt(float((resampled.influence**2).sum()) / (units * (units - 1)))
    half = error * float(t.ppf(0.5 + level / 2, units - 1))
    return Interval(
        lo=min(float(lo), resampled.estimate - half),
        hi=max(float(hi), resampled.estimate + half),
        method="percentile",
    )


def _resampled_mean(sample: Sample, plan: Resampling) -> Resampled:
    influence = (sample.sums - sample.mean * sample.sizes) * (sample.n_units / sample.n)
    return Resampled(sample.mean, resampled_means(sample.sums, sample.sizes, plan), influence)


def _reach(units: int, level: float) -> float:
    """The normal quantile whose bootstrap percentile stands for a t interval of this many units."""
    from scipy.stats import t

    return math.sqrt(units / (units - 1)) * float(t.ppf(0.5 + level / 2, units - 1))


def exact_bounds(value: float, units: int, bounds: Bounds, level: float = 0.95) -> Interval:
    """Bounds of a mean when all `units` gave the same value (Clopper-Pearson at 0 or n of n).

    Other values may have any share up to 1 - (alpha / 2)^(1 / units), and lie anywhere in `bounds`.
    """
    unseen = 1.0 - ((1.0 - level) / 2.0) ** (1.0 / units)
    low, high = bounds
    return Interval(lo=value - unseen * (value - low), hi=value + unseen * (high - value), method="exact")


def wilson(passes: int, n: int, level: float = 0.95) -> Interval:
    """Wilson's score interval of a pass rate (Wilson 1927); z is 1.959963984540054 at 95%."""
    from scipy.stats import norm

    if not 0 <= passes <= n or n == 0:
        raise ConfigError(f"a pass rate needs 0 <= passes <= n and n > 0, not {passes} of {n}")
    z = float(norm.ppf(0.5 + level / 2))
    share, scale = passes / n, 1.0 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z / scale * math.sqrt(share * (1.0 - share) / n + z * z / (4 * n * n))
    return Interval(lo=max(0.0, centre - half), hi=min(1.0, centre + half), method="wilson")
