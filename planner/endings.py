"""How a failure inside a graph becomes the end of its outcome."""

from __future__ import annotations

from editplan.errors import (
    BadReply,
    BudgetExceeded,
    CallFailure,
    Cancelled,
    EditorError,
    FateUnknown,
    ModelError,
    RateLimited,
    Refused,
    Unsupported,
)
from editplan.records import CallKind, Record, Refusal, Status
from editplan.secrets import masked


class Ending(Record):
    """An early end: its status, whose refusal it was if it was one, and a note in words."""

    status: Status
    note: str
    refusal: Refusal | None = None


Endable = CallFailure | BudgetExceeded | Cancelled | ModelError | EditorError
"""What a node may raise; everything else is a fault of ours or of the configuration and goes through."""

ENDABLE = (CallFailure, BudgetExceeded, Cancelled, ModelError, EditorError)

_BY_KIND = {"no_image": Status.NO_IMAGE, "bad_image": Status.BAD_IMAGE}


def ending_of(failure: Endable, node: str, provider: str) -> Ending:
    """The ending that `failure` makes in `node`, where `provider` is the model or editor that was asked."""
    note = masked(f"{node}: {failure}")
    if isinstance(failure, Refused):
        refusal = Refusal(
            stage=failure.stage, provider=provider, category=failure.category, text=masked(failure.reason)
        )
        refused_input = failure.stage == "input"
        status = Status.REFUSED_INPUT if refused_input else Status.REFUSED_OUTPUT
        return Ending(status=status, note=note, refusal=refusal)
    return Ending(status=_status(failure), note=note)


def agent_failed(node: str, reason: str) -> Ending:
    """The end of a graph whose agent calls gave nothing usable."""
    return Ending(status=Status.AGENT_FAILED, note=f"{node}: {reason}")


def _status(failure: Endable) -> Status:
    if isinstance(failure, BadReply):
        made = failure.record is None or failure.record.kind is CallKind.GENERATION
        return _BY_KIND.get(failure.kind, Status.PROVIDER_ERROR) if made else Status.PROVIDER_ERROR
    table: tuple[tuple[type[Exception], Status], ...] = (
        (RateLimited, Status.RATE_LIMITED),
        (FateUnknown, Status.TIMEOUT_UNKNOWN),
        (Unsupported, Status.UNSUPPORTED),
        (BudgetExceeded, Status.BUDGET_EXCEEDED),
        (Cancelled, Status.CANCELLED),
    )
    return next((status for kind, status in table if isinstance(failure, kind)), Status.PROVIDER_ERROR)
