"""Resampling units with replacement, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from editplan.evals.stats.samples import Floats, Resampling

CHUNK_ELEMENTS = 1 << 20
"""Random indices held at once: 8 MB."""


def resampled_sums(columns: Floats, plan: Resampling) -> Floats:
    """Sums of each column (U, k) over U units drawn with replacement: (resamples, k), the same for the same seed."""
    units = columns.shape[0]
    rng = np.random.default_rng(plan.seed)
    rows = max(1, CHUNK_ELEMENTS // units)
    totals = np.empty((plan.resamples, columns.shape[1]))
    for start in range(0, plan.resamples, rows):
        stop = min(start + rows, plan.resamples)
        drawn = rng.integers(units, size=(stop - start, units))
        for column in range(columns.shape[1]):
            totals[start:stop, column] = columns[:, column][drawn].sum(axis=1)
    return totals


def resampled_means(sums: Floats, sizes: Floats, plan: Resampling) -> Floats:
    """Means over cases in each resample, (resamples,); sums and sizes are of the units."""
    if np.ptp(sizes) == 0:
        return resampled_sums(sums[:, None], plan)[:, 0] / float(sizes.sum())
    totals = resampled_sums(np.stack([sums, sizes], axis=1), plan)
    return np.asarray(totals[:, 0] / totals[:, 1])


def jackknife_influence(columns: Floats, statistic: Callable[[Floats], Floats]) -> Floats:
    """Each unit's influence on a statistic of the column sums, by leaving it out, (U,), mean 0.

    `statistic` maps (r, k) sums to (r,) values; a unit without which it isn't defined counts as without influence.
    """
    left_out = statistic(columns.sum(axis=0)[None, :] - columns)
    centre = float(np.nanmean(left_out))
    return np.asarray((columns.shape[0] - 1) * np.where(np.isfinite(left_out), centre - left_out, 0.0))
