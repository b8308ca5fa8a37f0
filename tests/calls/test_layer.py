"""The one road: budget, retries, journal, ledger."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from editplan.calls.budget import CallBudget
from editplan.calls.journal import Journal
from editplan.calls.layer import CallPolicy, Calls
from editplan.calls.limits import RunLimits
from editplan.calls.retry import RetryPolicy
from editplan.calls.session import CallSession, Scope, generation_seed
from editplan.errors import (
    BadReply,
    Broken,
    BudgetExceeded,
    CallFailure,
    Cancelled,
    FateUnknown,
    RateLimited,
    Refused,
    Rejected,
    Unavailable,
    Unsupported,
)
from editplan.protocols import Images
from editplan.records import Ask, CallKind, Capabilities, Edited, EditJob, Reply, Usage
from editplan.store import ImageStore

QUICK = RetryPolicy(base_s=0.0, cap_s=0.0)
ASK = Ask(task="inspect", prompt_id="inspect/v1@0", text="What is open?")


class Model:
    """Answers with the next of `ends`: an exception is raised, a text returned."""

    id = "test:model"

    def __init__(self, *ends: str | CallFailure | Callable[[], str]) -> None:
        self._ends = iter(ends)
        self.asked = 0

    async def ask(self, ask: Ask, images: Images) -> Reply:
        self.asked += 1
        end = next(self._ends)
        if isinstance(end, CallFailure):
            raise end
        text = end if isinstance(end, str) else end()
        return Reply(text=text, model="test:model-2026", usage=Usage(tokens_in=3, tokens_out=2, cost_usd=0.01))


class Painter:
    """An editor that fails as told, then returns a grey square."""

    capabilities = Capabilities(max_images=1)
    id = "test:painter"

    def __init__(self, *failures: CallFailure) -> None:
        self._failures = list(failures)
        self.seeds: list[int | None] = []

    async def edit(self, job: EditJob, images: Images) -> Edited:
        self.seeds.append(job.seed)
        if self._failures:
            raise self._failures.pop(0)
        assert isinstance(images, ImageStore)
        return Edited(media=(images.add_array(np.full((8, 8, 3), 127, np.uint8)),))


@contextmanager
def road(path: Path | None = None, policy: CallPolicy | None = None) -> Iterator[Calls]:
    journal = Journal(path)
    try:
        yield Calls(journal, ImageStore(), policy or CallPolicy(retry=QUICK))
    finally:
        journal.close()


def session(calls: Calls, case: str = "c", budget: CallBudget | None = None) -> CallSession:
    return CallSession(calls, Scope(case_id=case, condition="plan"), budget)


JOB = EditJob(instruction="Paint it grey.")


async def test_a_finished_call_is_read_back_and_not_made_again(tmp_path: Path) -> None:
    first, second = Model("one"), Model("two")
    with road(tmp_path / "j.sqlite") as calls:
        reply = await session(calls).ask(first, ASK, node="inspect")
    with road(tmp_path / "j.sqlite") as calls:
        again = session(calls)
        assert await again.ask(second, ASK, node="inspect") == reply
    assert (first.asked, second.asked) == (1, 0)
    assert again.ledger.wire_attempts() == 1
    assert again.ledger.usage() == reply.usage
    assert again.ledger.calls[0].model == "test:model-2026"


async def test_two_askers_with_one_key_share_one_request() -> None:
    model = Model("one", "two")
    with road() as calls:
        one, two = session(calls), session(calls)
        replies = await asyncio.gather(one.ask(model, ASK, node="a"), two.ask(model, ASK, node="a"))
    assert replies[0] == replies[1]
    assert model.asked == 1
    assert one.ledger == two.ledger


async def test_ordinals_and_cases_keep_samples_apart() -> None:
    model = Model("1", "2", "3")
    with road() as calls:
        one = session(calls)
        texts = [(await one.ask(model, ASK, node="a")).text for _ in range(2)]
        texts.append((await session(calls, "other").ask(model, ASK, node="a")).text)
    assert texts == ["1", "2", "3"]


@pytest.mark.parametrize("failure", [RateLimited("slow down"), Unavailable("503"), FateUnknown("timeout")])
async def test_what_can_succeed_is_tried_again_and_all_attempts_are_counted(failure: CallFailure) -> None:
    model = Model(failure, failure, "done")
    with road() as calls:
        asker = session(calls)
        assert (await asker.ask(model, ASK, node="a")).text == "done"
    assert asker.ledger.wire_attempts() == 3
    assert asker.ledger.answered() == 1


@pytest.mark.parametrize(
    ("failure", "attempts"),
    [(Unavailable("503"), 4), (RateLimited("429"), 4), (Rejected("400"), 1), (Refused("no"), 1)],
)
async def test_agent_calls_are_sent_at_most_4_times_and_final_words_once(failure: CallFailure, attempts: int) -> None:
    model = Model(*[failure] * 9)
    with road() as calls:
        asker = session(calls)
        with pytest.raises(type(failure)):
            await asker.ask(model, ASK, node="a")
    assert model.asked == attempts == asker.ledger.wire_attempts()
    assert asker.ledger.answered() == 0
    assert asker.ledger.calls[0].failure == type(failure).__name__


@pytest.mark.parametrize(
    ("failure", "attempts"), [(Unavailable("503"), 3), (BadReply("no image"), 3), (FateUnknown("timeout"), 1)]
)
async def test_a_generation_is_sent_at_most_3_times_and_never_when_its_fate_is_unknown(
    failure: CallFailure, attempts: int
) -> None:
    painter = Painter(*[failure] * 9)
    with road() as calls:
        with pytest.raises(type(failure)):
            await session(calls).edit(painter, JOB, node="edit")
        assert len(painter.seeds) == attempts


async def test_resend_unknown_sends_again_and_counts_both() -> None:
    painter = Painter(FateUnknown("timeout"))
    policy = CallPolicy(retry=RetryPolicy(base_s=0, cap_s=0, resend_unknown=True))
    with road(policy=policy) as calls:
        maker = session(calls)
        await maker.edit(painter, JOB, node="edit")
    assert maker.ledger.wire_attempts(CallKind.GENERATION) == 2


async def test_a_refusal_is_replayed_until_retry_failed_asks_again(tmp_path: Path) -> None:
    refusal = Refused("against policy", category="violence", stage="input")
    with road(tmp_path / "j") as calls, pytest.raises(Refused):
        await session(calls).ask(Model(refusal), ASK, node="a")
    silent = Model("never asked")
    with road(tmp_path / "j") as calls, pytest.raises(Refused) as caught:
        await session(calls).ask(silent, ASK, node="a")
    assert (caught.value.reason, caught.value.category, caught.value.stage) == ("against policy", "violence", "input")
    assert silent.asked == 0
    with road(tmp_path / "j", CallPolicy(retry=QUICK, retry_failed=True)) as calls:
        assert (await session(calls).ask(Model("yes"), ASK, node="a")).text == "yes"


async def test_a_fault_is_asked_again_on_resume(tmp_path: Path) -> None:
    with road(tmp_path / "j") as calls, pytest.raises(Unavailable):
        await session(calls).ask(Model(*[Unavailable("down")] * 4), ASK, node="a")
    with road(tmp_path / "j") as calls:
        asker = session(calls)
        assert (await asker.ask(Model("up"), ASK, node="a")).text == "up"
    assert asker.ledger.wire_attempts() == 5


@pytest.mark.parametrize("resend", [False, True])
async def test_an_intent_without_a_result_is_unknown_and_resent_only_when_asked(tmp_path: Path, resend: bool) -> None:
    with road(tmp_path / "j") as calls:
        task = asyncio.create_task(session(calls).ask(_Never(), ASK, node="a"))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    policy = CallPolicy(retry=RetryPolicy(base_s=0, cap_s=0, resend_unknown=resend))
    with road(tmp_path / "j", policy) as calls:
        asker = session(calls)
        if not resend:
            with pytest.raises(FateUnknown, match="resend_unknown=true"):
                await asker.ask(Model("again"), ASK, node="a")
            assert asker.ledger.calls[0].failure == "FateUnknown"
        else:
            assert (await asker.ask(Model("again"), ASK, node="a")).text == "again"
            assert asker.ledger.wire_attempts() == 2


async def test_an_in_process_call_that_a_crash_cut_off_is_simply_made_again(tmp_path: Path) -> None:
    with road(tmp_path / "j") as calls:
        task = asyncio.create_task(session(calls).ask(_Never(), ASK, node="a"))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    local = Model("again")
    local.in_process = True  # type: ignore[attr-defined]
    with road(tmp_path / "j") as calls:
        assert (await session(calls).ask(local, ASK, node="a")).text == "again"


class _Never:
    id = "test:model"

    async def ask(self, ask: Ask, images: Images) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError


async def test_the_call_over_the_budget_is_not_sent() -> None:
    model, painter = Model("1", "2"), Painter()
    with road() as calls:
        asker = session(calls, budget=CallBudget(agent_calls=1, generations=0))
        await asker.ask(model, ASK, node="a")
        await asker.ask(model, ASK, node="a", reask=True)
        with pytest.raises(BudgetExceeded, match="its budget is 1"):
            await asker.ask(model, ASK, node="b")
        with pytest.raises(BudgetExceeded):
            await asker.edit(painter, JOB, node="edit")
    assert (model.asked, painter.seeds) == (2, [])
    assert (asker.ledger.logical(CallKind.AGENT), asker.ledger.answered(CallKind.AGENT)) == (1, 2)


async def test_a_reached_limit_stops_before_sending() -> None:
    model = Model(*"12345")
    policy = CallPolicy(retry=QUICK, limits=RunLimits(max_cost_usd=0.015))
    with road(policy=policy) as calls:
        asker = session(calls)
        for _ in range(2):
            await asker.ask(model, ASK, node="a")
        with pytest.raises(Cancelled, match="max_cost_usd"):
            await asker.ask(model, ASK, node="a")
    assert model.asked == 2


async def test_seeds_depend_on_case_replicate_and_index_only() -> None:
    painter = Painter()
    with road() as calls:
        for condition in ("direct", "plan"):
            maker = CallSession(calls, Scope(case_id="c", condition=condition))
            for _ in range(2):
                await maker.edit(painter, JOB, node="edit")
    assert painter.seeds[:2] == painter.seeds[2:]
    assert painter.seeds[0] != painter.seeds[1]
    assert painter.seeds[0] == generation_seed(Scope(case_id="c", condition="x"), 0)


async def test_a_job_outside_the_editors_set_is_unsupported_and_not_counted() -> None:
    painter = Painter()
    with road() as calls:
        maker = session(calls)
        mask = calls.images.add_array(np.zeros((4, 4, 3), np.uint8))  # type: ignore[attr-defined]
        with pytest.raises(Unsupported, match="takes no mask"):
            await maker.edit(painter, EditJob(instruction="x", mask=mask), node="edit")
    assert maker.ledger.calls == ()


async def test_a_drip_feeding_server_meets_our_own_deadline() -> None:
    slow = _Never()
    slow.timeout_s = 0.05  # type: ignore[attr-defined]
    with road(policy=CallPolicy(retry=RetryPolicy(agent_attempts=1))) as calls:
        with pytest.raises(FateUnknown, match=r"0\.05 s"):
            await session(calls).ask(slow, ASK, node="a")


async def test_a_ledger_taken_up_elsewhere_goes_on_counting() -> None:
    model = Model("1", "2")
    budget = CallBudget(agent_calls=2, generations=1)
    with road() as calls:
        first = session(calls, budget=budget)
        await first.ask(model, ASK, node="a")
        later = session(calls, budget=budget)
        later.resume(first.ledger.calls)
        assert (await later.ask(model, ASK, node="a")).text == "2"
        with pytest.raises(BudgetExceeded):
            await later.ask(model, ASK, node="a")


async def test_keys_of_the_environment_never_reach_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTED_API_KEY", "planted-secret-value")
    with road(tmp_path / "j.sqlite") as calls:
        with pytest.raises(Refused):
            await session(calls).ask(Model(Refused("key planted-secret-value is bad")), ASK, node="a")
        with pytest.raises(Rejected):
            await session(calls).ask(Model(Rejected("key planted-secret-value is bad")), ASK, node="b")
    for path in tmp_path.iterdir():
        assert b"planted-secret-value" not in path.read_bytes()


class _Foreign:
    """A third party's editor that breaks the protocol as told."""

    capabilities = Capabilities(max_images=1)
    id = "test:foreign"

    def __init__(self, *, raises: Exception | None = None, returns: object = None) -> None:
        self._raises, self._returns = raises, returns
        self.asked = 0

    async def edit(self, job: EditJob, images: Images) -> object:
        self.asked += 1
        if self._raises is not None:
            raise self._raises
        return self._returns


@pytest.mark.parametrize(
    ("editor", "words"),
    [
        (_Foreign(raises=ValueError("own bug")), "raised ValueError: own bug"),
        (_Foreign(raises=TimeoutError("its own clock")), "raised TimeoutError"),
        (_Foreign(returns=None), "returned a NoneType where a Edited belongs"),
        (_Foreign(returns=b"png"), "returned a bytes"),
    ],
)
async def test_an_adapter_that_breaks_ends_its_call_and_is_asked_again_on_resume(
    tmp_path: Path, editor: _Foreign, words: str
) -> None:
    path = tmp_path / "j.sqlite"
    for times in (1, 2):
        with road(path) as calls:
            with pytest.raises(Broken, match=words):
                await session(calls).edit(editor, JOB, node="edit")  # type: ignore[arg-type]
        assert editor.asked == times


def test_a_reply_with_a_lone_surrogate_can_be_stored() -> None:
    assert Reply.model_validate_json(Reply(text="half \ud83d").model_dump_json()).text == "half ?"
