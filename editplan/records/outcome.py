"""How one case × condition × editor × replicate ended."""

from __future__ import annotations

from enum import StrEnum

from editplan.records.base import Record
from editplan.records.calls import Ledger
from editplan.records.media import Media
from editplan.records.plan import Plan


class Status(StrEnum):
    """The closed list of ends; every outcome has exactly one."""

    OK = "ok"
    AGENT_FAILED = "agent_failed"
    REFUSED_INPUT = "refused_input"
    REFUSED_OUTPUT = "refused_output"
    NO_IMAGE = "no_image"
    BAD_IMAGE = "bad_image"
    RATE_LIMITED = "rate_limited"
    PROVIDER_ERROR = "provider_error"
    TIMEOUT_UNKNOWN = "timeout_unknown"
    BUDGET_EXCEEDED = "budget_exceeded"
    UNSUPPORTED = "unsupported"
    CANCELLED = "cancelled"
    INTERNAL_ERROR = "internal_error"

    @property
    def is_fault(self) -> bool:
        """Whether it says nothing about the arm and is asked again on resume."""
        return self in _FAULTS


_FAULTS = frozenset(
    {
        Status.RATE_LIMITED,
        Status.PROVIDER_ERROR,
        Status.TIMEOUT_UNKNOWN,
        Status.BUDGET_EXCEEDED,
        Status.CANCELLED,
        Status.INTERNAL_ERROR,
    }
)


class Refusal(Record):
    """Who declined, at which stage, and in which words."""

    stage: str
    provider: str = ""
    category: str | None = None
    text: str = ""


class Outcome(Record):
    """What one request came to: an image or a text, the instruction that was sent, and every call."""

    status: Status
    media: Media | None = None
    text: str | None = None
    """For conditions that answer in words."""
    drafts: tuple[Media, ...] = ()
    """Earlier generations of the same outcome, in order."""
    instruction: str | None = None
    plan: Plan | None = None
    calls: Ledger = Ledger()
    refusal: Refusal | None = None
    seconds: float = 0.0
    """Wall time of the whole graph."""
    notes: tuple[str, ...] = ()
