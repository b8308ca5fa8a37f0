"""The one road to a provider: budget → limiter → intent in the journal → send → result in the journal."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from editplan.calls.journal import CallRow, Ending, Journal
from editplan.calls.limiter import AdaptiveLimiter, LimitPolicy
from editplan.calls.limits import RunLimits, RunMeter
from editplan.calls.retry import RetryPolicy, with_retries
from editplan.errors import BadReply, CallFailure, FateUnknown, ImageError, RateLimited, Refused, Unavailable
from editplan.protocols import Images
from editplan.records import CallKind, CallRecord, Edited, Record, Reply, Usage
from editplan.secrets import masked

log = logging.getLogger("editplan.calls")

Answer = TypeVar("Answer", Reply, Edited)


class CallPolicy(Record):
    """Everything that a user may set about calls."""

    retry: RetryPolicy = RetryPolicy()
    limit: LimitPolicy = LimitPolicy()
    limits: RunLimits = RunLimits()
    retry_failed: bool = False
    """Whether refusals of an earlier session are asked again."""
    default_timeout_s: float = 600.0
    """The deadline round one attempt where the model declares no `timeout_s`; drip-feeding servers outlive
    the SDKs' own time-outs."""


@dataclass(frozen=True)
class Call(Generic[Answer]):
    """One call, ready to be sent: who asks, for what, and how."""

    key: str
    kind: CallKind
    node: str
    ordinal: int
    reask: bool
    model: str
    endpoint: str
    in_process: bool
    timeout_s: float | None
    answer: type[Answer]
    send: Callable[[], Awaitable[Answer]]
    identity: dict[str, Any]


@dataclass
class Answered(Generic[Answer]):
    """An answer and its ledger line."""

    answer: Answer
    record: CallRecord


