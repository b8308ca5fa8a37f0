"""Limits of a whole run: calls, cost, time. Reaching one stops the run cleanly; it can be resumed."""

from __future__ import annotations

import math
import time

from pydantic import Field

from editplan.errors import Cancelled, ConfigError
from editplan.records import Record, Usage


class RunLimits(Record):
    """Ceilings on what one command sends; None = no ceiling."""

    max_calls: int | None = Field(default=None, ge=0)
    max_cost_usd: float | None = Field(default=None, ge=0.0)
    max_minutes: float | None = Field(default=None, ge=0.0)


class Allowance:
    """Time and money of one outcome's own, beside the limits of the run."""

    def __init__(self, *, deadline_s: float | None = None, max_cost_usd: float | None = None) -> None:
        """Raises `ConfigError` for a ceiling that is negative or no number."""
        for name, value in (("deadline_s", deadline_s), ("max_cost_usd", max_cost_usd)):
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if value is not None and not (number and math.isfinite(value) and value >= 0):
                raise ConfigError(f"{name}={value!r}: give a number that is not negative, or leave it out")
        self.deadline_s = deadline_s
        self.max_cost_usd = max_cost_usd
        self._began = time.monotonic()
        self.spent = Usage()

    @property
    def left_s(self) -> float | None:
        """Seconds until the deadline, at least 0; None without one."""
        return None if self.deadline_s is None else max(0.0, self._began + self.deadline_s - time.monotonic())

    def check(self) -> None:
        """Raises `Cancelled` that names the limit, before anything is sent."""
        if self.left_s == 0.0:
            raise Cancelled(self.overdue)
        if self.max_cost_usd is not None and (self.spent.cost_usd or 0.0) >= self.max_cost_usd:
            raise Cancelled(f"max_cost_usd = {self.max_cost_usd:g} of this request is reached")

    @property
    def overdue(self) -> str:
        """The deadline in words."""
        return f"deadline_s = {self.deadline_s:g} of this request is over"

    def add(self, usage: Usage) -> None:
        """What an attempt consumed."""
        self.spent = self.spent + usage


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
