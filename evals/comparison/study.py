"""The intervention study of a run: T, D, H and O on the same items, and the cascade (RIG-Bench 4.4 and 4.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from editplan.evals.comparison.arms import Measured, pair_of
from editplan.evals.comparison.passing import pass_mark
from editplan.evals.measures import measure
from editplan.evals.run import Run
from editplan.evals.stats.intervention import Cascade, IntegrationGap, Interventions, cascade, integration_gap
from editplan.evals.stats.means import MeanEstimate, estimate_mean
from editplan.evals.stats.paired import PairedDifference, difference_of
from editplan.evals.stats.samples import Sample
from editplan.records import Record

ARMS: Mapping[str, tuple[str, ...]] = {
    "T": ("text_answer",),
    "D": ("direct",),
    "H": ("text_thinking:raw", "text_thinking"),
    "O": ("oracle:raw", "oracle"),
    "P": ("describe",),
}
"""The condition of each letter, the paper's own form first; P is the perception stage of the cascade."""


class Study(Record):
    """What the interventions of one editor say about where a model fails."""

    editor: str
    conditions: dict[str, str]
    """Letter → the condition that was run for it."""
    pass_mark: float
    means: dict[str, MeanEstimate]
    oracle_minus_direct: PairedDifference | None
    thinking_minus_direct: PairedDifference | None
    gap: IntegrationGap | None
    """T passes, O passes, D fails; None where one of them is missing or the answers in words were not judged."""
    cascade: Cascade | None
    """Perception, reasoning, generation (`describe`, `text_answer`, `text_thinking:raw` or else `direct`)."""


def study_run(run: Run, judge: str | None = None, given_mark: float | None = None) -> tuple[Study, ...]:
    """One study an editor; empty where a run holds no `direct` arm or neither H nor O."""
    found = {
        letter: next((name for name in names if name in run.experiment.conditions), None)
        for letter, names in ARMS.items()
    }
    held = {letter: name for letter, name in found.items() if name is not None}
    if "D" not in held or not {"H", "O"} & set(held):
        return ()
    measured = Measured(run, judge or run.judges[0])
    mark = pass_mark(run.metric, given_mark)
    return tuple(_study(measured, held, editor, mark) for editor in run.experiment.editors)


def _study(measured: Measured, held: Mapping[str, str], editor: str, mark: float) -> Study:
    def effect(letter: str) -> PairedDifference | None:
        pair = pair_of(measured, held[letter], held["D"], editor) if letter in held else None
        return None if pair is None else difference_of(pair.gains, measured.resampling)

    means = {letter: mean for letter, name in held.items() if (mean := _mean(measured, name, editor)) is not None}
    return Study(
        editor=editor,
        conditions=dict(held),
        pass_mark=mark,
        means=means,
        oracle_minus_direct=effect("O"),
        thinking_minus_direct=effect("H"),
        gap=_gap(measured, held, editor, mark),
        cascade=_cascade(measured, held, editor, mark),
    )


def _mean(measured: Measured, condition: str, editor: str) -> MeanEstimate | None:
    ones = [one for one in measured.measures(condition, editor) if one.value is not None]
    if not ones:
        return None
    values = [one.value for one in ones if one.value is not None]
    return estimate_mean(Sample.of(values, [one.case.unit for one in ones], measured.run.scale), measured.resampling)


def _gap(measured: Measured, held: Mapping[str, str], editor: str, mark: float) -> IntegrationGap | None:
    """The gap over items that T, D and O measured, beside its noise floor where D was drawn twice.

    With replicates each arm's first draw counts, so that all three are single draws as in the paper; the second
    draw of D is the floor.
    """
    if not {"T", "D", "O"} <= set(held):
        return None
    draws = {letter: _draw(measured, held[letter], editor, 0) for letter in ("T", "D", "O")}
    again = _draw(measured, held["D"], editor, 1)
    shared = _shared(*draws.values())
    if not shared:
        return None
    twice = all(case in again for case in shared)
    units = {case.case_id: case.unit for case in measured.run.cases}
    columns = {letter: np.array([values[case] for case in shared]) for letter, values in draws.items()}
    scores = Interventions(
        text=columns["T"],
        direct=columns["D"],
        thinking=columns["D"],
        oracle=columns["O"],
        direct_again=np.array([again[case] for case in shared]) if twice else None,
        pass_mark=mark - 1e-9,
        bounds=measured.run.scale,
        groups=[units[case] for case in shared],
    )
    return integration_gap(scores, measured.resampling)


def _cascade(measured: Measured, held: Mapping[str, str], editor: str, mark: float) -> Cascade | None:
    if not {"P", "T"} <= set(held):
        return None
    names = (held["P"], held["T"], held.get("H", held["D"]))
    stages = [_draw(measured, name, editor, 0) for name in names]
    shared = _shared(*stages)
    if not shared:
        return None
    perception, reasoning, generation = ([stage[case] for case in shared] for stage in stages)
    return cascade(perception, reasoning, generation, mark - 1e-9)


def _draw(measured: Measured, condition: str, editor: str, replicate: int) -> dict[str, float]:
    """The measured scores of one replicate, by case."""
    found = {}
    for case in measured.run.cases:
        keys = tuple(measured.run.keys_of(case, condition, editor))
        if replicate < len(keys):
            one = measure(measured.run.rows.get(keys[replicate]), measured.judge, measured.run.scale[0])
            if one is not None and one.value is not None and one.final:
                found[case.case_id] = one.value
    return found


def _shared(*stages: Mapping[str, float]) -> Sequence[str]:
    first, *others = stages
    return [case for case in first if all(case in other for other in others)]
