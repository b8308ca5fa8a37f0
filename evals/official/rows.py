"""What published figures are made from: an arm's runs, and how each ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from editplan.evals.cases import Case
from editplan.evals.judging import Verdicts
from editplan.evals.rows import RunRow
from editplan.evals.run import Run
from editplan.records import Record, Status

Ending = Literal["scored", "missing_output", "judge_failed", "unsupported"]
DASH = "-"


class PublishedTable(Record):
    """A table, ready to print."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ArmRow:
    """One run of an arm with one judge's word on it."""

    case: Case
    row: RunRow | None
    verdicts: Verdicts | None

    @property
    def ending(self) -> Ending:
        """What the run and its judging came to; a run that was not made is unmeasured."""
        if self.row is not None and self.row.outcome.status is Status.UNSUPPORTED:
            return "unsupported"
        status = self.verdicts.status if self.verdicts is not None else "judge_error"
        return status if status in ("scored", "missing_output") else "judge_failed"


@dataclass(frozen=True)
class Arm:
    """The runs of one condition with one editor, in the suite's order: the first replicate of each case.

    The published protocols make one output a case, and their scripts read one.
    """

    name: str
    rows: tuple[ArmRow, ...]

    @classmethod
    def of(cls, run: Run, condition: str, editor: str, judge: str) -> Arm:
        """The arm of a run under one judge."""
        found = []
        for case in run.cases:
            row = run.rows.get(next(run.keys_of(case, condition, editor)))
            found.append(ArmRow(case, row, row.score_of(judge) if row is not None else None))
        return cls(condition, tuple(found))


def percent(value: float | None, digits: int = 1) -> str:
    """A share of 0..1 in per cent."""
    return DASH if value is None else f"{value * 100:.{digits}f}"


def plain(value: float | None, digits: int = 2) -> str:
    """A number as it is."""
    return DASH if value is None else f"{value:.{digits}f}"


def bracketed(bounds: Sequence[float] | None, digits: int = 2, scale: float = 1.0) -> str:
    """`[low, high]`."""
    return DASH if bounds is None else f"[{bounds[0] * scale:.{digits}f}, {bounds[1] * scale:.{digits}f}]"
