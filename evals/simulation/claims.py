"""An experiment's claims on simulated experiments: how often they come out supported, and how honest that is."""

from __future__ import annotations

from collections import Counter

import numpy as np

from editplan.errors import ConfigError
from editplan.evals.claims.claim import Claim
from editplan.evals.claims.sizing import claims_of
from editplan.evals.claims.verdicts import ALPHA, decide, editors_of, p_against_margin
from editplan.evals.experiment import Experiment
from editplan.evals.simulation.drawing import Arm, drawn_scores, paired_gains, true_difference, units_of
from editplan.evals.simulation.rates import Rates
from editplan.evals.stats.multiplicity import holm
from editplan.evals.stats.paired import PairedDifference, difference_of
from editplan.evals.stats.power import pilot_of, power_of
from editplan.evals.stats.samples import Floats, Resampling, Sample
from editplan.records import Record

RESAMPLES = 2000
"""Fewer than in an analysis: thousands of experiments are analysed."""


class SimulatedClaim(Record):
    """What came of one claim."""

    claim: Claim
    words: str
    true_difference: float
    """Planted, averaged over the claim's editors."""
    mean_estimate: float
    coverage: float
    """Share of 95% intervals that hold the true difference."""
    verdicts: dict[str, float]
    """Share of experiments by verdict."""
    significant: float
    """Share with p < .05 against the margin, uncorrected."""
    predicted: float | None
    """That share as normal theory predicts it from one more experiment's spread; None for `equal`."""


class Simulated(Record):
    """What came of all claims."""

    experiments: int
    cases: int
    claims: tuple[SimulatedClaim, ...]


def simulate_claims(experiment: Experiment, rates: Rates, experiments: int = 200, seed: int = 0) -> Simulated:
    """Draws `experiments` experiments and judges the claims on each as `editplan claim` does.

    Raises `ConfigError` for claims about groups of cases, which a simulation doesn't have.
    """
    claims = claims_of(experiment)
    for claim in claims:
        if claim.where:
            raise ConfigError(f"claim {claim.name}: a simulation has no groups; leave `where` out to simulate it")
    arms = [(condition, editor) for condition in experiment.conditions for editor in experiment.editors]
    rng = np.random.default_rng(seed)
    units = units_of(rates)
    found: list[list[tuple[PairedDifference, float, str]]] = [[] for _ in claims]
    for number in range(experiments):
        scores = drawn_scores(rates, arms, rng)
        plan = Resampling(resamples=RESAMPLES, seed=seed + number)
        for place, judged in enumerate(_judged(claims, experiment, arms, scores, units, plan)):
            found[place].append(judged)
    wide = rates.model_copy(update={"cases": max(400, rates.cases)})
    pilot = drawn_scores(wide, arms, rng)
    claimed = tuple(
        _summed(claim, experiment, rates, each, _gains(claim, experiment, arms, pilot, units_of(wide)))
        for claim, each in zip(claims, found, strict=True)
    )
    return Simulated(experiments=experiments, cases=rates.cases, claims=claimed)


def _judged(
    claims: tuple[Claim, ...],
    experiment: Experiment,
    arms: list[Arm],
    scores: Floats,
    units: list[str],
    plan: Resampling,
) -> list[tuple[PairedDifference, float, str]]:
    gains = [_gains(claim, experiment, arms, scores, units) for claim in claims]
    p_values = [p_against_margin(claim, each, plan) for claim, each in zip(claims, gains, strict=True)]
    differences = [difference_of(each, plan) for each in gains]
    return [
        (difference, p, decide(claim, difference, corrected))
        for claim, difference, p, corrected in zip(claims, differences, p_values, holm(p_values), strict=True)
    ]


def _gains(claim: Claim, experiment: Experiment, arms: list[Arm], scores: Floats, units: list[str]) -> Sample:
    """The claim's differences, averaged over its editors where all of them were judged."""
    pooled = np.zeros((2, scores.shape[1]))
    editors = editors_of(claim, experiment)
    for editor in editors:
        pooled += scores[[arms.index((claim.a, editor)), arms.index((claim.b, editor))]] / len(editors)
    found = paired_gains(pooled, 0, 1, units)
    if found is None:
        raise ConfigError("no case was judged in both arms: lower judge_fails, or raise cases")
    return found


def _summed(
    claim: Claim,
    experiment: Experiment,
    rates: Rates,
    found: list[tuple[PairedDifference, float, str]],
    pilot: Sample,
) -> SimulatedClaim:
    editors = editors_of(claim, experiment)
    truth = float(np.mean([true_difference(rates, (claim.a, each), (claim.b, each)) for each in editors]))
    verdicts = Counter(verdict for _, _, verdict in found)
    return SimulatedClaim(
        claim=claim,
        words=claim.words,
        true_difference=truth,
        mean_estimate=float(np.mean([difference.delta for difference, _, _ in found])),
        coverage=float(np.mean([truth in difference.ci for difference, _, _ in found])),
        verdicts={name: verdicts[name] / len(found) for name in ("supported", "contradicted", "inconclusive")},
        significant=float(np.mean([p < ALPHA for _, p, _ in found])),
        predicted=None if claim.says == "equal" else _predicted(claim, truth, rates, pilot),
    )


def _predicted(claim: Claim, truth: float, rates: Rates, pilot: Sample) -> float:
    margin = claim.margin if claim.says == "greater" else -claim.margin
    found = pilot_of(pilot)
    units = round(rates.cases / rates.cases_per_scene)
    return power_of(truth - margin, found.spread, units, ALPHA)
