"""Adaptive concurrency, one limiter an endpoint."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic import Field

from editplan.records import Record


class LimitPolicy(Record):
    """Bounds of an endpoint's concurrency, and rates if the user gives any."""

    start: int = Field(default=16, ge=1)
    ceiling: int = Field(default=64, ge=1)
    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    server_error_pause_s: float = Field(default=1.0, ge=0.0)


class LimitChange(Record):
    """One entry of a limiter's history."""

    at_s: float
    limit: int
    why: str


class AdaptiveLimiter:
    """Grows while answers come back, is halved once per episode of 429s, and pauses growth after a 5xx.

    Until the first 429 it grows by one place an answer (doubling a round, like TCP's slow start), then by one place a
    round. An episode: requests that were already out when the limit was halved don't halve it again.
    """

    def __init__(self, policy: LimitPolicy) -> None:
        self._policy = policy
        self._limit = float(min(policy.start, policy.ceiling))
        self._active = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._began = time.monotonic()
        self._shrunk_at = -1.0
        self._no_growth_until = 0.0
        self._held_until = 0.0
        self._sent: deque[tuple[float, int]] = deque()
        self.history: list[LimitChange] = [LimitChange(at_s=0.0, limit=self.limit, why="start")]

    @property
    def limit(self) -> int:
        """How many requests may be out now."""
        return int(self._limit)

    @asynccontextmanager
    async def place(self, expected_tokens: int = 0) -> AsyncIterator[float]:
        """Waits for a place and gives the moment at which the request goes out."""
        await self._enter()
        try:
            yield await self._keep_rates(expected_tokens)
        finally:
            self._active -= 1
            self._wake()

    async def _enter(self) -> None:
        if self._active < self.limit and not self._waiting:
            self._active += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._active -= 1
                self._wake()
            raise

    def _wake(self) -> None:
        while self._waiting and self._active < self.limit:
            turn = self._waiting.popleft()
            if not turn.done():
                self._active += 1
                turn.set_result(None)

    async def _keep_rates(self, expected_tokens: int) -> float:
        for pause in iter(lambda: self._pause(expected_tokens), 0.0):
            await asyncio.sleep(pause)
        sent_at = time.monotonic()
        if self._policy.requests_per_minute or self._policy.tokens_per_minute:
            self._sent.append((sent_at, expected_tokens))
        return sent_at

    def took(self, sent_at: float, tokens: int) -> None:
        """A request that went out at `sent_at` took so many tokens, whatever was expected."""
        for place, (moment, _) in enumerate(self._sent):
            if moment == sent_at:
                self._sent[place] = (moment, tokens)
                return

    def _pause(self, expected_tokens: int) -> float:
        now = time.monotonic()
        while self._sent and self._sent[0][0] < now - 60.0:
            self._sent.popleft()
        held = self._held_until - now
        requests, tokens = self._policy.requests_per_minute, self._policy.tokens_per_minute
        full = requests is not None and len(self._sent) >= requests
        spent = sum(count for _, count in self._sent)
        full = full or (tokens is not None and bool(self._sent) and spent + expected_tokens > tokens)
        return max(0.0, held, self._sent[0][0] + 60.0 - now if full else 0.0)

    def answered(self) -> None:
        """An answer came back: grow, unless growth is paused."""
        if time.monotonic() < self._no_growth_until or self.limit >= self._policy.ceiling:
            return
        before = self.limit
        step = 1.0 if self._shrunk_at < 0.0 else 1.0 / self._limit
        self._limit = min(self._limit + step, float(self._policy.ceiling))
        if self.limit > before:
            self._note("grew")
            self._wake()

    def rate_limited(self, sent_at: float, retry_after_s: float | None) -> None:
        """A 429 came back for a request that went out at `sent_at`: halve once, hold new requests."""
        now = time.monotonic()
        if retry_after_s:
            self._held_until = max(self._held_until, now + min(retry_after_s, 60.0))
        if sent_at > self._shrunk_at:
            self._limit = max(1.0, self._limit / 2)
            self._shrunk_at = now
            self._no_growth_until = now + 1.0
            self._note("429")

    def server_error(self) -> None:
        """A 5xx or a broken connection: no growth for a while."""
        self._no_growth_until = time.monotonic() + self._policy.server_error_pause_s

    def _note(self, why: str) -> None:
        at_s = round(time.monotonic() - self._began, 3)
        self.history.append(LimitChange(at_s=at_s, limit=self.limit, why=why))
