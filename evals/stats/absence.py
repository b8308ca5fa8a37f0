"""What missing measurements could have been: bounds that no assumption is needed for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from editplan.errors import ConfigError
from editplan.evals.solvescore import WeightedAtom, required_and_damage, solve_score
from editplan.evals.stats.samples import UNIT_RANGE, Bounds
from editplan.evals.verdicts import Verdict
from editplan.records import Record

Filler = Literal["pass", "fail"]


class BoundedMean(Record):
    """A mean over the measured cases, and what it would be if all missing ones were worst or best."""

    mean: float | None
    """None where nothing was measured."""
    lo: float
    hi: float
    n: int
    missing: int

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return self.missing == 0


def bounded_mean(values: Sequence[float | None], bounds: Bounds = UNIT_RANGE) -> BoundedMean:
    """The mean with its bounds over all cases; None is a judge failure, which is no number.

    A missing or unusable *output* is not missing here: it is a measured 0.
    """
    if not values:
        raise ConfigError("bounds need at least one case")
    found = np.array([value for value in values if value is not None], dtype=np.float64)
    missing = len(values) - found.size
    total = float(found.sum())
    return BoundedMean(
        mean=total / found.size if found.size else None,
        lo=(total + missing * bounds[0]) / len(values),
        hi=(total + missing * bounds[1]) / len(values),
        n=int(found.size),
        missing=missing,
    )


def bounded_difference(
    a: Sequence[float | None], b: Sequence[float | None], bounds: Bounds = UNIT_RANGE
) -> BoundedMean:
    """The mean of a - b over the cases judged in both arms, and its bounds over all cases.

    A case that is missing in one arm can still differ only as far as the other arm's value lets it.
    """
    if len(a) != len(b) or not a:
        raise ConfigError(f"{len(a)} values against {len(b)}; both arms need the same cases, at least one")
    low, high = bounds
    known = [x - y for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    worst = [(low if x is None else x) - (high if y is None else y) for x, y in zip(a, b, strict=True)]
    best = [(high if x is None else x) - (low if y is None else y) for x, y in zip(a, b, strict=True)]
    return BoundedMean(
        mean=float(np.mean(known)) if known else None,
        lo=float(np.mean(worst)),
        hi=float(np.mean(best)),
        n=len(known),
        missing=len(a) - len(known),
    )


def abstention_bounds(atoms: Sequence[WeightedAtom], verdicts: Sequence[Verdict]) -> tuple[float, float]:
    """The base score if every abstained atom had failed, and if every one had passed (lambda 0.5)."""
    lowest = solve_score(*required_and_damage(atoms, _filled(verdicts, "fail")))
    highest = solve_score(*required_and_damage(atoms, _filled(verdicts, "pass")))
    return lowest, highest


def _filled(verdicts: Sequence[Verdict], filler: Filler) -> list[Verdict]:
    return [filler if verdict == "abstain" else verdict for verdict in verdicts]
