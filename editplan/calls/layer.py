"""The one road to a provider: budget → limiter → intent in the journal → send → result in the journal."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

from pydantic import Field

from editplan.calls.journal import CallRow, Ending, Journal
from editplan.calls.limiter import AdaptiveLimiter, LimitPolicy
from editplan.calls.limits import Allowance, RunLimits, RunMeter
from editplan.calls.prices import PriceTable, built_in_prices
from editplan.calls.retry import RetryPolicy, with_retries
from editplan.errors import (
    BadReply,
    Broken,
    CallFailure,
    Cancelled,
    EditplanError,
    FateUnknown,
    ImageError,
    RateLimited,
    Refused,
    Unavailable,
)
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
    concurrency: int | None = Field(default=None, ge=1)
    """The most requests that are out at a time, over all endpoints; None = only each endpoint's own limit."""
    prices: PriceTable = Field(default_factory=built_in_prices)
    """What calls cost where the provider doesn't say."""
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
    expected_tokens: int = 0
    """For a ceiling on tokens a minute; the true figure takes its place when the answer is there."""
    allowance: Allowance = field(default_factory=Allowance)
    """What the outcome that it belongs to may still take."""


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
    _gate: AbstractAsyncContextManager[None] = field(init=False, default_factory=nullcontext)
    _under_way: WeakValueDictionary[str, asyncio.Lock] = field(init=False, default_factory=WeakValueDictionary)

    def __post_init__(self) -> None:
        self.meter = RunMeter(self.policy.limits)
        if self.policy.concurrency is not None:
            self._gate = asyncio.Semaphore(self.policy.concurrency)

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
        if _is_lost(call, row) and not self.policy.retry.resend_unknown:
            unknown = FateUnknown(
                f"{call.model}: an earlier request was sent and its answer never recorded; it may have been billed. "
                "Set resend_unknown=true to send it again"
            )
            raise _with_record(unknown, _line(call, row, answered=False, failure="FateUnknown"))
        return None

    async def _send(self, call: Call[Answer]) -> Answered[Answer]:
        rows: list[CallRow] = []
        try:
            answer = await with_retries(lambda n: self._attempt(call, n, rows), call.kind, self.policy.retry)
        except CallFailure as failure:
            record = _line(call, rows[-1], answered=False, failure=type(failure).__name__)
            raise _with_record(failure, record) from failure.__cause__
        return Answered(answer, _line(call, rows[-1], answered=True))

    async def _attempt(self, call: Call[Answer], number: int, rows: list[CallRow]) -> Answer:
        """One wire attempt between its intent and its ending; what the journal then knows goes to `rows`."""
        limiter = self._limiter(call.endpoint)
        async with limiter.place(call.expected_tokens) as sent_at, self._gate:
            self.meter.check()
            call.allowance.check()
            attempt = await self.journal.begin(call.identity)
            self.meter.sent()
            began = time.monotonic()
            end: Answer | CallFailure
            try:
                end = await self._in_time(call)
            except asyncio.CancelledError:
                self.journal.end(attempt, call.key, Ending(state="cancelled", final=None))
                raise
            except CallFailure as failure:
                end = failure
                _tell(limiter, failure, sent_at)
                log.info("%s attempt %d of %s: %s", call.model, number, call.node, masked(str(failure)))
            except EditplanError as error:
                name, told = type(error).__name__, masked(str(error))
                broken = Ending(state="failed", final=name, failure=name, message=told)
                await asyncio.wrap_future(self.journal.end(attempt, call.key, broken))
                raise
            else:
                limiter.answered()
                limiter.took(sent_at, end.usage.tokens_in + end.usage.tokens_out)
        # The place is free while the ending is written.
        seconds = time.monotonic() - began
        if isinstance(end, CallFailure):
            usage = Usage() if end.usage is None else self._billed(call, end.usage)
            await self._write_down(call, attempt, _failed(end, usage, seconds), rows)
            raise end
        answer = end.model_copy(update={"usage": self._billed(call, end.usage)})
        await self._write_down(call, attempt, _answered(answer, seconds), rows)
        return answer

    async def _write_down(self, call: Call[Answer], attempt: int, ending: Ending, rows: list[CallRow]) -> None:
        row = await asyncio.wrap_future(self.journal.end(attempt, call.key, ending))
        assert row is not None, "a call that was begun has a row"
        rows.append(row)

    def _billed(self, call: Call[Answer], usage: Usage) -> Usage:
        """The usage with its cost, counted against the limits."""
        priced = self.policy.prices.priced(usage, call.model, in_process=call.in_process)
        self.meter.add(priced)
        call.allowance.add(priced)
        return priced

    async def _in_time(self, call: Call[Answer]) -> Answer:
        limit = None if call.in_process else (call.timeout_s or self.policy.default_timeout_s)
        try:
            async with asyncio.timeout(limit) as deadline:
                answer = await call.send()
        except ImageError as error:
            raise BadReply(f"{call.model}: {error}", kind="bad_image") from error
        except EditplanError:
            raise
        except Exception as error:
            # Whatever a third party's adapter raises: the attempt gets an ending all the same.
            if isinstance(error, TimeoutError) and deadline.expired():
                raise FateUnknown(f"{call.model}: no answer within {limit or 0:g} s") from error
            raise Broken(f"{call.model} raised {type(error).__name__}: {error}") from error
        if not isinstance(answer, call.answer):
            raise Broken(f"{call.model} returned a {type(answer).__name__} where a {call.answer.__name__} belongs")
        return answer

    async def overdue(self, call: Call[Answer]) -> FateUnknown | Cancelled:
        """What a call that the outcome's own deadline cut off came to: unknown if a request was out."""
        row = await self.journal.find(call.key)
        if row is None or not row.cut_off or call.in_process:
            return Cancelled(call.allowance.overdue)
        lost = FateUnknown(f"{call.model}: {call.allowance.overdue}; a request was out and may have been billed")
        lost.record = _line(call, row, answered=False, failure="FateUnknown")
        return lost

    def keep_limits(self) -> None:
        """Writes the history of each endpoint's limit into the journal; once, at a session's end."""
        session = time.time()
        rows = [
            (endpoint, session, change.at_s, change.limit, change.why)
            for endpoint, limiter in self.limiters.items()
            for change in limiter.history
        ]
        self.journal.submit(lambda db: db.executemany("INSERT INTO limits VALUES (?, ?, ?, ?, ?)", rows))

    def _limiter(self, endpoint: str) -> AdaptiveLimiter:
        return self.limiters.setdefault(endpoint, AdaptiveLimiter(self.policy.limit))


class RefusalText(Record):
    """A refusal as the journal keeps it."""

    reason: str
    category: str | None = None
    stage: str = "output"


def _answered(answer: Reply | Edited, seconds: float) -> Ending:
    return Ending(
        state="answered", final="answer", result=answer.model_dump_json(), seconds=seconds, usage=answer.usage
    )


def _is_lost(call: Call[Any], row: CallRow) -> bool:
    """Whether sending again might pay twice: the last attempt was cut off, or is a generation of unknown fate.

    An agent call that broke after sending is a fault like any other, and faults are asked again.
    """
    if call.in_process:
        return False
    return row.cut_off or (row.final == "FateUnknown" and call.kind is CallKind.GENERATION)


def _failed(failure: CallFailure, usage: Usage, seconds: float) -> Ending:
    result = None
    if isinstance(failure, Refused):
        kept = RefusalText(reason=masked(failure.reason), category=failure.category, stage=failure.stage)
        result = kept.model_dump_json()
    name = type(failure).__name__
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
