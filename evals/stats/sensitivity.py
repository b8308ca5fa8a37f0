"""Does a conclusion hang on a constant? The gain under every weight of damage, lambda 0..1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from editplan.evals.stats.means import MeanEstimate, estimate_mean
from editplan.evals.stats.paired import PairedDifference, paired_difference
from editplan.evals.stats.samples import Floats, Resampling, Sample
from editplan.records import Record

LAMBDAS = tuple(round(0.1 * step, 1) for step in range(11))


@dataclass(frozen=True, eq=False)
class ArmParts:
    """What one arm's scores are made of, one entry a case, all arms in the same order."""

    required: Floats
    damage: Floats
    gate_passed: Floats
    """1 where the gate passed, else 0; a share where replicates differ."""
    groups: Sequence[str | None] | None = None

    def scores(self, damage_weight: float) -> Sample:
        """`gate * max(0, R - lambda D)` of every case."""
        values = self.gate_passed * np.clip(self.required - damage_weight * self.damage, 0.0, 1.0)
        return Sample.of(values.tolist(), self.groups)


class SweptMean(Record):
    """An arm's mean score under one lambda."""

    damage_weight: float
    score: MeanEstimate


class SweptGain(Record):
    """A paired difference under one lambda."""

    damage_weight: float
    gain: PairedDifference


def lambda_sweep(
    arm: ArmParts, lambdas: Sequence[float] = LAMBDAS, plan: Resampling | None = None
) -> tuple[SweptMean, ...]:
    """The arm's mean score under each lambda; 0.5 is the published one."""
    return tuple(SweptMean(damage_weight=weight, score=estimate_mean(arm.scores(weight), plan)) for weight in lambdas)


def gain_sweep(
    a: ArmParts, b: ArmParts, lambdas: Sequence[float] = LAMBDAS, plan: Resampling | None = None
) -> tuple[SweptGain, ...]:
    """The paired difference a - b under each lambda."""
    return tuple(
        SweptGain(damage_weight=weight, gain=paired_difference(a.scores(weight), b.scores(weight), plan))
        for weight in lambdas
    )
