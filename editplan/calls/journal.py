"""The journal: every intent and every result, durable before it is used.

One SQLite file in WAL mode and one writer thread. Writes that wait together are committed together, so that
durability costs one sync a batch and not one a call.
"""

from __future__ import annotations

import asyncio
import json
import queue
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from editplan.errors import StoreError
from editplan.records import Record, Usage

_SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
    key TEXT PRIMARY KEY, kind TEXT NOT NULL, case_id TEXT NOT NULL, condition TEXT NOT NULL,
    replicate INTEGER NOT NULL, node TEXT NOT NULL, ordinal INTEGER NOT NULL, reask INTEGER NOT NULL,
    model TEXT NOT NULL, request TEXT NOT NULL, result TEXT, final TEXT, seconds REAL NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, began REAL NOT NULL, state TEXT NOT NULL,
    failure TEXT, message TEXT, seconds REAL, usage TEXT);
CREATE INDEX IF NOT EXISTS attempts_by_key ON attempts (key);
CREATE TABLE IF NOT EXISTS limits (
    endpoint TEXT NOT NULL, session REAL NOT NULL, at_s REAL NOT NULL, places INTEGER NOT NULL, why TEXT NOT NULL);
"""

Write = Callable[[sqlite3.Connection], Any]


class CallRow(Record):
    """What the journal knows of one call."""

    key: str
    kind: str
    model: str
    result: str | None
    """The answer's record as JSON, or the refusal's, by `final`."""
    final: str | None
    """"answer" | "refused" | a failure's class name | None while nothing ended it."""
    seconds: float
    attempts: int
    """Wire attempts in all sessions."""
    unknown: int
    """Attempts that were sent and never heard of again."""
    cut_off: bool
    """Whether the last attempt is one that a crash or a cancellation cut off."""
    usage: Usage
    """Summed over attempts."""


