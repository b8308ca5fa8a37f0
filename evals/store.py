"""The run directory: `experiment.json`, `run.sqlite` (calls, cases, outcomes, scores), `images/`, `report/`.

Whatever a session knows it reads from here; a row is replaced only by its durable successor.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from editplan.calls.journal import Journal
from editplan.errors import ConfigError, StoreError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.experiment import differing_keys
from editplan.evals.rows import RunKey, RunRow, ScoreRow
from editplan.records import Outcome, Record
from editplan.secrets import masked
from editplan.store import ImageStore

EXPERIMENT_FILE = "experiment.json"
DATABASE_FILE = "run.sqlite"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS cases (
    case_id TEXT PRIMARY KEY, position INTEGER NOT NULL, record TEXT, error TEXT);
CREATE TABLE IF NOT EXISTS outcomes (
    case_id TEXT NOT NULL, condition TEXT NOT NULL, editor TEXT NOT NULL, replicate INTEGER NOT NULL,
    status TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (case_id, condition, editor, replicate));
CREATE TABLE IF NOT EXISTS scores (
    case_id TEXT NOT NULL, condition TEXT NOT NULL, editor TEXT NOT NULL, replicate INTEGER NOT NULL,
    judge TEXT NOT NULL, draft INTEGER NOT NULL, status TEXT NOT NULL, score REAL, record TEXT NOT NULL,
    PRIMARY KEY (case_id, condition, editor, replicate, judge, draft));
"""
_KEY = "case_id=? AND condition=? AND editor=? AND replicate=?"


class RunStore:
    """A run directory open for writing, by one process at a time. Raises `StoreError` if it can't be written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if folder.exists() and not folder.is_dir():
            raise StoreError(f"{folder} is a file, and a run needs a folder: move it or give the run another name")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = (folder / ".lock").open("a")
        except OSError as error:
            raise StoreError(
                f"run directory {folder} can't be written ({error.strerror or error}): "
                "check its permissions or give another --runs-dir"
            ) from error
        _lock_file(self._lock, folder)
        try:
            _require_database(folder)
        except StoreError:
            self._lock.close()
            raise
        self.images = ImageStore(folder / "images")
        self.journal = Journal(folder / DATABASE_FILE, schema=_SCHEMA)

    def close(self) -> None:
        """Makes everything that is queued durable and lets the directory go."""
        self.journal.close()
        self._lock.close()

    def claim(self, description: dict[str, Any]) -> None:
        """Writes `experiment.json`, or checks that it declares the same run.

        `description["identity"]` is what must agree. Raises `ConfigError` that names the differing keys.
        """
        path = self.folder / EXPERIMENT_FILE
        if path.exists():
            before, now = read_description(self.folder).get("identity", {}), _plain(description["identity"])
            for table in ("prompts", "schemas"):
                # A newer version may know more tasks; those that the run knows must not have changed.
                now[table] = {key: now[table].get(key) for key in before.get(table, {})}
            if keys := differing_keys(before, now):
                raise ConfigError(
                    f"run {self.folder.name!r} exists with another configuration; different: {', '.join(keys)}. "
                    "Give the experiment another name, or restore these keys to go on with it"
                )
        write_durably(path, json.dumps(_plain(description), indent=2, ensure_ascii=False) + "\n")

    async def keep_cases(self, items: Iterable[Case | InvalidCase]) -> None:
        """Records the suite's items in one transaction, in their order."""
        rows = [
            (item.case_id, position, item.model_dump_json() if isinstance(item, Case) else None, _error(item))
            for position, item in enumerate(items)
        ]
        await self.journal.write(lambda db: db.executemany("INSERT INTO cases VALUES (?, ?, ?, ?)", rows))

    async def keep(self, row: RunRow, *, is_new: bool = True) -> None:
        """Records a run with its scores in one transaction; its images are durable already.

        Raises `StoreError` where one of them is not. An outcome that was only judged again (`is_new` is false) may
        have lost its images since.
        """
        for media in (row.outcome.media, *row.outcome.drafts):
            if is_new and media is not None and media.sha256 not in self.images:
                raise StoreError(
                    f"output {media.sha256[:12]} of {row.key.case_id} was never stored: nothing recorded"
                )
        await self.journal.write(lambda db: _write_row(db, row))

    def keep_soon(self, row: RunRow) -> None:
        """Queues a row where nothing can be awaited any more; `close` makes it durable."""
        self.journal.submit(lambda db: _write_row(db, row))


def _require_database(folder: Path) -> None:
    """Raises `StoreError` where a run began and its database is gone: to begin anew would pay for it twice."""
    if not (folder / EXPERIMENT_FILE).exists():
        return
    path = folder / DATABASE_FILE
    if path.is_file() and path.stat().st_size:
        tables = {name for (name,) in select(folder, "SELECT name FROM sqlite_master WHERE type='table'")}
        if {"calls", "cases", "outcomes", "scores"} <= tables:
            return
    raise StoreError(
        f"{folder}: {EXPERIMENT_FILE} is there, {DATABASE_FILE} is empty or missing: "
        "restore it or give the run another name"
    )


