"""Is the machinery honest? Simulated experiments with planted truth, analysed by the shipped statistics.

* A/A: `direct` under two names; how often is a difference significant at 5%?
* Coverage: how often does the 95% interval hold the planted difference?
* Planner, editor and judge effects: is the planted difference recovered without bias?
* Power: does the prediction from a pilot's spread come true?

    python benchmarks/simulation_honesty.py --experiments 1000
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np

from editplan.evals.simulation.drawing import Arm, drawn_scores, paired_gains, true_difference, units_of
from editplan.evals.simulation.rates import Rates
from editplan.evals.stats.paired import difference_of
from editplan.evals.stats.power import pilot_of, power_of
from editplan.evals.stats.samples import Resampling

RESAMPLES = 1000
PILOT_CASES = 120
PILOTS = 40


@dataclass(frozen=True)
class Scenario:
    """Two arms under planted rates."""

    name: str
    rates: Rates
    a: Arm
    b: Arm


@dataclass(frozen=True)
class Found:
    """What came of a scenario."""

    truth: float
    bias: float
    bias_error: float
    """Standard error of the bias."""
    significant: float
    coverage: float
    predicted: float
    """Power as pilots of their own predict it, on average over them."""


def scenarios() -> tuple[Scenario, ...]:
    """A/A in two designs, then one planted effect of each part."""
    base = Rates(recovers={"direct": 0.45, "direct-b": 0.45}, executes={"weak": 0.6, "strong": 0.85}, unevenness=0.5)
    scenes = base.model_copy(update={"cases": 90, "cases_per_scene": 2, "unevenness": 0.7})
    planned = base.model_copy(update={"recovers": {"direct": 0.45, "plan": 0.65}})
    stronger = planned.model_copy(update={"cases": 90, "recovers": {"direct": 0.45, "plan": 0.6}})
    larger = planned.model_copy(update={"cases": 150, "recovers": {"direct": 0.45, "plan": 0.6}})
    doubtful = planned.model_copy(update={"detects": 0.85, "false_alarm": 0.1, "judge_fails": 0.05})
    same, plan = ("direct", "strong"), ("plan", "strong")
    return (
        Scenario("A/A", base, ("direct-b", "strong"), same),
        Scenario("A/A, two cases a scene", scenes, ("direct-b", "strong"), same),
        Scenario("planner: recovers .65 against .45", planned, plan, same),
        Scenario("planner: .60 against .45, 90 cases", stronger, plan, same),
        Scenario("planner: .60 against .45, 150 cases", larger, plan, same),
        Scenario("editor: executes .85 against .60", planned, plan, ("plan", "weak")),
        Scenario("judge: misses 15%, invents 10%, fails 5%", doubtful, plan, same),
    )


def examined(scenario: Scenario, experiments: int, seed: int) -> Found:
    """Draws and analyses `experiments` experiments."""
    rng = np.random.default_rng(seed)
    rates, arms = scenario.rates, (scenario.a, scenario.b)
    truth, units = true_difference(rates, *arms), units_of(rates)
    deltas, significant, covered = [], 0, 0
    for number in range(experiments):
        gains = paired_gains(drawn_scores(rates, arms, rng), 0, 1, units)
        assert gains is not None, "these rates leave cases to compare"
        found = difference_of(gains, Resampling(resamples=RESAMPLES, seed=seed + number))
        deltas.append(found.delta)
        significant += found.p < 0.05
        covered += truth in found.ci
    return Found(
        truth=truth,
        bias=float(np.mean(deltas)) - truth,
        bias_error=float(np.std(deltas)) / experiments**0.5,
        significant=significant / experiments,
        coverage=covered / experiments,
        predicted=_predicted(scenario, truth, rng),
    )


def _predicted(scenario: Scenario, truth: float, rng: np.random.Generator) -> float:
    """The mean power that pilots of their own predict for the planted difference."""
    rates = scenario.rates.model_copy(update={"cases": PILOT_CASES})
    units = units_of(rates)
    scenes = round(scenario.rates.cases * (1.0 - scenario.rates.judge_fails) ** 2 / rates.cases_per_scene)
    powers = []
    for _ in range(PILOTS):
        gains = paired_gains(drawn_scores(rates, (scenario.a, scenario.b), rng), 0, 1, units)
        assert gains is not None, "these rates leave cases to compare"
        powers.append(power_of(truth, pilot_of(gains).spread, scenes))
    return float(np.mean(powers))


def main() -> None:
    """Prints one line a scenario."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--experiments", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=20)
    options = parser.parse_args()
    began = time.monotonic()
    print(f"{'scenario':42} planted  bias (s.e.)       p<.05  predicted  coverage")
    for at, scenario in enumerate(scenarios()):
        it = examined(scenario, options.experiments, options.seed + 100_000 * at)
        print(
            f"{scenario.name:42} {it.truth:+.3f}  {it.bias:+.4f} ({it.bias_error:.4f})  "
            f"{it.significant:6.1%}    {it.predicted:6.1%}     {it.coverage:6.1%}"
        )
    print(f"{options.experiments} experiments a scenario, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
