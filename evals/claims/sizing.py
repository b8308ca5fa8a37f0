"""How many cases a claim needs, from the spread of a pilot run's paired differences, and what they cost."""

from __future__ import annotations

import math

from editplan.errors import ConfigError
from editplan.evals.claims.claim import Claim
from editplan.evals.claims.verdicts import gains_of
from editplan.evals.comparison.arms import Measured
from editplan.evals.experiment import Experiment
from editplan.evals.run import Run
from editplan.evals.stats.power import Design, Pilot, detectable_effect, pilot_of, power_of, units_needed
from editplan.evals.store import read_billed
from editplan.records import CallKind, Record


class Sizing(Record):
    """What one claim needs."""

    claim: Claim
    words: str
    pilot: Pilot
    alpha: float
    """The level after Bonferroni's correction over the claims, which Holm's never falls below."""
    effect: float
    """The true difference that is to be detected."""
    cases: int | None
    """Cases at which it is, with the asked power; None where no number is enough."""
    power_now: float
    """With the experiment's own number of cases."""
    detectable_now: float
    """The smallest difference beyond the margin that the experiment's own number of cases detects."""
    calls: dict[str, int] | None
    """Logical calls of `cases` cases over all arms and replicates, by kind."""
    cost_usd: float | None
    """None where the pilot's providers told no cost."""


def claims_of(experiment: Experiment) -> tuple[Claim, ...]:
    """The declared claims; else the primary comparisons, then all declared ones, each as a claim of a difference."""
    if experiment.claims:
        return experiment.claims
    pairs = [pair for pair in experiment.comparisons if pair.primary] or list(experiment.comparisons)
    if not pairs:
        raise ConfigError("nothing to plan for: declare [[claims]] or [[comparisons]] in the experiment file")
    return tuple(Claim(name=f"comparison-{at}", a=pair.a, b=pair.b) for at, pair in enumerate(pairs, start=1))


def size_claims(
    experiment: Experiment, pilot: Run, n_cases: int, design: Design, effect: float | None = None
) -> tuple[Sizing, ...]:
    """A sizing for every claim of `experiment`; without `effect`, for the difference that the pilot shows.

    Raises `ConfigError` where the pilot lacks an arm, or has fewer than two units.
    """
    claims = claims_of(experiment)
    strict = design.model_copy(update={"alpha": design.alpha / len(claims)})
    return tuple(_sizing(claim, pilot, n_cases, strict, effect) for claim in claims)


def _sizing(claim: Claim, pilot: Run, n_cases: int, design: Design, effect: float | None) -> Sizing:
    missing = [name for name in (claim.a, claim.b) if name not in pilot.experiment.conditions]
    gains = None if missing else gains_of(Measured(pilot, pilot.judges[0]), claim)
    if gains is None:
        what = f"the arm {missing[0]}" if missing else "a case measured in both arms"
        raise ConfigError(f"the pilot {pilot.experiment.name} lacks {what}, which claim {claim.name} needs")
    found = pilot_of(gains)
    sought = found.delta if effect is None else effect
    beyond = _beyond(claim, sought)
    units_now = max(2, round(n_cases / found.cases_per_unit))
    cases = _cases(beyond, found, design)
    return Sizing(
        claim=claim,
        words=claim.words,
        pilot=found,
        alpha=design.alpha,
        effect=sought,
        cases=cases,
        power_now=power_of(beyond, found.spread, units_now, design.alpha) if beyond > 0 else 0.0,
        detectable_now=detectable_effect(found.spread, units_now, design),
        calls=None if cases is None else _calls(pilot, cases),
        cost_usd=None if cases is None else _cost(pilot, cases),
    )


def _beyond(claim: Claim, effect: float) -> float:
    """How far a true difference lies on the claim's side of its margin; not above 0 where it doesn't."""
    if claim.says == "equal":
        return claim.margin - abs(effect)
    return (effect if claim.says == "greater" else -effect) - claim.margin


def _cases(beyond: float, found: Pilot, design: Design) -> int | None:
    if beyond <= 0.0:
        return None
    if found.spread <= 0.0:
        return math.ceil(2 * found.cases_per_unit)
    return math.ceil(units_needed(beyond, found.spread, design) * found.cases_per_unit)


def _calls(pilot: Run, cases: int) -> dict[str, int]:
    ledgers = [row.outcome.calls for row in pilot.rows.values()]
    judged = [score.verdicts.calls for row in pilot.rows.values() for score in row.scores]
    made = len({key.case_id for key in pilot.rows}) or 1
    return {
        kind.value: math.ceil(sum(ledger.logical(kind) for ledger in (*ledgers, *judged)) / made * cases)
        for kind in CallKind
    }


def _cost(pilot: Run, cases: int) -> float | None:
    billed = read_billed(pilot.folder)["cost_usd"]
    made = len({key.case_id for key in pilot.rows}) or 1
    return None if billed is None else float(billed) / made * cases
