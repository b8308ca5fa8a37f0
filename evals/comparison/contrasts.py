"""Contrasts of gains: group × condition, editor × condition, pooled over editors, and the adjusted regime gap."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from editplan.errors import ConfigError
from editplan.evals.comparison.arms import ArmPair, Measured, pair_of, restricted
from editplan.evals.stats.contrasts import Contrast, editor_contrast, group_contrast, pooled_gain
from editplan.evals.stats.paired import PairedDifference
from editplan.evals.stats.regimes import RegimeGap, domain_adjusted_gap
from editplan.evals.stats.samples import Sample
from editplan.records import Record

BASES = {"regime": "IS", "difficulty": "easy"}
"""The columns whose interaction with the condition is printed, and the group that others are held against."""


class GroupContrast(Record):
    """The gain of one group's cases minus that of another's."""

    column: str
    group: str
    base: str
    contrast: Contrast


class EditorContrast(Record):
    """The gain with one editor minus the gain with another, on the cases of both."""

    a: str
    b: str
    editor: str
    other: str
    difference: PairedDifference


class PooledGain(Record):
    """The gain a − b averaged over the editors within each case."""

    a: str
    b: str
    editors: tuple[str, ...]
    difference: PairedDifference


class ArmGap(Record):
    """An arm's regime gap, raw and adjusted for domains (SolveEdit RQ2)."""

    condition: str
    editor: str
    gap: RegimeGap


def interactions(measured: Measured, pair: ArmPair) -> tuple[GroupContrast, ...]:
    """Regime × condition and difficulty × condition, each group against its column's base.

    A contrast of groups within which nothing varies is left out: resampling can't tell how sure it is.
    """
    found = []
    for column, base in BASES.items():
        labels = pair.labels(measured.labels.get(column, {}))
        groups = [group for group in dict.fromkeys(labels) if group not in (None, base)]
        for group in groups if base in labels else []:
            contrast = _group_contrast(measured, pair, labels, str(group), base)
            if contrast is not None and contrast.ci.hi > contrast.ci.lo:
                found.append(GroupContrast(column=column, group=str(group), base=base, contrast=contrast))
    return tuple(found)


def _group_contrast(
    measured: Measured, pair: ArmPair, labels: Sequence[str | None], group: str, base: str
) -> Contrast | None:
    kept = restricted(pair, [label in (group, base) for label in labels])
    inside = [label for label in labels if label in (group, base)]
    if kept is None or not _enough([case.unit for case in kept.cases], inside, (group, base)):
        return None
    return group_contrast(kept.gains, inside, group, base, measured.resampling)


def _enough(units: Sequence[str], labels: Sequence[str | None], groups: Sequence[str]) -> bool:
    """Whether each group has two units, without which leaving one out tells nothing."""
    return all(len({unit for unit, label in zip(units, labels, strict=True) if label == each}) > 1 for each in groups)


def pooled(measured: Measured, a: str, b: str) -> PooledGain | None:
    """The gain over all editors on the cases that each of them measured; None for one editor or no common case."""
    pairs = _common(measured, a, b)
    if len(pairs) < 2:
        return None
    gains = {pair.editor: pair.gains for pair in pairs}
    return PooledGain(a=a, b=b, editors=tuple(gains), difference=pooled_gain(gains, measured.resampling))


def editor_contrasts(measured: Measured, a: str, b: str) -> tuple[EditorContrast, ...]:
    """Editor × condition for every two editors."""
    return tuple(
        EditorContrast(
            a=a,
            b=b,
            editor=first.editor,
            other=second.editor,
            difference=editor_contrast(first.gains, second.gains, measured.resampling),
        )
        for first, second in combinations(_common(measured, a, b), 2)
    )


def _common(measured: Measured, a: str, b: str) -> list[ArmPair]:
    """The pair under each editor, over the cases that all of them have."""
    pairs = [pair_of(measured, a, b, editor) for editor in measured.run.experiment.editors]
    found = [pair for pair in pairs if pair is not None]
    if not found:
        return []
    ids = set.intersection(*({case.case_id for case in pair.cases} for pair in found))
    kept = [restricted(pair, [case.case_id in ids for case in pair.cases]) for pair in found]
    return [pair for pair in kept if pair is not None]


def regime_gaps(measured: Measured, condition: str, editor: str) -> tuple[ArmGap, ...]:
    """SD − IS and RD − IS of an arm's score, adjusted for domains; nothing where no domain holds both regimes."""
    ones = [one for one in measured.measures(condition, editor) if one.value is not None and one.case.regime]
    cells = [(str(one.case.regime), one.case.domain) for one in ones]
    if not ones:
        return ()
    values = [one.value for one in ones if one.value is not None]
    units = [one.case.unit for one in ones]
    sample = Sample.of(values, units, measured.run.scale)
    found = []
    for regime in ("SD", "RD"):
        if not _enough(units, [cell[0] for cell in cells], (regime, "IS")):
            continue
        try:
            gap = domain_adjusted_gap(sample, cells, regime, "IS", measured.resampling)
        except ConfigError:
            # No domain holds both regimes: there is nothing to adjust.
            continue
        if gap.ci.hi > gap.ci.lo:
            found.append(ArmGap(condition=condition, editor=editor, gap=gap))
    return tuple(found)