class Journal:
    """Reads and writes `calls` and `attempts`. `path=None` keeps it in memory.

    Other tables of the same file (outcomes, scores) are written through `write`, by the same one writer.
    """

    def __init__(self, path: Path | None = None, *, schema: str = "") -> None:
        self.path = path
        self._queue: queue.SimpleQueue[tuple[Write, Future[Any]] | None] = queue.SimpleQueue()
        self._opened: Future[None] = Future()
        self._closed = False
        self._known: set[str] = set()
        """Keys of all calls that were ever begun: a new call needs no look into the file."""
        self._thread = threading.Thread(target=self._work, args=(_SCHEMA + schema,), name="journal", daemon=True)
        self._thread.start()
        self._opened.result()

    def _work(self, schema: str) -> None:
        try:
            connection = self._open(schema)
        except (sqlite3.Error, OSError) as error:
            damaged = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
            advice = "restore it from a copy" if damaged else "check that the folder can be written"
            self._opened.set_exception(StoreError(f"can't open the journal {self.path}: {error}: {advice}"))
            return
        self._known = {row["key"] for row in connection.execute("SELECT key FROM calls")}
        self._opened.set_result(None)
        while (batch := self._batch()) is not None:
            self._commit(connection, batch)
        connection.close()

    def _open(self, schema: str) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path or ":memory:", isolation_level=None, timeout=30.0)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.executescript(schema)
        return connection

    def _batch(self) -> list[tuple[Write, Future[Any]]] | None:
        first = self._queue.get()
        if first is None:
            return None
        batch = [first]
        while len(batch) < 256:
            try:
                following = self._queue.get_nowait()
            except queue.Empty:
                break
            if following is None:
                self._queue.put(None)
                break
            batch.append(following)
        return batch

    def _commit(self, connection: sqlite3.Connection, batch: list[tuple[Write, Future[Any]]]) -> None:
        done: list[tuple[Future[Any], Any]] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            done = [(future, work(connection)) for work, future in batch]
            connection.execute("COMMIT")
        except (sqlite3.Error, ValueError, TypeError, KeyError) as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            for _, future in batch:
                future.set_exception(StoreError(f"the journal {self.path} can't be written: {error}"))
            return
        for future, value in done:
            future.set_result(value)

    def submit(self, work: Write) -> Future[Any]:
        """Queues `work(connection)`; the future is done once it is durable. Raises `StoreError` after `close`."""
        if self._closed:
            raise StoreError("the journal is closed: open the run again")
        future: Future[Any] = Future()
        # A caller that is cancelled must not cancel a write: it may be the only record of a paid answer.
        future.set_running_or_notify_cancel()
        self._queue.put((work, future))
        return future

    async def write(self, work: Write) -> Any:
        """Runs `work(connection)` on the writer thread and waits until it is durable."""
        return await asyncio.wrap_future(self.submit(work))

    def close(self) -> None:
        """Finishes what is queued and closes the file."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            self._thread.join()

    async def find(self, key: str) -> CallRow | None:
        """The call with this key, if it was ever begun."""
        if key not in self._known:
            return None
        row = await self.write(lambda connection: _read(connection, key))
        return row if row is None or isinstance(row, CallRow) else None

    async def begin(self, identity: dict[str, Any]) -> int:
        """Writes an intent; returns the attempt's number for `end`."""
        began = time.time()
        self._known.add(identity["key"])

        def work(connection: sqlite3.Connection) -> int:
            connection.execute(
                "INSERT OR IGNORE INTO calls (key, kind, case_id, condition, replicate, node, ordinal, reask, model,"
                " request) VALUES (:key, :kind, :case_id, :condition, :replicate, :node, :ordinal, :reask, :model,"
                " :request)",
                identity,
            )
            cursor = connection.execute(
                "INSERT INTO attempts (key, began, state) VALUES (?, ?, 'intent')", (identity["key"], began)
            )
            return int(cursor.lastrowid or 0)

        return int(await self.write(work))

    def end(self, attempt: int, key: str, ending: Ending) -> Future[CallRow | None]:
        """Writes how an attempt ended, and the call's final word if this is it; gives what the journal then knows."""

        def work(connection: sqlite3.Connection) -> CallRow | None:
            connection.execute(
                "UPDATE attempts SET state=?, failure=?, message=?, seconds=?, usage=? WHERE id=?",
                (
                    ending.state,
                    ending.failure,
                    ending.message,
                    ending.seconds,
                    ending.usage.canonical_json(),
                    attempt,
                ),
            )
            connection.execute(
                "UPDATE calls SET result=?, final=?, seconds=seconds+? WHERE key=?",
                (ending.result, ending.final, ending.seconds, key),
            )
            return _read(connection, key)

        return self.submit(work)

    async def rows(self, query: str, parameters: tuple[Any, ...] = ()) -> list[dict[str, Any]]:
        """The rows of a SELECT as dicts, in order."""
        return list(await self.write(lambda connection: [dict(row) for row in connection.execute(query, parameters)]))


class Ending(Record):
    """How one attempt ended."""

    state: str
    """"answered" | "failed" | "cancelled"."""
    final: str | None
    result: str | None = None
    failure: str | None = None
    message: str | None = None
    seconds: float = 0.0
    usage: Usage = Usage()


def _read(connection: sqlite3.Connection, key: str) -> CallRow | None:
    row = connection.execute("SELECT * FROM calls WHERE key=?", (key,)).fetchone()
    if row is None:
        return None
    attempts = connection.execute(
        "SELECT state, failure, usage FROM attempts WHERE key=? ORDER BY id", (key,)
    ).fetchall()
    lost = [each for each in attempts if each["state"] in ("intent", "cancelled") or each["failure"] == "FateUnknown"]
    usages = (Usage.model_validate(json.loads(each["usage"])) for each in attempts if each["usage"])
    return CallRow(
        key=key,
        kind=row["kind"],
        model=row["model"],
        result=row["result"],
        final=row["final"],
        seconds=row["seconds"],
        attempts=len(attempts),
        unknown=len(lost),
        cut_off=bool(attempts) and attempts[-1]["state"] in ("intent", "cancelled"),
        usage=sum(usages, Usage()),
    )
