"""The figures of an audit, from its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import Field

from editplan.evals.audit.agreeing import GROUPS, Agreement, agreement_by
from editplan.evals.audit.detecting import Detection, detection
from editplan.evals.audit.tasks import AuditRow
from editplan.evals.stats.intervals import difference_interval
from editplan.evals.stats.samples import Resampling, Sample
from editplan.records import Record


class ScoreError(Record):
    """SolveScore as judged minus SolveScore as it is, over outputs of one sort."""

    n: int
    mean: float | None
    """Bias: positive where the judge flatters."""
    lo: float | None
    hi: float | None
    mean_absolute: float | None

    @property
    def ci(self) -> tuple[float, float] | None:
        """The 95% interval of the mean."""
        return None if self.lo is None or self.hi is None else (self.lo, self.hi)


class AuditReport(Record):
    """What is known of a judge after an audit."""

    judge: str
    models: tuple[str, ...]
    """Model ids that the provider returned."""
    n_tasks: int
    statuses: dict[str, int]
    """How judging ended; only `scored` outputs are measured."""
    agreement: dict[str, tuple[Agreement, ...]] = Field(default_factory=dict)
    """On `puzzles`, by each of the groupings."""
    detection: Detection
    score_error: dict[str, ScoreError]
    """On all outputs, and on those with and without planted damage."""
    notes: tuple[str, ...] = ()


def audit_report(rows: Iterable[AuditRow], judge: str, notes: Sequence[str] = ()) -> AuditReport:
    """All figures; rows of judge failures are counted and left out of them."""
    every = list(rows)
    puzzles = [row for row in every if row.part == "puzzles"]
    pictures = [row for row in every if row.part == "pictures"]
    errors = {
        "all": every,
        "puzzles": puzzles,
        "pictures, damaged": [row for row in pictures if row.damaged],
        "pictures, no-ops": [row for row in pictures if not row.damaged],
    }
    return AuditReport(
        judge=judge,
        models=tuple(sorted({row.model for row in every} - {""})),
        n_tasks=len(every),
        statuses=dict(Counter(row.status for row in every)),
        agreement={name: agreement_by(puzzles, group) for name, group in GROUPS.items()} if puzzles else {},
        detection=detection(every),
        score_error={name: score_error(some) for name, some in errors.items() if some},
        notes=tuple(notes),
    )


def score_error(rows: Iterable[AuditRow]) -> ScoreError:
    """Bias and mean absolute error of the judged SolveScore, with a 95% interval of the bias over pictures."""
    scored = [(row, row.score_judged - row.score_true) for row in rows if row.judged and row.score_judged is not None]
    if not scored:
        return ScoreError(n=0, mean=None, lo=None, hi=None, mean_absolute=None)
    errors = [max(-1.0, min(1.0, error)) for _, error in scored]
    sample = Sample.of(errors, [row.unit for row, _ in scored], (-1.0, 1.0))
    found = difference_interval(sample, Resampling(resamples=2000))
    return ScoreError(
        n=len(errors),
        mean=sample.mean,
        lo=found.lo,
        hi=found.hi,
        mean_absolute=sum(map(abs, errors)) / len(errors),
    )