def _write_row(db: sqlite3.Connection, row: RunRow) -> None:
    key = (row.key.case_id, row.key.condition, row.key.editor, row.key.replicate)
    record = _masked_json(row.outcome)
    db.execute("INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?, ?)", (*key, row.outcome.status, record))
    db.execute(f"DELETE FROM scores WHERE {_KEY}", key)
    db.executemany(
        "INSERT INTO scores VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (*key, each.judge, each.draft, each.status, each.verdicts.score, _masked_json(each.verdicts))
            for each in row.scores
        ],
    )


def _error(item: Case | InvalidCase) -> str | None:
    return item.error if isinstance(item, InvalidCase) else None


def _masked_json(record: Record) -> str:
    text = record.model_dump_json()
    return text if masked(text) == text else json.dumps(_plain(record.model_dump(mode="json")), ensure_ascii=False)


def _plain(value: Any) -> Any:
    """Plain JSON with secrets masked string by string, so that no mask reaches over a quote."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return masked(value) if isinstance(value, str) else value if _is_plain(value) else masked(str(value))


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float)


def _lock_file(file: Any, folder: Path) -> None:
    """Takes the directory's lock; the system gives it back when the process ends, however it ends."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise StoreError(f"another process is working on {folder}: wait for it or stop it first") from error


def write_durably(path: Path, text: str) -> None:
    """Replaces a text file in one step. Raises `StoreError` with the path."""
    write_bytes_durably(path, text.encode("utf-8"))


def write_bytes_durably(path: Path, data: bytes) -> None:
    """Replaces a file in one step. Raises `StoreError` with the path."""
    partial = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise StoreError(f"can't write {path} ({error.strerror or error}): check space and permissions") from error


def read_description(folder: Path) -> dict[str, Any]:
    """`experiment.json` of a run. Raises `StoreError` if there is no run or the file is damaged."""
    path = folder / EXPERIMENT_FILE
    try:
        description = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StoreError(
            f"{folder} is no run directory ({EXPERIMENT_FILE}: {error.strerror}): give the folder that `run` printed"
        ) from error
    except ValueError as error:
        raise StoreError(f"{path} is damaged ({error}): restore it or delete the run") from error
    if not isinstance(description, dict):
        raise StoreError(f"{path} is damaged: it holds no JSON object")
    return description


def read_cases(folder: Path) -> tuple[Case | InvalidCase, ...]:
    """The recorded items of the suite, in its order; empty before they are recorded."""
    return tuple(
        Case.model_validate_json(record) if record is not None else InvalidCase(case_id=case_id, error=error or "")
        for case_id, record, error in select(folder, "SELECT case_id, record, error FROM cases ORDER BY position")
    )


def read_rows(folder: Path) -> Iterator[RunRow]:
    """All recorded runs with their scores, ordered by key."""
    order = "ORDER BY case_id, condition, editor, replicate"
    scores: dict[RunKey, list[ScoreRow]] = {}
    for *place, judge, draft, record in select(
        folder,
        f"SELECT case_id, condition, editor, replicate, judge, draft, record FROM scores {order}, draft, judge",
    ):
        row = ScoreRow.model_validate_json(f'{{"judge":{json.dumps(judge)},"draft":{draft},"verdicts":{record}}}')
        scores.setdefault(_key(place), []).append(row)
    for *place, record in select(
        folder, f"SELECT case_id, condition, editor, replicate, record FROM outcomes {order}"
    ):
        key = _key(place)
        outcome = Outcome.model_validate_json(record)
        yield RunRow(key=key, outcome=outcome, scores=tuple(scores.get(key, ())))


def read_billed(folder: Path) -> dict[str, Any]:
    """What went out in all sessions: calls, wire attempts, and attempts whose fate is unknown."""
    calls = select(folder, "SELECT count(*) FROM calls")[0][0]
    attempts = select(folder, "SELECT count(*) FROM attempts")[0][0]
    lost = "SELECT count(*) FROM attempts WHERE state IN ('intent', 'cancelled') OR failure='FateUnknown'"
    usages = [json.loads(row[0]) for row in select(folder, "SELECT usage FROM attempts WHERE usage IS NOT NULL")]
    costs = [usage["cost_usd"] for usage in usages if usage.get("cost_usd") is not None]
    return {
        "calls": calls,
        "wire_attempts": attempts,
        "unknown": select(folder, lost)[0][0],
        "cost_usd": sum(costs) if costs else None,
    }


def read_requests(folder: Path) -> Iterator[tuple[str, str, str, str]]:
    """Condition, kind, model and request (JSON) of every call in the journal."""
    yield from select(folder, "SELECT condition, kind, model, request FROM calls ORDER BY key")


def _key(place: list[Any]) -> RunKey:
    case_id, condition, editor, replicate = place
    return RunKey(case_id=case_id, condition=condition, editor=editor, replicate=replicate)


def select(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query on a run's database. Raises `StoreError` where there is none or it can't be read."""
    path = folder / DATABASE_FILE
    if not path.exists():
        raise StoreError(
            f"{folder} is no run directory ({DATABASE_FILE} is missing): give the folder that `run` printed"
        )
    try:
        with closing(sqlite3.connect(path, timeout=30.0)) as connection:
            return connection.execute(query).fetchall()
    except sqlite3.Error as error:
        raise StoreError(f"{path} can't be read ({error}): restore it from a copy or delete the run") from error
