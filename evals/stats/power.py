"""How many cases a comparison needs, from the spread of a pilot's paired differences.

Normal theory for the mean of paired differences: the noncentral t distribution with units - 1 degrees of freedom
(Cohen 1988, chapter 2). The unit of counting is the unit of resampling, so a design with several cases a scene
counts scenes.
"""

from __future__ import annotations

import math

import numpy as np
from pydantic import Field

from editplan.errors import ConfigError
from editplan.evals.stats.samples import Floats, Sample
from editplan.records import Record

MOST_UNITS = 10_000_000


class Design(Record):
    """The level of the two-sided test and the power that is asked for."""

    alpha: float = Field(default=0.05, gt=0.0, lt=1.0)
    power: float = Field(default=0.8, gt=0.0, lt=1.0)


class Pilot(Record):
    """What a pilot says about a comparison."""

    delta: float
    spread: float
    """Standard deviation of the units' contributions to the mean difference."""
    cases_per_unit: float
    n_units: int


def pilot_of(gains: Sample) -> Pilot:
    """The pilot's mean difference and the spread that a unit adds; raises `ConfigError` below two units."""
    if gains.n_units < 2:
        raise ConfigError("a pilot needs at least two units to show a spread")
    per_unit = gains.n / gains.n_units
    contributions: Floats = (gains.sums - gains.mean * gains.sizes) / per_unit
    spread = math.sqrt(float((contributions**2).sum()) / (gains.n_units - 1))
    return Pilot(delta=gains.mean, spread=spread, cases_per_unit=per_unit, n_units=gains.n_units)


def power_of(effect: float, spread: float, units: int, alpha: float = 0.05) -> float:
    """Probability of p < alpha for a true mean difference `effect`, two-sided."""
    from scipy.stats import nct, t

    if units < 2:
        raise ConfigError("power needs at least two units")
    if spread <= 0.0:
        return 1.0 if effect else alpha
    freedom, shift = units - 1, abs(effect) / spread * math.sqrt(units)
    critical = float(t.ppf(1.0 - alpha / 2.0, freedom))
    upper = float(nct.sf(critical, freedom, shift))
    lower = float(nct.cdf(-critical, freedom, shift)) if shift < 5.0 else 0.0
    if math.isnan(upper):
        upper = 1.0 if shift > critical else 0.0  # far out in the tail, where scipy gives up
    return min(1.0, upper + (0.0 if math.isnan(lower) else lower))


def units_needed(effect: float, spread: float, design: Design | None = None) -> int:
    """The smallest number of units that reaches the design's power.

    Raises `ConfigError` for no effect, or one so small that more than ten million units would be needed.
    """
    design = design or Design()
    if effect == 0.0:
        raise ConfigError("an effect of 0 can't be detected at any size")
    low, high = 2, 4
    while power_of(effect, spread, high, design.alpha) < design.power:
        low, high = high, high * 2
        if high > MOST_UNITS:
            raise ConfigError(f"an effect of {effect:g} at a spread of {spread:g} needs over {MOST_UNITS} units")
    while low < high:
        middle = (low + high) // 2
        if power_of(effect, spread, middle, design.alpha) >= design.power:
            high = middle
        else:
            low = middle + 1
    return high


def detectable_effect(spread: float, units: int, design: Design | None = None) -> float:
    """The smallest true difference that `units` units detect with the design's power."""
    from scipy.optimize import brentq

    design = design or Design()
    if units < 2:
        raise ConfigError("a detectable effect needs at least two units")
    if spread <= 0.0:
        return 0.0
    most = spread * (50.0 / math.sqrt(units) + 200.0 / units)

    def lacking(effect: float) -> float:
        return power_of(effect, spread, units, design.alpha) - design.power

    while lacking(most) < 0.0:
        most *= 2.0
    return float(brentq(lacking, 0.0, most, xtol=1e-10 * max(spread, 1e-300), rtol=8 * np.finfo(float).eps))
