"""One comparison a − b: how the arms' calls match, and everything that is said about the difference."""

from __future__ import annotations

from typing import Literal

from editplan.errors import ConfigError
from editplan.evals.accounts import NAMED_CASES, Matched, matched, mean_vector
from editplan.evals.comparison.absent import PairBounds, pair_bounds
from editplan.evals.comparison.arms import ArmPair, Measured, pair_of
from editplan.evals.comparison.contrasts import GroupContrast, interactions
from editplan.evals.comparison.passing import passes
from editplan.evals.experiment import Comparison
from editplan.evals.measures import measure
from editplan.evals.rows import RunKey, RunRow
from editplan.evals.stats.difficulty import DifficultyTrend, gain_by_difficulty
from editplan.evals.stats.paired import McNemar, PairedDifference, difference_of, differences_by, mcnemar
from editplan.evals.stats.sensitivity import ArmParts, SweptGain, gain_sweep
from editplan.records import Record, Status

Standing = Literal["primary", "declared", "exploratory"]


class Details(Record):
    """The parts of a comparison that take resampling of their own."""

    groups: dict[str, dict[str, PairedDifference]]
    """Column (regime, domain, difficulty, ..., instruction length) → group → the difference within it."""
    interactions: tuple[GroupContrast, ...]
    """Column × condition: the gain of one group minus that of another."""
    sweep: tuple[SweptGain, ...]
    """Under each weight of damage, 0..1; empty for a metric without R and D."""
    difficulty: DifficultyTrend | None
    """Gain over `direct` against a direct replicate that is not in the gain; None without one."""


class PairComparison(Record):
    """Condition a against condition b with one editor."""

    a: str
    b: str
    editor: str
    standing: Standing
    matched: Matched
    vectors: dict[str, dict[str, float]]
    """Mean vector of each arm, under `a` and `b`, over the runs that both made."""
    difference: PairedDifference | None
    """None where no case was measured in both arms."""
    p_holm: float | None = None
    """Adjusted over the primary comparisons; None for the others."""
    passed: McNemar | None
    """A case passes where its mean over the replicates reaches `pass_mark`."""
    pass_mark: float
    bounds: PairBounds | None
    details: Details | None

    @property
    def matching(self) -> str:
        """`matched`, or what differs, in how many runs, and in which cases."""
        return matching_words(self.matched)


def matching_words(found: Matched) -> str:
    """The word *matched* where answered agent calls and generations agree in every run, else what differs."""
    if found.fully:
        return "matched"
    kinds = [name for name, equal in (("agent calls", found.agent), ("generations", found.generations)) if not equal]
    more = "" if len(found.differing) < NAMED_CASES else ", ..."
    return f"{' and '.join(kinds)} differ in {found.n_differing} runs: {', '.join(found.differing)}{more}"


def compare_pair(
    measured: Measured, comparison: Comparison, editor: str, standing: Standing, *, mark: float, detailed: bool
) -> PairComparison:
    """All figures of one pair; `mark` is the score from which a case counts as passed."""
    a, b = comparison.a, comparison.b
    both = [
        (x, y)
        for x, y in zip(measured.rows(a, editor), measured.rows(b, editor), strict=True)
        if x is not None and y is not None
    ]
    pair = pair_of(measured, a, b, editor)
    return PairComparison(
        a=a,
        b=b,
        editor=editor,
        standing=standing,
        matched=matched(both),
        vectors={"a": mean_vector(x for x, _ in both), "b": mean_vector(y for _, y in both)},
        difference=None if pair is None else difference_of(pair.gains, measured.resampling),
        passed=None if pair is None else _passed(pair, mark),
        pass_mark=mark,
        bounds=pair_bounds(measured, a, b, editor),
        details=_details(measured, pair) if detailed and pair is not None else None,
    )


def _passed(pair: ArmPair, mark: float) -> McNemar:
    a, b = ([passes(float(value), mark) for value in sample.values] for sample in (pair.first, pair.second))
    return mcnemar(a, b)


def _details(measured: Measured, pair: ArmPair) -> Details:
    groups = {}
    for column, names in measured.labels.items():
        by = differences_by(pair.gains, pair.labels(names), measured.resampling)
        groups[column] = {str(group): found for group, found in by.items()}
    return Details(
        groups=groups,
        interactions=interactions(measured, pair),
        sweep=_sweep(measured, pair),
        difficulty=_difficulty(measured, pair),
    )


def _sweep(measured: Measured, pair: ArmPair) -> tuple[SweptGain, ...]:
    a, b = (_parts(measured, pair, name) for name in (pair.a, pair.b))
    if a is None or b is None:
        return ()
    return gain_sweep(a, b, plan=measured.resampling)


def _parts(measured: Measured, pair: ArmPair, condition: str) -> ArmParts | None:
    """R, D and gate of each case, over its measured replicates; None for a metric that isn't made of them."""
    import numpy as np

    if measured.run.metric != "solvescore":
        return None
    columns: list[tuple[float, float, float]] = []
    for case in pair.cases:
        rows = [measured.run.rows.get(key) for key in measured.run.keys_of(case, condition, pair.editor)]
        found = [part for row in rows if (part := _part(measured, row)) is not None]
        if not found:
            return None
        columns.append(tuple(np.mean(found, axis=0)))
    required, damage, gate = np.array(columns).T
    return ArmParts(required, damage, gate, groups=[case.unit for case in pair.cases])


def _part(measured: Measured, row: RunRow | None) -> tuple[float, float, float] | None:
    one = measure(row, measured.judge, measured.run.scale[0])
    if row is None or one is None or one.value is None or not one.final:
        return None
    verdicts = row.score_of(measured.judge)
    if verdicts is None or verdicts.status == "missing_output" or verdicts.required is None:
        return (0.0, 0.0, 0.0)
    return (verdicts.required, verdicts.damage or 0.0, 1.0 if verdicts.gate in ("", "pass") else 0.0)


def _difficulty(measured: Measured, pair: ArmPair) -> DifficultyTrend | None:
    """The first direct replicate measures difficulty, the others are the baseline; only against `direct`."""
    run = measured.run
    if pair.b != "direct" or run.experiment.replicates < 2:
        return None
    low, high = run.scale
    arm: list[float] = []
    direct: list[list[float]] = []
    units: list[str] = []
    for case, value in zip(pair.cases, pair.first.values, strict=True):
        keys = run.keys_of(case, pair.b, pair.editor)
        values = [_value(measured, key) for key in keys]
        known = [each for each in values if each is not None]
        if len(known) == len(values):
            arm.append((float(value) - low) / (high - low))
            direct.append([(each - low) / (high - low) for each in known])
            units.append(case.unit)
    if len(set(units)) < 2:
        return None
    replicates = [list(column) for column in zip(*direct, strict=True)]
    try:
        return gain_by_difficulty(arm, replicates, units, measured.resampling)
    except ConfigError:
        # So few cases vary that a resample seldom has a slope: then there is none to tell.
        return None


def _value(measured: Measured, key: RunKey) -> float | None:
    row = measured.run.rows.get(key)
    if row is not None and row.outcome.status is Status.UNSUPPORTED:
        return None
    one = measure(row, measured.judge, measured.run.scale[0])
    return one.value if one is not None and one.final else None
