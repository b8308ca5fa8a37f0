"""What a crash or a deadline leaves behind, and what the next session makes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from editplan.calls.journal import Journal
from editplan.calls.layer import CallPolicy, Calls
from editplan.calls.limits import Allowance
from editplan.calls.retry import RetryPolicy
from editplan.calls.session import CallSession, Scope
from editplan.errors import Cancelled, FateUnknown, Unavailable
from editplan.protocols import Images
from editplan.records import Ask, CallKind, Capabilities, EditJob, Reply
from editplan.store import ImageStore
from editplan.testing import ScriptedEditor, ScriptedModel

ASK = Ask(task="inspect", prompt_id="inspect/v1@0", text="What is open?")
REMOTE = Capabilities(max_images=1)
ONE_TRY = RetryPolicy(agent_attempts=1, generation_attempts=1, base_s=0.0, cap_s=0.0)


@contextmanager
def road(path: Path, *, resend: bool = False, retry: RetryPolicy = ONE_TRY) -> Iterator[Calls]:
    journal = Journal(path)
    policy = CallPolicy(retry=retry.model_copy(update={"resend_unknown": resend}))
    try:
        yield Calls(journal, ImageStore(), policy)
    finally:
        journal.close()


def session(calls: Calls, allowance: Allowance | None = None) -> CallSession:
    return CallSession(calls, Scope(case_id="c", condition="plan"), allowance=allowance)


def remote(*script: str | Exception) -> ScriptedModel:
    return ScriptedModel(script, in_process=False)


def editor(*script: Exception) -> ScriptedEditor:
    return ScriptedEditor(script or None, capabilities=REMOTE)


class Waits:
    """Is asked, and never answers."""

    id = "scripted"

    def __init__(self, *first: Exception) -> None:
        self._first = list(first)
        self.asked = asyncio.Event()

    async def ask(self, ask: Ask, images: Images) -> Reply:
        if self._first:
            raise self._first.pop(0)
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError


async def cut_off(calls: Calls, model: Waits) -> None:
    task = asyncio.create_task(session(calls).ask(model, ASK, node="a"))
    await model.asked.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_an_agent_call_whose_fate_is_unknown_is_a_fault_and_asked_again(tmp_path: Path) -> None:
    with road(tmp_path / "j") as calls, pytest.raises(FateUnknown):
        await session(calls).ask(remote(FateUnknown("reset")), ASK, node="a")
    with road(tmp_path / "j") as calls:
        again = session(calls)
        assert (await again.ask(remote("yes"), ASK, node="a")).text == "yes"
    assert again.ledger.wire_attempts() == 2


async def test_a_generation_whose_fate_is_unknown_is_sent_again_only_when_asked(tmp_path: Path) -> None:
    job = EditJob(instruction="Paint.")
    with road(tmp_path / "j") as calls, pytest.raises(FateUnknown):
        await session(calls).edit(editor(FateUnknown("reset")), job, node="edit")
    silent = editor()
    with road(tmp_path / "j") as calls, pytest.raises(FateUnknown, match="resend_unknown"):
        await session(calls).edit(silent, job, node="edit")
    assert silent.jobs == []
    with road(tmp_path / "j", resend=True) as calls:
        again = session(calls)
        await again.edit(editor(), job, node="edit")
    assert again.ledger.wire_attempts(CallKind.GENERATION) == 2


@pytest.mark.parametrize("first", [(), (Unavailable("503"),)])
async def test_an_attempt_that_was_cut_off_is_unknown_even_behind_a_fault(
    tmp_path: Path, first: tuple[Exception, ...]
) -> None:
    retry = ONE_TRY.model_copy(update={"agent_attempts": 3})
    with road(tmp_path / "j", retry=retry) as calls:
        await cut_off(calls, Waits(*first))
    silent = remote("never asked")
    with road(tmp_path / "j", retry=retry) as calls, pytest.raises(FateUnknown, match="resend_unknown"):
        await session(calls).ask(silent, ASK, node="a")
    assert silent.asks == []


async def test_what_was_sent_again_with_leave_needs_no_second_leave(tmp_path: Path) -> None:
    with road(tmp_path / "j") as calls:
        await cut_off(calls, Waits())
    with road(tmp_path / "j", resend=True) as calls, pytest.raises(Unavailable):
        await session(calls).ask(remote(Unavailable("503")), ASK, node="a")
    with road(tmp_path / "j") as calls:
        assert (await session(calls).ask(remote("yes"), ASK, node="a")).text == "yes"


async def test_a_deadline_during_a_request_is_an_unknown_fate_with_its_ledger_line(tmp_path: Path) -> None:
    with road(tmp_path / "j") as calls:
        hurried = session(calls, Allowance(deadline_s=0.1))
        with pytest.raises(FateUnknown, match=r"deadline_s = 0\.1"):
            await hurried.ask(Waits(), ASK, node="a")
        assert [line.wire_attempts for line in hurried.ledger.calls] == [1]
        with pytest.raises(Cancelled, match="deadline_s"):
            await hurried.ask(remote("late"), ASK, node="b")
    assert len(hurried.ledger.calls) == 1


async def test_a_deadline_while_nothing_is_out_is_a_cancellation(tmp_path: Path) -> None:
    patient = RetryPolicy(base_s=0.0, cap_s=0.0)
    with road(tmp_path / "j", retry=patient) as calls:
        hurried = session(calls, Allowance(deadline_s=0.1))
        waits = Unavailable("503", retry_after_s=60.0)
        with pytest.raises(Cancelled, match="deadline_s"):
            await hurried.ask(remote(waits, "late"), ASK, node="a")


async def test_a_cancelled_caller_takes_no_write_with_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    try:
        writing = asyncio.create_task(journal.write(lambda db: db.execute("CREATE TABLE t (x)")))
        await asyncio.sleep(0)
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
        assert await journal.rows("SELECT count(*) AS n FROM t") == [{"n": 0}]
    finally:
        journal.close()


async def test_the_history_of_a_limit_is_in_the_journal(tmp_path: Path) -> None:
    with road(tmp_path / "j") as calls:
        await session(calls).ask(remote("yes"), ASK, node="a")
        calls.keep_limits()
        rows = await calls.journal.rows("SELECT endpoint, places, why FROM limits")
    assert rows[0] == {"endpoint": "scripted", "places": 16, "why": "start"}
    assert [row["why"] for row in rows[1:]] == ["grew"]
