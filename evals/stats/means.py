"""Means over cases with their intervals, whole and by group."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np

from editplan.errors import ConfigError
from editplan.evals.stats.intervals import Interval, mean_interval
from editplan.evals.stats.samples import Resampling, Sample
from editplan.records import Record

Label = TypeVar("Label", bound=Hashable)


class MeanEstimate(Record):
    """A mean over cases."""

    mean: float
    ci: Interval
    n: int
    """Cases."""
    n_units: int
    """Units of resampling."""


def estimate_mean(sample: Sample, plan: Resampling | None = None) -> MeanEstimate:
    """Mean and confidence interval; every case weighs the same, units are resampled whole."""
    plan = plan or Resampling()
    return MeanEstimate(mean=sample.mean, ci=mean_interval(sample, plan), n=sample.n, n_units=sample.n_units)


def means_by(
    sample: Sample, labels: Sequence[Label | None], plan: Resampling | None = None
) -> dict[Label, MeanEstimate]:
    """The mean of each label's cases (regime, domain, difficulty, ...), in order of first appearance.

    A case whose label is None is in no group.
    """
    return {label: estimate_mean(part, plan) for label, part in parts_by(sample, labels).items()}


def parts_by(sample: Sample, labels: Sequence[Label | None]) -> dict[Label, Sample]:
    """The sample split by label; units keep together within a label."""
    if len(labels) != sample.n:
        raise ConfigError(f"{len(labels)} labels for {sample.n} cases; give one a case")
    places: dict[Label, list[int]] = {}
    for at, label in enumerate(labels):
        if label is not None:
            places.setdefault(label, []).append(at)
    parts = {}
    for label, rows in places.items():
        _, units = np.unique(sample.units[rows], return_inverse=True)
        parts[label] = Sample(sample.values[rows], units.astype(np.int64), sample.bounds)
    return parts


def length_labels(instructions: Sequence[str], bins: int = 3) -> tuple[str, ...]:
    """A label of instruction length for each case, in `bins` parts of about equal size, e.g. "1-9 words"."""
    words = np.array([len(text.split()) for text in instructions])
    edges = np.unique(np.quantile(words, np.linspace(0, 1, bins + 1)[1:-1], method="lower"))
    part = np.searchsorted(edges, words, side="left")
    names = {int(p): f"{words[part == p].min()}-{words[part == p].max()} words" for p in np.unique(part)}
    return tuple(names[int(p)] for p in part)
