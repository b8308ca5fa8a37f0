"""Where an agent keeps images, calls and outcomes: in a run directory, or in memory while a request lasts."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakKeyDictionary, finalize

from editplan.calls.journal import Journal
from editplan.calls.layer import CallPolicy, Calls
from editplan.calls.limiter import AdaptiveLimiter
from editplan.calls.limits import RunMeter
from editplan.calls.session import Scope
from editplan.errors import ConfigError, StoreError
from editplan.records import EditRequest, Outcome, Status
from editplan.store import ImageStore

_SCHEMA = """
CREATE TABLE IF NOT EXISTS edits (
    id INTEGER PRIMARY KEY AUTOINCREMENT, case_id TEXT NOT NULL, condition TEXT NOT NULL,
    replicate INTEGER NOT NULL, status TEXT NOT NULL, outcome TEXT NOT NULL, at REAL NOT NULL);
"""

Keep = Callable[[Outcome], Awaitable[None]]


@dataclass
class _Shared:
    """What the requests of one event loop have in common."""

    limiters: dict[str, AdaptiveLimiter] = field(default_factory=dict)
    calls: Calls | None = None


class Workplace:
    """Hands out image stores and call layers; one journal for all requests."""

    def __init__(self, run_dir: Path | None, policy: CallPolicy) -> None:
        self._policy = policy
        self._meter = RunMeter(policy.limits)
        self._kept = ImageStore(run_dir / "images") if run_dir is not None else None
        self.staged = self._kept or ImageStore()
        """Holds the images of parts that were made before their request."""
        self._run_dir = run_dir
        self._opened: Journal | None = None
        self._numbers = itertools.count(1)
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Shared] = WeakKeyDictionary()

    def images(self) -> ImageStore:
        """The run directory's store, or a new one in memory."""
        return self._kept if self._kept is not None else ImageStore()

    def calls(self, images: ImageStore) -> Calls:
        """The call layer for a request; limits are shared by the requests of one event loop."""
        shared = self._shared()
        if shared.calls is not None:
            return shared.calls
        calls = Calls(self._journal(), images, self._policy)
        calls.limiters, calls.meter = shared.limiters, self._meter
        if self._kept is not None:
            shared.calls = calls
        return calls

    def scope(self, request: EditRequest, condition: str, *, replicate: int, seed: int) -> Scope:
        """What a request's calls are keyed by; in memory no two requests share a call, equal ones neither."""
        name = condition if self._kept is not None else f"{condition}#{next(self._numbers)}"
        return Scope(case_id=request.case_id, condition=name, replicate=replicate, seed=seed)

    @asynccontextmanager
    async def kept(self, scope: Scope) -> AsyncIterator[Keep]:
        """Gives `keep(outcome)`, which writes an outcome down; `cancelled` is written where the work was cancelled.

        In memory nothing is written, and the calls are forgotten when the work is over.
        """
        journal = self._journal()

        async def keep(outcome: Outcome) -> None:
            if self._kept is not None:
                await journal.write(_writing(scope, outcome))

        try:
            yield keep
        except asyncio.CancelledError:
            if self._kept is not None:
                cancelled = Outcome(status=Status.CANCELLED, notes=("cancelled by the caller",))
                journal.submit(_writing(scope, cancelled))
            raise
        finally:
            if self._kept is None:
                with contextlib.suppress(StoreError):
                    journal.submit(_forgetting(scope))

    def close(self) -> None:
        """Finishes what is queued and closes the journal."""
        if self._opened is not None:
            self._opened.close()

    def _journal(self) -> Journal:
        if self._opened is None:
            path = None if self._run_dir is None else self._run_dir / "run.sqlite"
            self._opened = Journal(path, schema=_SCHEMA)
            finalize(self, self._opened.close)
        return self._opened

    def _shared(self) -> _Shared:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError as error:
            raise ConfigError("prepare() belongs into a running event loop; use edit() in blocking code") from error
        return self._loops.setdefault(loop, _Shared())


def _writing(scope: Scope, outcome: Outcome) -> Callable[[sqlite3.Connection], None]:
    row = (
        scope.case_id,
        scope.condition,
        scope.replicate,
        outcome.status.value,
        outcome.model_dump_json(),
        time.time(),
    )

    def work(connection: sqlite3.Connection) -> None:
        connection.execute(
            "INSERT INTO edits (case_id, condition, replicate, status, outcome, at) VALUES (?, ?, ?, ?, ?, ?)", row
        )

    return work


def _forgetting(scope: Scope) -> Callable[[sqlite3.Connection], None]:
    """Empties a memory journal of a request that is over."""

    def work(connection: sqlite3.Connection) -> None:
        mine = "SELECT key FROM calls WHERE condition=?"
        connection.execute(f"DELETE FROM attempts WHERE key IN ({mine})", (scope.condition,))
        connection.execute("DELETE FROM calls WHERE condition=?", (scope.condition,))

    return work
