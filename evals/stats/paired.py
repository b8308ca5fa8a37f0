"""Paired comparisons of two arms on the same cases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from editplan.errors import ConfigError
from editplan.evals.stats.intervals import Interval, difference_interval
from editplan.evals.stats.means import Label, parts_by
from editplan.evals.stats.samples import Floats, Resampling, Sample
from editplan.records import Record

TIE = 1e-9
"""Differences up to this size are rounding."""
ENUMERATED_UNITS = 14
"""Up to so many units with a difference, all sign patterns are tried."""


class PairedDifference(Record):
    """Arm a minus arm b over the cases that both have."""

    delta: float
    ci: Interval
    p: float
    """Two-sided mid-p of the permutation test that flips the sign of each unit."""
    wins: int
    """Cases where a is better."""
    ties: int
    losses: int
    n: int
    n_units: int


class McNemar(Record):
    """Pass rates of two arms on the same cases."""

    both: int
    only_a: int
    only_b: int
    neither: int
    p: float
    """Two-sided exact mid-p (Fagerland, Lydersen and Laake 2013)."""


def paired_difference(a: Sample, b: Sample, plan: Resampling | None = None) -> PairedDifference:
    """The difference a - b of two samples that hold the same cases in the same order.

    Raises `ConfigError` where they don't.
    """
    return difference_of(a.minus(b), plan)


def difference_of(gains: Sample, plan: Resampling | None = None) -> PairedDifference:
    """The paired difference from the cases' own differences."""
    plan = plan or Resampling()
    wins, losses = int((gains.values > TIE).sum()), int((gains.values < -TIE).sum())
    return PairedDifference(
        delta=gains.mean,
        ci=difference_interval(gains, plan),
        p=sign_flip_p(gains.sums, plan),
        wins=wins,
        ties=gains.n - wins - losses,
        losses=losses,
        n=gains.n,
        n_units=gains.n_units,
    )


def differences_by(
    gains: Sample, labels: Sequence[Label | None], plan: Resampling | None = None
) -> dict[Label, PairedDifference]:
    """The paired difference within each label's cases (regime, domain, difficulty, instruction length, ...).

    A case whose label is None is in no group.
    """
    return {label: difference_of(part, plan) for label, part in parts_by(gains, labels).items()}


def sign_flip_p(sums: Floats, plan: Resampling) -> float:
    """Two-sided mid-p of the sum of paired differences under random signs of the units.

    Mid-p counts half of the patterns that tie with the observed sum, the observed one among them, so that coarse
    scores with many ties keep the level instead of falling far below it. Exact up to 14 units with a difference,
    else from `plan.resamples` random patterns.
    """
    moved = sums[np.abs(sums) > TIE]
    if not moved.size:
        return 1.0
    observed, slack = abs(float(moved.sum())), 1e-9 * float(np.abs(moved).sum())
    totals = np.abs(_all_patterns(moved) if moved.size <= ENUMERATED_UNITS else _random_patterns(moved, plan))
    beyond, level = int((totals > observed + slack).sum()), int((np.abs(totals - observed) <= slack).sum())
    if moved.size > ENUMERATED_UNITS:
        return (beyond + 0.5 * (level + 1)) / (totals.size + 1)
    return (beyond + 0.5 * level) / totals.size


def mcnemar(a: Sequence[bool], b: Sequence[bool]) -> McNemar:
    """The four counts of two arms' passes and the test of equal pass rates."""
    from scipy.stats import binom

    if len(a) != len(b):
        raise ConfigError(f"{len(a)} passes against {len(b)}; McNemar's test needs the same cases in both arms")
    first, second = np.asarray(a, dtype=bool), np.asarray(b, dtype=bool)
    only_a, only_b = int((first & ~second).sum()), int((~first & second).sum())
    changed, fewer = only_a + only_b, min(only_a, only_b)
    p = 1.0
    if changed:
        p = min(1.0, 2.0 * float(binom.cdf(fewer, changed, 0.5)) - float(binom.pmf(fewer, changed, 0.5)))
    return McNemar(
        both=int((first & second).sum()),
        only_a=only_a,
        only_b=only_b,
        neither=int((~first & ~second).sum()),
        p=p,
    )


def _all_patterns(moved: Floats) -> Floats:
    """The sums under all 2^m sign patterns."""
    totals = np.zeros(1)
    for value in moved:
        totals = np.concatenate([totals + value, totals - value])
    return totals


def _random_patterns(moved: Floats, plan: Resampling) -> Floats:
    """The sums under random sign patterns; eight units share one random byte and one table of 256 partial sums."""
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
    padded = np.concatenate([moved, np.zeros(-moved.size % 8)]).reshape(-1, 8)
    table = (2.0 * bits - 1.0) @ padded.T
    eights = np.arange(padded.shape[0])
    drawn = np.random.default_rng(plan.seed).integers(256, size=(plan.resamples, eights.size), dtype=np.uint8)
    totals = np.zeros(plan.resamples)
    for column in eights:
        totals += table[drawn[:, column], column]
    return totals
