"""From rows to numbers: what each case of an arm measures, what is missing, and what the missing could be.

Three kinds of absence are kept apart. A missing or unusable output is the arm's own failure: the metric's floor,
in N. A judge failure or a run that was not made is a missing measurement: never a number, but bounds. Unsupported
lies outside the editor's set and outside N.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from editplan.evals.cases import Case
from editplan.evals.judging import Verdicts
from editplan.evals.rows import JUDGE_FAILURES, RunRow
from editplan.evals.run import Run
from editplan.evals.stats.means import estimate_mean
from editplan.evals.stats.samples import Resampling, Sample
from editplan.records import Record, Status

Extract = Callable[[Verdicts], float | None]


@dataclass(frozen=True)
class Measure:
    """One run's value."""

    value: float | None
    """None where nothing was measured."""
    final: bool = True
    """False where running or judging it again may change the value."""


@dataclass(frozen=True)
class CaseMeasure:
    """One case of an arm: replicates averaged."""

    case: Case
    value: float | None
    """Over the measured replicates."""
    low: float
    high: float
    """What the value could be, missing measurements and faults taken as all floor or all ceiling."""
    final: bool
    paired: float | None
    """The value for paired differences: as `value`, but without runs that ended in a fault."""


class Score(Record):
    """A mean over cases."""

    mean: float | None
    ci: tuple[float, float] | None
    """95%, resampled by scene group; None where it is not defined."""
    n: int
    """Cases measured."""
    bounds: tuple[float, float] | None
    complete: bool


def measure(row: RunRow | None, judge: str, floor: float, *, draft: int = 0) -> Measure | None:
    """The headline of one run; None if it lies outside the editor's supported set."""
    if row is None or row.outcome.status is Status.CANCELLED:
        return Measure(None, final=False)
    if row.outcome.status is Status.UNSUPPORTED:
        return None
    verdicts = row.score_of(judge, draft)
    if verdicts is None or verdicts.status in JUDGE_FAILURES:
        return Measure(None, final=False)
    if verdicts.status == "missing_output":
        given = verdicts.score
        return Measure(floor if given is None else given, final=not row.outcome.status.is_fault)
    return Measure(verdicts.score, final=not row.outcome.status.is_fault)


def case_measures(run: Run, condition: str, editor: str, judge: str, *, draft: int = 0) -> tuple[CaseMeasure, ...]:
    """The headline of every supported case of an arm, in the suite's order."""
    found = []
    for case in run.cases:
        rows = [run.rows.get(key) for key in run.keys_of(case, condition, editor)]
        each = [measure(row, judge, run.scale[0], draft=draft) for row in rows]
        measures = [one for one in each if one is not None]
        if measures:
            found.append(_case_measure(case, measures, run.scale))
    return tuple(found)


def _case_measure(case: Case, measures: Sequence[Measure], scale: tuple[float, float]) -> CaseMeasure:
    floor, ceiling = scale
    values = [one.value for one in measures if one.value is not None]
    sure = [one.value if one.final else None for one in measures]
    return CaseMeasure(
        case=case,
        value=_mean(values),
        low=sum(floor if value is None else value for value in sure) / len(sure),
        high=sum(ceiling if value is None else value for value in sure) / len(sure),
        final=None not in sure,
        paired=_mean([value for value in sure if value is not None]),
    )


def score_of(measures: Iterable[CaseMeasure], scale: tuple[float, float], seed: int) -> Score:
    """The mean with its interval; `complete` where every supported case is final."""
    every = tuple(measures)
    values = {one.case.case_id: (one.value, one.case.unit) for one in every if one.value is not None}
    found = None
    if values:
        numbers, units = zip(*values.values(), strict=True)
        found = estimate_mean(Sample.of(numbers, units, scale), Resampling(seed=seed))
    return Score(
        mean=found.mean if found else None,
        ci=(found.ci.lo, found.ci.hi) if found else None,
        n=len(values),
        bounds=(_mean([one.low for one in every]), _mean([one.high for one in every])) if every else None,
        complete=all(one.final for one in every),
    )


def part_of(rows: Iterable[RunRow | None], judge: str, extract: Extract) -> dict[str, Any]:
    """A part of the score that lies in 0..1 (D, a diagnostic) over judged outcomes: mean, n, bounds over N."""
    total, values = 0, []
    for row in rows:
        if row is not None and row.outcome.status is Status.UNSUPPORTED:
            continue
        total += 1
        verdicts = row.score_of(judge) if row is not None else None
        if verdicts is not None and verdicts.status == "scored" and (value := extract(verdicts)) is not None:
            values.append(value)
    missing = total - len(values)
    bounds = [sum(values) / total, (sum(values) + missing) / total] if total else None
    return {"mean": _mean(values), "n": len(values), "bounds": bounds}


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
