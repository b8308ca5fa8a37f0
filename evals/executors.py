"""Where the case function runs: an executor carries jobs out and hands rows back to the driver, the only writer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from editplan.evals.experiment import ExecutorChoice
from editplan.evals.rows import RunKey, RunRow
from editplan.records import Outcome, Record


class Job(Record):
    """One run to carry out, or, where the outcome is there, to judge."""

    key: RunKey
    earlier: RunRow | None = None
    """What the record holds; replaced only by a durable successor."""
    outcome: Outcome | None = None
    """Given: only judge it."""
    judges: tuple[str, ...] = ()
    """The judges to ask."""


Work = Callable[[Job], Awaitable[RunRow | None]]
"""The case function; None where nothing is to be recorded."""
Keep = Callable[[Job, RunRow | None], Awaitable[None]]


class Executor(Protocol):
    """Carries out jobs in about their order, as many at a time as it sees fit."""

    async def run(self, jobs: Iterable[Job], work: Work, keep: Keep) -> None:
        """Calls `work` for each job and, in this process, `keep` with its row.

        The first exception of either cancels what is under way and is raised; being cancelled does the same.
        """
        ...


class LocalExecutor:
    """One process, one event loop, `concurrency` workers that draw from the same queue."""

    def __init__(self, concurrency: int) -> None:
        self._concurrency = concurrency

    async def run(self, jobs: Iterable[Job], work: Work, keep: Keep) -> None:
        """See `Executor.run`."""
        waiting = iter(jobs)

        async def worker() -> None:
            for job in waiting:
                await keep(job, await work(job))

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._concurrency):
                    group.create_task(worker())
        except BaseExceptionGroup as several:
            raise _first(several) from several


def _first(several: BaseExceptionGroup[BaseException]) -> BaseException:
    inner = several.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner


def make_executor(choice: ExecutorChoice, concurrency: int) -> Executor:
    """The executor that an experiment names."""
    return LocalExecutor(concurrency)
