"""RIG-Bench's tables: the common and the full rubric, open against closed items, each subtask."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean
from typing import Literal

from editplan.evals.protocols.rigbench.bootstrap import RESAMPLES, interval
from editplan.evals.protocols.rigbench.rubric import RubricScores, mean_scores
from editplan.evals.protocols.rigbench.subtasks import SUBTASKS, Subtask
from editplan.records import Record

Status = Literal["scored", "missing_output", "judge_failed", "unsupported"]

_TO_PERCENT = 20.0


class RigScore(Record):
    """One output, judged by several samples."""

    item_id: str
    subtask: Subtask
    status: Status = "scored"
    samples: tuple[RubricScores, ...] = ()
    """The usable ones; their number is the number used."""

    @property
    def scores(self) -> RubricScores | None:
        """The mean of the samples; all 0 for a missing output; None if nothing was measured."""
        if self.status == "missing_output":
            return RubricScores(visual_quality=0, structural_alignment=0, reasoning_correctness=0)
        return mean_scores(self.samples) if self.status == "scored" else None


class RigMean(Record):
    """One mean composite on 0 to 100."""

    mean: float | None
    """Over the measured items, a missing output as 0; None if nothing is measured."""
    ci: tuple[float, float] | None
    n: int
    """Items of the supported set."""
    missing_outputs: int
    unmeasured: int
    """Items whose judge gave no usable sample."""
    bounds: tuple[float, float] | None
    """The mean if every unmeasured item had 0, and if it had 100."""
    scored_only: float | None
    """The mean without the missing outputs, as the published per-subtask table seems to have it."""


class RigTable(Record):
    """All lines of one arm."""

    common: RigMean
    """The nine subtasks that every model is compared on."""
    full: RigMean
    """Everything that the arm supports."""
    open_ended: RigMean
    """Open items of the common set."""
    closed: RigMean
    open_minus_closed: float | None
    subtasks: dict[Subtask, RigMean]
    dimensions: dict[str, float | None]
    """Mean of each dimension over the common set, on 0 to 5."""
    unsupported: tuple[str, ...]
    """Items outside what the editor can take: in no mean."""


def table(scores: Iterable[RigScore], *, seed: int = 0, resamples: int = RESAMPLES) -> RigTable:
    """Item-level means, which is how the published figures come about, not means of subtask means."""
    rows = tuple(scores)
    supported = [row for row in rows if row.status != "unsupported"]
    common = [row for row in supported if SUBTASKS[row.subtask].common]

    def mean(members: list[RigScore]) -> RigMean:
        return _mean(members, seed, resamples)

    open_ended = mean([row for row in common if SUBTASKS[row.subtask].open_ended])
    closed = mean([row for row in common if not SUBTASKS[row.subtask].open_ended])
    gap = None
    if open_ended.mean is not None and closed.mean is not None:
        gap = open_ended.mean - closed.mean
    return RigTable(
        common=mean(common),
        full=mean(supported),
        open_ended=open_ended,
        closed=closed,
        open_minus_closed=gap,
        subtasks={
            subtask: mean(members)
            for subtask in Subtask
            if (members := [row for row in supported if row.subtask is subtask])
        },
        dimensions=_dimensions(common),
        unsupported=tuple(row.item_id for row in rows if row.status == "unsupported"),
    )


def composite_percent(score: RigScore) -> float | None:
    """An item's composite on 0 to 100; None if it wasn't measured."""
    scores = score.scores
    return None if scores is None else scores.composite * _TO_PERCENT


def _mean(rows: list[RigScore], seed: int, resamples: int) -> RigMean:
    values = [value for row in rows if (value := composite_percent(row)) is not None]
    produced = [value for row in rows if row.status == "scored" and (value := composite_percent(row)) is not None]
    unmeasured = len(rows) - len(values)
    bounds = None
    if unmeasured:
        bounds = (sum(values) / len(rows), (sum(values) + 100.0 * unmeasured) / len(rows))
    return RigMean(
        mean=fmean(values) if values else None,
        ci=interval(values, seed=seed, resamples=resamples),
        n=len(rows),
        missing_outputs=sum(row.status == "missing_output" for row in rows),
        unmeasured=unmeasured,
        bounds=bounds,
        scored_only=fmean(produced) if produced else None,
    )


def _dimensions(rows: list[RigScore]) -> dict[str, float | None]:
    measured = [scores for row in rows if (scores := row.scores) is not None]
    return {
        name: fmean(getattr(scores, name) for scores in measured) if measured else None
        for name in RubricScores.model_fields
    }
