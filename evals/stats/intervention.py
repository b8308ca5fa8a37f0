"""The intervention study T / D / H / O and the perception-reasoning-generation cascade (RIG-Bench 4.4 and 4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from editplan.errors import ConfigError
from editplan.evals.stats.intervals import Interval, wilson
from editplan.evals.stats.means import MeanEstimate, estimate_mean
from editplan.evals.stats.paired import PairedDifference, difference_of, paired_difference
from editplan.evals.stats.samples import Bounds, Floats, Resampling, Sample
from editplan.records import Record

STAGES = ("perception", "reasoning", "generation")


@dataclass(frozen=True, eq=False)
class Interventions:
    """Scores of the same items under each condition, in one order."""

    text: Floats
    """T: the answer in words, judged as text."""
    direct: Floats
    """D."""
    thinking: Floats
    """H: conditioned on the very T answer."""
    oracle: Floats
    """O: conditioned on a given specification."""
    direct_again: Floats | None = None
    """A second draw of D, which shows how often D fails by chance alone."""
    pass_mark: float = 3.0
    bounds: Bounds = (0.0, 5.0)
    groups: Sequence[str | None] | None = None


class IntegrationGap(Record):
    """Share of items whose answer is right in words and renderable when given, and yet fails directly."""

    share: float
    ci: Interval
    noise_floor: float | None
    """The same share with a second D draw in O's place; None without one."""
    above_floor: PairedDifference | None
    n: int


class InterventionStudy(Record):
    """The four means and what they say about where a model fails."""

    text: MeanEstimate
    direct: MeanEstimate
    thinking: MeanEstimate
    oracle: MeanEstimate
    oracle_minus_direct: PairedDifference
    thinking_minus_direct: PairedDifference
    gap: IntegrationGap


class Stage(Record):
    """One stage's conditional pass rate."""

    name: str
    rate: float | None
    """None where no item reached the stage."""
    ci: Interval | None
    passed: int
    reached: int


class Cascade(Record):
    """P(P), P(R|P) and P(G|R): how far items get."""

    stages: tuple[Stage, ...]
    bottleneck: str | None
    """The stage with the smallest rate; a tie names the earlier one. None where nothing was measured."""


def intervention_study(scores: Interventions, plan: Resampling | None = None) -> InterventionStudy:
    """Means of T, D, H and O, the paired effects O - D and H - D, and the integration gap.

    Raises `ConfigError` where the conditions hold different numbers of items.
    """
    text, direct, thinking, oracle = (
        _sample(scores, values) for values in (scores.text, scores.direct, scores.thinking, scores.oracle)
    )
    return InterventionStudy(
        text=estimate_mean(text, plan),
        direct=estimate_mean(direct, plan),
        thinking=estimate_mean(thinking, plan),
        oracle=estimate_mean(oracle, plan),
        oracle_minus_direct=paired_difference(oracle, direct, plan),
        thinking_minus_direct=paired_difference(thinking, direct, plan),
        gap=integration_gap(scores, plan),
    )


def integration_gap(scores: Interventions, plan: Resampling | None = None) -> IntegrationGap:
    """T passes, O passes, D fails; beside it the share that a mere second draw of D would give."""
    mark = scores.pass_mark
    solved_in_words = (scores.text >= mark) & (scores.direct < mark)
    gap = (solved_in_words & (scores.oracle >= mark)).astype(np.float64)
    estimate = estimate_mean(Sample.of(gap.tolist(), scores.groups), plan)
    floor = above = None
    if scores.direct_again is not None:
        by_chance = (solved_in_words & (scores.direct_again >= mark)).astype(np.float64)
        floor = float(by_chance.mean())
        above = difference_of(Sample.of((gap - by_chance).tolist(), scores.groups, (-1.0, 1.0)), plan)
    return IntegrationGap(share=estimate.mean, ci=estimate.ci, noise_floor=floor, above_floor=above, n=estimate.n)


def cascade(
    perception: Sequence[float],
    reasoning: Sequence[float],
    generation: Sequence[float],
    pass_mark: float = 3.0,
) -> Cascade:
    """Conditional pass rates of three stages scored on the same items.

    R counts over items whose perception passes, G over items whose perception and reasoning pass.
    """
    scores = [np.asarray(values, dtype=np.float64) for values in (perception, reasoning, generation)]
    if len({values.size for values in scores}) != 1 or not scores[0].size:
        raise ConfigError("a cascade needs the same items in all three stages, at least one")
    reached = np.ones(scores[0].size, dtype=bool)
    stages = []
    for name, values in zip(STAGES, scores, strict=True):
        passed = reached & (values >= pass_mark)
        stages.append(_stage(name, int(passed.sum()), int(reached.sum())))
        reached = passed
    rates = [(stage.rate, at) for at, stage in enumerate(stages) if stage.rate is not None]
    return Cascade(stages=tuple(stages), bottleneck=STAGES[min(rates)[1]] if rates else None)


def _stage(name: str, passed: int, reached: int) -> Stage:
    rate, interval = (passed / reached, wilson(passed, reached)) if reached else (None, None)
    return Stage(name=name, rate=rate, ci=interval, passed=passed, reached=reached)


def _sample(scores: Interventions, values: Floats) -> Sample:
    if values.size != scores.direct.size:
        raise ConfigError(f"{values.size} scores against {scores.direct.size} of D; use the same items")
    return Sample.of(values.tolist(), scores.groups, scores.bounds)
