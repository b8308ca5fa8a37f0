"""Durable before use, one writer, and honest about a file that can't be opened."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from editplan.calls.journal import Ending, Journal
from editplan.errors import StoreError

IDENTITY = {
    "key": "k",
    "kind": "agent",
    "case_id": "c",
    "condition": "plan",
    "replicate": 0,
    "node": "inspect",
    "ordinal": 0,
    "reask": 0,
    "model": "m",
    "request": "{}",
}

_WRITER = """
import asyncio, sys
from pathlib import Path
from editplan.calls.journal import Ending, Journal

async def main():
    journal = Journal(Path(sys.argv[1]))
    for number in range(100000):
        identity = {identity} | {{"key": f"k{{number}}"}}
        attempt = await journal.begin(identity)
        ending = Ending(state="answered", final="answer", result="{{}}")
        await asyncio.wrap_future(journal.end(attempt, identity["key"], ending))
        print(number, flush=True)

asyncio.run(main())
"""


def _killed(script: str, path: Path) -> list[str]:
    process = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout:
        reported = [process.stdout.readline() for _ in range(40)]
        os.kill(process.pid, signal.SIGKILL)
        reported += process.stdout.readlines()
    process.wait()
    return reported


async def test_what_was_reported_as_written_survives_kill_9(tmp_path: Path) -> None:
    script = _WRITER.format(identity=IDENTITY)
    reported = await asyncio.to_thread(_killed, script, tmp_path / "j.sqlite")
    journal = Journal(tmp_path / "j.sqlite")
    rows = await journal.rows("SELECT key FROM calls WHERE final = 'answer'")
    journal.close()
    last = int([line for line in reported if line.endswith("\n")][-1])
    assert len(rows) >= last + 1 >= 40


async def test_writes_that_wait_together_are_all_done(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.sqlite")
    attempts = await asyncio.gather(*(journal.begin(IDENTITY | {"key": f"k{n}"}) for n in range(300)))
    assert len(set(attempts)) == 300
    row = await journal.find("k7")
    assert row is not None
    assert (row.attempts, row.unknown, row.final) == (1, 1, None)
    await asyncio.wrap_future(journal.end(attempts[7], "k7", Ending(state="failed", final="Unavailable")))
    row = await journal.find("k7")
    assert row is not None
    assert (row.unknown, row.final) == (0, "Unavailable")
    journal.close()


def test_a_folder_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="can't open the journal"):
        Journal(tmp_path / "nowhere" / "j.sqlite")


def test_a_file_that_is_no_database_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    path.write_bytes(b"this is no database, whatever its name says" * 40)
    with pytest.raises(StoreError, match="can't open the journal"):
        Journal(path)


async def test_a_closed_journal_takes_nothing_more() -> None:
    journal = Journal()
    journal.close()
    with pytest.raises(StoreError, match="closed"):
        await journal.begin(IDENTITY)
