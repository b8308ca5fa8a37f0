"""When an attempt is made again: our policy, the only one (SDK retries are off)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from pydantic import Field
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    wait_random_exponential,
)

from editplan.errors import BadReply, FateUnknown, RateLimited, Unavailable
from editplan.records import CallKind, Record

T = TypeVar("T")


class RetryPolicy(Record):
    """Attempts and pauses. Full jitter: a pause is uniform between 0 and min(cap, base · 2^attempt)."""

    agent_attempts: int = Field(default=4, ge=1)
    generation_attempts: int = Field(default=3, ge=1)
    base_s: float = Field(default=0.5, ge=0.0)
    cap_s: float = Field(default=30.0, ge=0.0)
    longest_retry_after_s: float = Field(default=120.0, ge=0.0)
    """A provider that asks for a longer pause ends the call as rate limited."""
    resend_unknown: bool = False
    """Whether a generation that may have been carried out is sent again."""

    def attempts(self, kind: CallKind) -> int:
        """The most wire attempts of one call."""
        return self.generation_attempts if kind is CallKind.GENERATION else self.agent_attempts


def may_succeed(error: BaseException, kind: CallKind, policy: RetryPolicy) -> bool:
    """Whether another attempt can help: never after a refusal or a wrong request."""
    if isinstance(error, FateUnknown):
        return kind is not CallKind.GENERATION or policy.resend_unknown
    if isinstance(error, RateLimited):
        return (error.retry_after_s or 0.0) <= policy.longest_retry_after_s
    return isinstance(error, (Unavailable, BadReply))


async def with_retries(attempt: Callable[[int], Awaitable[T]], kind: CallKind, policy: RetryPolicy) -> T:
    """Runs `attempt(n)` for n = 1, 2, ... until it returns or nothing more can help; raises its last failure."""
    jitter = wait_random_exponential(multiplier=policy.base_s, max=policy.cap_s)

    def pause(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = getattr(error, "retry_after_s", None)
        return max(asked or 0.0, jitter(state)) if asked is None else float(asked) + 0.1 * jitter(state)

    async for trial in AsyncRetrying(
        retry=retry_if_exception(lambda error: may_succeed(error, kind, policy)),
        stop=stop_after_attempt(policy.attempts(kind)),
        wait=pause,
        reraise=True,
    ):
        with trial:
            return await attempt(trial.retry_state.attempt_number)
    raise AssertionError("tenacity returns or raises")
