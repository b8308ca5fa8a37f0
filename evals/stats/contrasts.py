"""Contrasts of gains: between groups of cases (regime x condition), between editors, and pooled over editors."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from editplan.errors import ConfigError
from editplan.evals.stats.bootstrap import jackknife_influence, resampled_sums
from editplan.evals.stats.intervals import Interval, Resampled, percentile_interval
from editplan.evals.stats.paired import PairedDifference, difference_of
from editplan.evals.stats.samples import Floats, Ints, Resampling, Sample
from editplan.records import Record


class Contrast(Record):
    """A difference between two groups' means."""

    delta: float
    """Mean of `group` minus mean of `base`."""
    ci: Interval
    p: float
    """Two-sided, from a t distribution with the units' jackknife standard error."""
    n_group: int
    n_base: int


def group_contrast(
    gains: Sample, labels: Sequence[Hashable], group: Hashable, base: Hashable, plan: Resampling | None = None
) -> Contrast:
    """Mean value of one group's cases minus another's: with gains as values, regime x condition interaction.

    Units are resampled jointly, so scenes that lie in both groups are counted rightly. Raises `ConfigError` for a
    group without cases and for fewer than two units.
    """
    plan = plan or Resampling()
    member = np.array([[label == group, label == base] for label in labels], dtype=np.float64)
    if member.shape[0] != gains.n:
        raise ConfigError(f"{member.shape[0]} labels for {gains.n} cases; give one a case")
    counts = member.sum(axis=0)
    if not counts.all():
        raise ConfigError(f"no case has the label {(base if counts[0] else group)!r}")
    columns = _unit_columns(gains, member)
    delta = float(_difference_of_means(columns.sum(axis=0)[None, :])[0])
    interval, p = linear_inference(columns, delta, plan)
    return Contrast(delta=delta, ci=interval, p=p, n_group=int(counts[0]), n_base=int(counts[1]))


def editor_contrast(gains_a: Sample, gains_b: Sample, plan: Resampling | None = None) -> PairedDifference:
    """Editor x condition: the gain with one editor minus the gain with another, on the same cases."""
    return difference_of(gains_a.minus(gains_b), plan)


def pooled_gain(gains: Mapping[str, Sample], plan: Resampling | None = None) -> PairedDifference:
    """The gain averaged over editors within each case; all editors must hold the same cases in the same order.

    Editors are fixed, not sampled: the interval speaks of further cases with these editors.
    """
    samples = list(gains.values())
    if not samples:
        raise ConfigError("a pooled gain needs at least one editor")
    first = samples[0]
    if any(not np.array_equal(sample.units, first.units) for sample in samples):
        raise ConfigError("editors hold different cases; pool over the cases that all of them have")
    values = np.mean([sample.values for sample in samples], axis=0)
    return difference_of(Sample(values, first.units, first.bounds), plan)


def linear_inference(columns: Floats, delta: float, plan: Resampling) -> tuple[Interval, float]:
    """Interval and p of a difference of two ratios of sums; columns (U, 4) are sum, size, sum, size of the units."""
    from scipy.stats import t

    used = columns[(columns[:, 1] + columns[:, 3]) > 0]
    units = used.shape[0]
    if units < 2:
        raise ConfigError("a contrast needs at least two units")
    influence = jackknife_influence(used, _difference_of_means)
    error = float(np.sqrt((influence**2).sum() / (units * (units - 1))))
    draws = _difference_of_means(resampled_sums(used, plan))
    interval = percentile_interval(Resampled(delta, draws, influence), plan.level)
    p = 2.0 * float(t.sf(abs(delta) / error, units - 1)) if error > 0 else float(abs(delta) < 1e-12)
    return interval, p


def _unit_columns(gains: Sample, member: Floats) -> Floats:
    """Sum and size of the two groups in each unit, (U, 4)."""
    weights: list[Floats] = []
    for column in range(2):
        inside = member[:, column]
        weights += [gains.values * inside, inside]
    return np.stack([_per_unit(gains.units, weight) for weight in weights], axis=1)


def _per_unit(units: Ints, weight: Floats) -> Floats:
    return np.bincount(units, weights=weight).astype(np.float64)


def _difference_of_means(sums: Floats) -> Floats:
    """(r, 4) sums to (r,) differences; NaN where a group is empty."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3])
