"""The rows of a run directory: one run each, its outcome and its scores."""

from __future__ import annotations

from editplan.evals.judging import ScoreStatus, Verdicts
from editplan.records import Outcome, Record, Status


class RunKey(Record):
    """One case × condition × editor × replicate."""

    case_id: str
    condition: str
    editor: str
    """The editor's spec as the experiment gives it."""
    replicate: int = 0


class ScoreRow(Record):
    """One judge's word on one output of a run."""

    judge: str
    draft: int = 0
    """0 = the final output; 1, 2, ... = a draft of the same outcome, in order."""
    verdicts: Verdicts

    @property
    def status(self) -> ScoreStatus:
        """How the judging ended."""
        return self.verdicts.status


class RunRow(Record):
    """What a run came to. A key without a row is `not_run`."""

    key: RunKey
    outcome: Outcome
    scores: tuple[ScoreRow, ...] = ()

    def score_of(self, judge: str, draft: int = 0) -> Verdicts | None:
        """What a judge said of the final output or of a draft; None if it was not asked."""
        return next((row.verdicts for row in self.scores if row.judge == judge and row.draft == draft), None)


JUDGE_FAILURES: frozenset[ScoreStatus] = frozenset(
    {"judge_refused", "judge_unparseable", "judge_incomplete", "judge_error"}
)
"""Missing measurements: asked again by `score`, never a number."""

SETTLED = frozenset({Status.OK, Status.UNSUPPORTED})
"""Nothing to gain from running them again, not even under `retry_failed`."""


def is_finished(row: RunRow, *, retry_failed: bool) -> bool:
    """Whether a run is read from its record rather than carried out again."""
    status = row.outcome.status
    return not status.is_fault and (status in SETTLED or not retry_failed)


def judges_to_ask(row: RunRow, judges: tuple[str, ...]) -> tuple[str, ...]:
    """The judges whose word on this run is missing or was a failure."""
    if row.outcome.status is Status.UNSUPPORTED:
        return ()

    def settled(judge: str, draft: int) -> bool:
        verdicts = row.score_of(judge, draft)
        return verdicts is not None and verdicts.status not in JUDGE_FAILURES

    drafts = range(len(row.outcome.drafts) + 1)
    return tuple(judge for judge in judges if not all(settled(judge, draft) for draft in drafts))
