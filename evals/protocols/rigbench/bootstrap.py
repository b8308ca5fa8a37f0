"""The percentile bootstrap of RIG-Bench's tables: the item is the unit (arXiv 2609.02864, section 4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from editplan.evals.stats.bootstrap import resampled_sums
from editplan.evals.stats.samples import Resampling

RESAMPLES = 10_000


def interval(values: Sequence[float], *, seed: int = 0, resamples: int = RESAMPLES) -> tuple[float, float] | None:
    """The 95% percentile interval of the mean; None below two values, where resampling says nothing.

    For paired differences give the differences. `resamples=0` leaves the interval out.
    """
    if len(values) < 2 or not resamples:
        return None
    sample = np.asarray(values, dtype=np.float64)[:, None]
    means = resampled_sums(sample, Resampling(resamples=resamples, seed=seed))[:, 0] / len(values)
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)