@dataclass
class Calls:
    """Shared by all outcomes of a run, or of one agent."""

    journal: Journal
    images: Images
    policy: CallPolicy = field(default_factory=CallPolicy)
    meter: RunMeter = field(init=False)
    limiters: dict[str, AdaptiveLimiter] = field(init=False, default_factory=dict)
    _under_way: WeakValueDictionary[str, asyncio.Lock] = field(init=False, default_factory=WeakValueDictionary)

    def __post_init__(self) -> None:
        self.meter = RunMeter(self.policy.limits)

    async def carry_out(self, call: Call[Answer]) -> Answered[Answer]:
        """Reads the call's answer back, or sends it.

        Raises the `CallFailure` that ended it, with `record` (its ledger line) set on the exception.
        Two callers with one key share one request.
        """
        async with self._under_way.setdefault(call.key, asyncio.Lock()):
            row = await self.journal.find(call.key)
            if row is not None and (known := self._replay(call, row)) is not None:
                return known
            return await self._send(call)

    def _replay(self, call: Call[Answer], row: CallRow) -> Answered[Answer] | None:
        if row.final == "answer" and row.result is not None:
            return Answered(call.answer.model_validate_json(row.result), _line(call, row, answered=True))
        if row.final == "Refused" and row.result is not None and not self.policy.retry_failed:
            refusal = RefusalText.model_validate_json(row.result)
            failure = Refused(refusal.reason, category=refusal.category, stage=refusal.stage)
            raise _with_record(failure, _line(call, row, answered=False, failure="Refused"))
        lost = row.unknown and not call.in_process and row.final in (None, "FateUnknown")
        if lost and not self.policy.retry.resend_unknown:
            unknown = FateUnknown(
                f"{call.model}: an earlier request was sent and its answer never recorded; it may have been billed. "
                "Set resend_unknown=true to send it again"
            )
            raise _with_record(unknown, _line(call, row, answered=False, failure="FateUnknown"))
        return None

    async def _send(self, call: Call[Answer]) -> Answered[Answer]:
        try:
            answer = await with_retries(lambda n: self._attempt(call, n), call.kind, self.policy.retry)
        except CallFailure as failure:
            record = await self._line(call, answered=False, failure=type(failure).__name__)
            raise _with_record(failure, record) from failure.__cause__
        return Answered(answer, await self._line(call, answered=True))

    async def _line(self, call: Call[Answer], *, answered: bool, failure: str | None = None) -> CallRecord:
        row = await self.journal.find(call.key)
        assert row is not None, "a call that was sent has a row"
        return _line(call, row, answered=answered, failure=failure)

    async def _attempt(self, call: Call[Answer], number: int) -> Answer:
        limiter = self._limiter(call.endpoint)
        async with limiter.place() as sent_at:
            self.meter.check()
            attempt = await self.journal.begin(call.identity)
            self.meter.sent()
            began = time.monotonic()
            try:
                answer = await self._deadline(call)
            except asyncio.CancelledError:
                self.journal.end(attempt, call.key, Ending(state="cancelled", final=None))
                raise
            except CallFailure as failure:
                seconds = time.monotonic() - began
                _tell(limiter, failure, sent_at)
                log.info("%s attempt %d of %s: %s", call.model, number, call.node, masked(str(failure)))
                await asyncio.wrap_future(self.journal.end(attempt, call.key, _failed(failure, seconds)))
                raise
            seconds = time.monotonic() - began
            limiter.answered()
            self.meter.add(answer.usage)
            ending = Ending(
                state="answered",
                final="answer",
                result=answer.model_dump_json(),
                seconds=seconds,
                usage=answer.usage,
            )
            await asyncio.wrap_future(self.journal.end(attempt, call.key, ending))
            return answer

    async def _deadline(self, call: Call[Answer]) -> Answer:
        limit = None if call.in_process else (call.timeout_s or self.policy.default_timeout_s)
        try:
            async with asyncio.timeout(limit):
                return await call.send()
        except TimeoutError as error:
            raise FateUnknown(f"{call.model}: no answer within {limit:g} s") from error
        except ImageError as error:
            raise BadReply(f"{call.model}: {error}", kind="bad_image") from error

    def _limiter(self, endpoint: str) -> AdaptiveLimiter:
        return self.limiters.setdefault(endpoint, AdaptiveLimiter(self.policy.limit))


class RefusalText(Record):
    """A refusal as the journal keeps it."""

    reason: str
    category: str | None = None
    stage: str = "output"


def _failed(failure: CallFailure, seconds: float) -> Ending:
    result = None
    if isinstance(failure, Refused):
        kept = RefusalText(reason=masked(failure.reason), category=failure.category, stage=failure.stage)
        result = kept.model_dump_json()
    name = type(failure).__name__
    usage = getattr(failure, "usage", None) or Usage()
    return Ending(
        state="failed",
        final=name,
        result=result,
        failure=name,
        message=masked(str(failure)),
        seconds=seconds,
        usage=usage,
    )


def _tell(limiter: AdaptiveLimiter, failure: CallFailure, sent_at: float) -> None:
    if isinstance(failure, RateLimited):
        limiter.rate_limited(sent_at, failure.retry_after_s)
    elif isinstance(failure, (Unavailable, FateUnknown)):
        limiter.server_error()


def _line(call: Call[Any], row: CallRow, *, answered: bool, failure: str | None = None) -> CallRecord:
    return CallRecord(
        key=call.key,
        node=call.node,
        kind=call.kind,
        ordinal=call.ordinal,
        reask=call.reask,
        answered=answered,
        wire_attempts=row.attempts,
        usage=row.usage,
        seconds=row.seconds,
        model=row.model if failure else _returned_model(row),
        failure=failure,
    )


def _returned_model(row: CallRow) -> str:
    returned = json.loads(row.result).get("model") if row.result else None
    return str(returned or row.model)


def _with_record(failure: CallFailure, record: CallRecord) -> CallFailure:
    failure.record = record
    return failure
