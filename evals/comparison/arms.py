"""Two arms side by side: the cases that both measured, and the samples that statistics are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from editplan.evals.cases import Case
from editplan.evals.measures import CaseMeasure, case_measures
from editplan.evals.rows import RunRow
from editplan.evals.run import Run
from editplan.evals.stats.means import length_labels
from editplan.evals.stats.samples import Resampling, Sample
from editplan.evals.summary import groups_of

LENGTH = "instruction length"


@dataclass(frozen=True)
class Measured:
    """A run under one judge; what an arm measures is read once."""

    run: Run
    judge: str
    _known: dict[tuple[str, str], tuple[CaseMeasure, ...]] = field(default_factory=dict)

    @property
    def resampling(self) -> Resampling:
        """Seeded by the experiment."""
        return Resampling(seed=self.run.experiment.seed)

    def measures(self, condition: str, editor: str) -> tuple[CaseMeasure, ...]:
        """The headline of every supported case of an arm."""
        arm = condition, editor
        if arm not in self._known:
            self._known[arm] = case_measures(self.run, condition, editor, self.judge)
        return self._known[arm]

    def rows(self, condition: str, editor: str) -> list[RunRow | None]:
        """All runs of an arm, None for one that was not made."""
        return [self.run.rows.get(key) for key in self.run.keys(condition, editor)]

    @cached_property
    def labels(self) -> Mapping[str, Mapping[str, str]]:
        """Column → case id → group, for regime, the suite's columns, and the length of the goal."""
        cases = self.run.cases
        found: dict[str, dict[str, str]] = {"regime": {case.case_id: case.regime for case in cases if case.regime}}
        for case in cases:
            for column, value in groups_of(case).items():
                found.setdefault(column, {})[case.case_id] = value
        if cases:
            lengths = length_labels([case.request.goal for case in cases])
            found[LENGTH] = {case.case_id: length for case, length in zip(cases, lengths, strict=True)}
        return {column: names for column, names in found.items() if len(set(names.values())) > 1}


@dataclass(frozen=True, eq=False)
class ArmPair:
    """Condition `a` against `b` with one editor, over the cases that both measured."""

    a: str
    b: str
    editor: str
    cases: tuple[Case, ...]
    first: Sample
    second: Sample

    @cached_property
    def gains(self) -> Sample:
        """a − b, case by case."""
        return self.first.minus(self.second)

    def labels(self, names: Mapping[str, str]) -> list[str | None]:
        """Each case's group, None where it has none."""
        return [names.get(case.case_id) for case in self.cases]


def pair_of(measured: Measured, a: str, b: str, editor: str) -> ArmPair | None:
    """The pair, or None where no case was measured in both arms.

    Runs that ended in a fault, and judge failures, are in no paired difference.
    """
    of_b = {one.case.case_id: one.paired for one in measured.measures(b, editor)}
    found = [
        (one.case, one.paired, other)
        for one in measured.measures(a, editor)
        if one.paired is not None and (other := of_b.get(one.case.case_id)) is not None
    ]
    if not found:
        return None
    cases, first, second = zip(*found, strict=True)
    return ArmPair(a, b, editor, cases, _sample(measured, cases, first), _sample(measured, cases, second))


def restricted(pair: ArmPair, kept: Sequence[bool]) -> ArmPair | None:
    """The pair over some of its cases; None where none is kept."""
    places = [at for at, keep in enumerate(kept) if keep]
    if not places:
        return None
    cases = tuple(pair.cases[at] for at in places)
    units = [case.unit for case in cases]
    first, second = (
        Sample.of([float(sample.values[at]) for at in places], units, sample.bounds)
        for sample in (pair.first, pair.second)
    )
    return ArmPair(pair.a, pair.b, pair.editor, cases, first, second)


def _sample(measured: Measured, cases: Sequence[Case], values: Sequence[float]) -> Sample:
    return Sample.of(values, [case.unit for case in cases], measured.run.scale)
