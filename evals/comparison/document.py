"""`compare_run`: every comparison of a run under one judge, as one record."""

from __future__ import annotations

from itertools import combinations

from editplan.evals.comparison.arms import Measured
from editplan.evals.comparison.contrasts import (
    ArmGap,
    EditorContrast,
    PooledGain,
    editor_contrasts,
    pooled,
    regime_gaps,
)
from editplan.evals.comparison.pairs import PairComparison, Standing, compare_pair
from editplan.evals.comparison.passing import pass_mark
from editplan.evals.experiment import Comparison
from editplan.evals.run import Run
from editplan.evals.settings import Difference, differing_settings
from editplan.evals.stats.multiplicity import holm
from editplan.evals.summary import same_family
from editplan.records import Record


class RunComparison(Record):
    """What a run says about the differences between its arms."""

    name: str
    suite: str
    metric: str
    judge: str
    n_cases: int
    same_family: bool
    """Whether planner and judge are models of one family."""
    settings: tuple[Difference, ...]
    """Where the arms were not run alike; empty in a fair comparison."""
    pairs: tuple[PairComparison, ...]
    pooled: tuple[PooledGain, ...]
    editor_contrasts: tuple[EditorContrast, ...]
    regime_gaps: tuple[ArmGap, ...]


def compare_run(run: Run, judge: str | None = None, given_mark: float | None = None) -> RunComparison:
    """All pairs of conditions per editor: declared ones with every detail, the others with their headline.

    Where none is declared, each condition is held against the first, in detail. Holm's adjustment runs over the
    primary comparisons of all editors.
    """
    measured = Measured(run, judge or run.judges[0])
    mark = pass_mark(run.metric, given_mark)
    declared, others = _split(run)
    pairs = [
        compare_pair(measured, each, editor, _standing(run, each), mark=mark, detailed=each in declared)
        for each in (*declared, *others)
        for editor in run.experiment.editors
    ]
    arms = [(condition, editor) for condition in run.experiment.conditions for editor in run.experiment.editors]
    gains = [found for each in declared if (found := pooled(measured, each.a, each.b)) is not None]
    return RunComparison(
        name=run.experiment.name,
        suite=run.suite,
        metric=run.metric,
        judge=measured.judge,
        n_cases=len(run.cases),
        same_family=same_family(run.experiment.planner, measured.judge),
        settings=differing_settings(run),
        pairs=_adjusted(pairs),
        pooled=tuple(gains),
        editor_contrasts=tuple(found for each in declared for found in editor_contrasts(measured, each.a, each.b)),
        regime_gaps=tuple(gap for arm in arms for gap in regime_gaps(measured, *arm)),
    )


def _split(run: Run) -> tuple[tuple[Comparison, ...], tuple[Comparison, ...]]:
    """The comparisons to be told in detail, and the rest."""
    conditions = run.experiment.conditions
    detailed = run.experiment.comparisons or tuple(Comparison(a=each, b=conditions[0]) for each in conditions[1:])
    known = {frozenset((each.a, each.b)) for each in detailed}
    rest = (Comparison(a=b, b=a) for a, b in combinations(conditions, 2) if frozenset((a, b)) not in known)
    return detailed, tuple(rest)


def _standing(run: Run, comparison: Comparison) -> Standing:
    if comparison not in run.experiment.comparisons:
        return "exploratory"
    return "primary" if comparison.primary else "declared"


def _adjusted(pairs: list[PairComparison]) -> tuple[PairComparison, ...]:
    tested = [at for at, pair in enumerate(pairs) if pair.standing == "primary" and pair.difference is not None]
    values = [difference.p for at in tested if (difference := pairs[at].difference) is not None]
    for at, corrected in zip(tested, holm(values), strict=True):
        pairs[at] = pairs[at].model_copy(update={"p_holm": corrected})
    return tuple(pairs)
