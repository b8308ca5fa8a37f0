"""Limits of a whole run: calls, cost, time. Reaching one stops the run cleanly; it can be resumed."""

from __future__ import annotations

import time

from pydantic import Field

from editplan.errors import Cancelled
from editplan.records import Record, Usage


class RunLimits(Record):
    """Ceilings on what one command sends; None = no ceiling."""

    max_calls: int | None = Field(default=None, ge=0)
    max_cost_usd: float | None = Field(default=None, ge=0.0)
    max_minutes: float | None = Field(default=None, ge=0.0)


class RunMeter:
    """Counts wire attempts, cost and time against the limits; replayed calls are free."""

    def __init__(self, limits: RunLimits) -> None:
        self._limits = limits
        self._began = time.monotonic()
        self.attempts = 0
        self.spent = Usage()

    def check(self) -> None:
        """Raises `Cancelled` that names the limit, before anything is sent."""
        limits = self._limits
        minutes = (time.monotonic() - self._began) / 60.0
        if limits.max_calls is not None and self.attempts >= limits.max_calls:
            raise Cancelled(f"max_calls = {limits.max_calls} is reached: raise it and run again to go on")
        if limits.max_cost_usd is not None and (self.spent.cost_usd or 0.0) >= limits.max_cost_usd:
            raise Cancelled(f"max_cost_usd = {limits.max_cost_usd} is reached: raise it and run again to go on")
        if limits.max_minutes is not None and minutes >= limits.max_minutes:
            raise Cancelled(f"max_minutes = {limits.max_minutes} is reached: run again to go on")

    def sent(self) -> None:
        """One request goes out."""
        self.attempts += 1

    def add(self, usage: Usage) -> None:
        """What an attempt consumed."""
        self.spent = self.spent + usage
