"""How honest the statistics are: A/A rates, coverage of the intervals, predicted against realised power.

Draws experiments from populations with a known mean, two arms on the same cases, and counts how often the paired
test calls equal arms different and how often the 95% intervals hold the truth. Wanted: 3.5-6.5% and 93-97%.

    python benchmarks/statistics_calibration.py --experiments 1000 --cases 60 100
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from rich.console import Console
from rich.table import Table

from editplan.evals.stats.means import estimate_mean
from editplan.evals.stats.paired import paired_difference
from editplan.evals.stats.power import power_of
from editplan.evals.stats.samples import Floats, Resampling, Sample

Draw = Callable[[np.random.Generator, int], tuple[Floats, Floats]]
"""Scores of two arms, equal in distribution, on n cases of shared difficulty."""


@dataclass(frozen=True)
class Population:
    """A kind of score, and how many cases share a scene."""

    name: str
    draw: Draw
    cases_per_scene: int = 1


def atoms(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """SolveScores: ten atoms a case with the case's own pass rate, damage at half weight, clipped at 0."""
    skill = rng.beta(1.2, 0.8, n)

    def arm() -> Floats:
        required = rng.binomial(5, skill) / 5
        damage = rng.binomial(5, 0.3 * (1 - skill)) / 5
        return np.maximum(0.0, required - 0.5 * damage)

    return arm(), arm()


def passes(rate: float) -> Draw:
    """Pass or fail, with cases of different difficulty."""

    def draw(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        chance = rng.beta(4 * rate, 4 * (1 - rate), n)
        return (rng.random(n) < chance) * 1.0, (rng.random(n) < chance) * 1.0

    return draw


def skewed(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Mostly small scores with a long tail."""
    level = rng.beta(0.6, 3.0, n)
    return np.clip(level * rng.gamma(2, 0.5, n), 0, 1), np.clip(level * rng.gamma(2, 0.5, n), 0, 1)


def mostly_tied(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Arms that agree on three cases of four."""
    first, second = atoms(rng, n)
    return first, np.where(rng.random(n) < 0.75, first, second)


def scenes(rng: np.random.Generator, n: int) -> tuple[Floats, Floats]:
    """Three cases a scene; the scene moves each arm on its own."""
    count = -(-n // 3)
    base = rng.beta(2, 2, count)

    def arm() -> Floats:
        level = np.repeat(np.clip(base + rng.normal(0, 0.2, count), 0, 1), 3)[:n]
        return np.asarray(rng.binomial(10, level) / 10)

    return arm(), arm()


POPULATIONS = (
    Population("SolveScore", atoms),
    Population("pass rate 50%", passes(0.5)),
    Population("pass rate 90%", passes(0.9)),
    Population("skewed", skewed),
    Population("mostly tied", mostly_tied),
    Population("3 cases a scene", scenes, 3),
)


@dataclass
class Tally:
    """Counts over experiments."""

    significant: int = 0
    mean_covered: int = 0
    difference_covered: int = 0


def run(population: Population, cases: int, experiments: int, plan: Resampling) -> Tally:
    """Repeat one comparison of equal arms."""
    rng = np.random.default_rng([plan.seed, cases])
    truth = float(np.mean([population.draw(rng, 3000)[0].mean() for _ in range(400)]))
    tally = Tally()
    for number in range(experiments):
        first, second = population.draw(rng, cases)
        groups = [str(at // population.cases_per_scene) for at in range(cases)]
        a, b = Sample.of(first.tolist(), groups), Sample.of(second.tolist(), groups)
        own = plan.model_copy(update={"seed": number})
        result = paired_difference(a, b, own)
        tally.significant += result.p < 0.05
        tally.difference_covered += 0.0 in result.ci
        tally.mean_covered += truth in estimate_mean(a, own).ci
    return tally


def realised_power(effect: float, units: int, experiments: int, plan: Resampling) -> tuple[float, float]:
    """Predicted and realised power for a planted gain on noisy SolveScores."""
    rng = np.random.default_rng(plan.seed)
    spread, hits = 0.0, 0
    gains = rng.choice([-0.5, -0.1, 0.0, 0.0, 0.1, 0.5], size=200_000) + effect
    spread = float(gains.std())
    for number in range(experiments):
        drawn = rng.choice(gains, size=units)
        zero = Sample(np.zeros(units), np.arange(units), (0.0, 1.0))
        arm = Sample(drawn, np.arange(units), (-1.0, 1.0))
        hits += paired_difference(arm, zero, plan.model_copy(update={"seed": number})).p < 0.05
    return power_of(effect, spread, units), hits / experiments


def seconds_for_full_benchmark() -> float:
    """One paired comparison of 2,728 cases with 10,000 resamples."""
    rng = np.random.default_rng(0)
    a, b = (Sample.of(atoms(rng, 2728)[0].tolist()) for _ in range(2))
    started = time.perf_counter()
    paired_difference(a, b, Resampling(resamples=10_000))
    return time.perf_counter() - started


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--experiments", type=int, default=1000)
    parser.add_argument("--cases", type=int, nargs="+", default=[60, 100])
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    plan = Resampling(resamples=options.resamples, seed=options.seed)
    console = Console()
    table = Table("population", "cases", "A/A significant", "mean covered", "difference covered")
    for population in POPULATIONS:
        for cases in options.cases:
            tally = run(population, cases, options.experiments, plan)
            shares = (tally.significant, tally.mean_covered, tally.difference_covered)
            table.add_row(population.name, str(cases), *(f"{100 * s / options.experiments:.1f}%" for s in shares))
    console.print(table)
    table = Table("planted gain", "cases", "predicted power", "realised power")
    for effect, units in ((0.05, 100), (0.08, 100), (0.12, 60), (0.05, 300)):
        predicted, realised = realised_power(effect, units, options.experiments, plan)
        table.add_row(f"{effect:.2f}", str(units), f"{100 * predicted:.1f}%", f"{100 * realised:.1f}%")
    console.print(table)
    console.print(f"2,728 paired cases x 10,000 resamples: {seconds_for_full_benchmark():.2f} s")


if __name__ == "__main__":
    main()
