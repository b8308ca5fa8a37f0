"""Draws the scores of whole experiments from planted rates, in memory and without a call.

A case's difficulty is one normal draw, shared by its scene and by all arms; each arm turns it into its own chance by
a Gaussian copula whose mean is the arm's rate exactly. So the true difference of two arms is known in closed form.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from editplan.evals.simulation.rates import Rates
from editplan.evals.solvescore import SOLVEEDIT_LAMBDA
from editplan.evals.stats.samples import Floats, Sample

Arm = tuple[str, str]
"""Condition and editor."""


def true_mean(rates: Rates, arm: Arm) -> float:
    """The expected judged score of an arm, 0..1."""
    right = rates.recovery(arm[0]) * rates.execution(arm[1])
    worth = 1.0 - SOLVEEDIT_LAMBDA * rates.damage * rates.damages
    return right * rates.detects * worth + (1.0 - right) * rates.false_alarm


def true_difference(rates: Rates, a: Arm, b: Arm) -> float:
    """The planted difference a − b."""
    return true_mean(rates, a) - true_mean(rates, b)


def drawn_scores(rates: Rates, arms: Sequence[Arm], rng: np.random.Generator) -> Floats:
    """Judged scores of one experiment, (arms, cases); NaN where the judge gave no verdict."""
    scenes = -(-rates.cases // rates.cases_per_scene)
    difficulty = np.repeat(rng.standard_normal(scenes), rates.cases_per_scene)[: rates.cases]
    scores = np.empty((len(arms), rates.cases))
    for at, (condition, editor) in enumerate(arms):
        chance = rates.recovery(condition) * rates.execution(editor)
        right = _happens(chance, difficulty, rates.unevenness, rng)
        damaged = rng.random(rates.cases) < rates.damages
        worth = np.where(damaged, 1.0 - SOLVEEDIT_LAMBDA * rates.damage, 1.0)
        called = rng.random(rates.cases) < np.where(right, rates.detects, rates.false_alarm)
        scores[at] = np.where(called, np.where(right, worth, 1.0), 0.0)
        scores[at, rng.random(rates.cases) < rates.judge_fails] = np.nan
    return scores


def _happens(chance: float, difficulty: Floats, unevenness: float, rng: np.random.Generator) -> np.ndarray:
    """Whether each case comes right: with probability `chance` on average, correlated by the shared difficulty."""
    from scipy.stats import norm

    own = rng.standard_normal(difficulty.size)
    latent = np.sqrt(unevenness) * difficulty + np.sqrt(1.0 - unevenness) * own
    return np.asarray(latent < norm.ppf(chance))


def units_of(rates: Rates) -> list[str]:
    """The scene of each case."""
    return [f"scene-{case // rates.cases_per_scene}" for case in range(rates.cases)]


def paired_gains(scores: Floats, a: int, b: int, units: Sequence[str]) -> Sample | None:
    """The differences of two arms over the cases that both were judged on; None where there is none."""
    kept = np.flatnonzero(np.isfinite(scores[a]) & np.isfinite(scores[b]))
    if not kept.size:
        return None
    differences = (scores[a, kept] - scores[b, kept]).tolist()
    return Sample.of(differences, [units[int(case)] for case in kept], (-1.0, 1.0))
