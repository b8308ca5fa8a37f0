"""Sessions: each run recorded once, resumed from the records, judged once."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from editplan.calls.limits import RunLimits, RunMeter
from editplan.errors import Cancelled, StoreError
from editplan.evals.cases import Case
from editplan.evals.executors import LocalExecutor
from editplan.evals.experiment import Experiment, parse_experiment
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.rows import RunKey, RunRow
from editplan.evals.runner import Hands, Progress, Session, chosen_cases, jobs_to_do, keys_in_order
from editplan.evals.store import RunStore, read_cases, read_rows
from editplan.records import Media, Outcome, Status
from editplan.testing.evaluation import ScriptedJudge, TinySuite, by_output

CASES = 6


def experiment(**changes: object) -> Experiment:
    names = {"conditions": ["direct", "plan"], "editors": ["e"], "judges": ["j"], "concurrency": 3}
    return parse_experiment({"name": "x", "suite": "tiny", **names, **changes})


@dataclass
class Maker:
    """Makes outcomes by a function of the key and counts them."""

    store: RunStore
    status: Callable[[RunKey], Status] = lambda _: Status.OK
    made: Counter[RunKey] = field(default_factory=Counter)

    async def __call__(self, case: Case, key: RunKey) -> Outcome:
        await asyncio.sleep(0)
        self.made[key] += 1
        status = self.status(key)
        return Outcome(status=status, media=case.request.parts[0].media if status is Status.OK else None)


async def session(
    folder: Path, plan: Experiment, judge: ScriptedJudge, make: Callable[[RunStore], Maker] = Maker
) -> tuple[Maker, Session, list[Progress]]:
    """One session on a run directory, as `editplan.evals.session` carries it out."""
    store = RunStore(folder)
    try:
        if not read_cases(folder):
            await store.keep_cases(TinySuite(CASES).cases(store.images))
        cases = chosen_cases((item for item in read_cases(folder) if isinstance(item, Case)), plan)
        rows = {row.key: row for row in read_rows(folder)}
        maker, told = make(store), list[Progress]()
        hands = Hands(maker, {"j": judge}, RunMeter(RunLimits()), LocalExecutor(plan.concurrency), told.append)
        work = Session(store, cases, hands)
        await work.carry_out(jobs_to_do(plan, cases, rows, plan.judges), total=CASES * 2)
        return maker, work, told
    finally:
        store.close()


def rows_of(folder: Path) -> dict[RunKey, RunRow]:
    return {row.key: row for row in read_rows(folder)}


async def test_every_run_is_made_once_judged_once_and_recorded(tmp_path: Path) -> None:
    judge = ScriptedJudge(by_output)
    maker, work, told = await session(tmp_path, experiment(), judge)
    rows = rows_of(tmp_path)
    assert len(rows) == CASES * 2
    assert set(maker.made.values()) == {1}
    assert len(judge.asked) == CASES * 2
    assert all(row.scores[0].verdicts.score == 1.0 for row in rows.values())
    assert work.stopped is None
    assert (told[-1].done, told[-1].total, told[-1].seconds_left) == (CASES * 2, CASES * 2, 0.0)


async def test_the_same_session_again_makes_and_asks_nothing(tmp_path: Path) -> None:
    await session(tmp_path, experiment(), ScriptedJudge(by_output))
    before = rows_of(tmp_path)
    judge = ScriptedJudge(by_output)
    maker, _, _ = await session(tmp_path, experiment(), judge)
    assert not maker.made
    assert not judge.asked
    assert rows_of(tmp_path) == before


async def test_faults_run_again_and_refusals_do_not(tmp_path: Path) -> None:
    ends = {"tiny-000": Status.RATE_LIMITED, "tiny-001": Status.REFUSED_INPUT, "tiny-002": Status.AGENT_FAILED}

    def make(store: RunStore) -> Maker:
        return Maker(store, lambda key: ends.get(key.case_id, Status.OK))

    await session(tmp_path, experiment(), ScriptedJudge(by_output), make)
    again, _, _ = await session(tmp_path, experiment(), ScriptedJudge(by_output))
    assert {key.case_id for key in again.made} == {"tiny-000"}
    insisted, _, _ = await session(tmp_path, experiment(retry_failed=True), ScriptedJudge(by_output))
    assert {key.case_id for key in insisted.made} == {"tiny-001", "tiny-002"}
    assert {row.outcome.status for row in rows_of(tmp_path).values()} == {Status.OK}


async def test_only_failed_judgements_are_asked_again(tmp_path: Path) -> None:
    refused: set[str] = {"Recolour the square, number 1."}

    def moody(task: JudgeTask) -> Verdicts:
        return Verdicts(status="judge_refused") if task.goal in refused else by_output(task)

    await session(tmp_path, experiment(), ScriptedJudge(moody))
    assert Counter(row.scores[0].status for row in rows_of(tmp_path).values()) == {"scored": 10, "judge_refused": 2}
    refused.clear()
    judge = ScriptedJudge(moody)
    maker, _, _ = await session(tmp_path, experiment(), judge)
    assert not maker.made
    assert len(judge.asked) == 2
    assert {row.scores[0].status for row in rows_of(tmp_path).values()} == {"scored"}


async def test_a_bug_in_an_arm_is_an_internal_error_with_its_trace_and_masked_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "planted-secret-value")

    class Broken(Maker):
        async def __call__(self, case: Case, key: RunKey) -> Outcome:
            if key.case_id == "tiny-003":
                raise ZeroDivisionError("with planted-secret-value in it")
            return await super().__call__(case, key)

    await session(tmp_path, experiment(), ScriptedJudge(by_output), Broken)
    broken = [row for row in rows_of(tmp_path).values() if row.outcome.status is Status.INTERNAL_ERROR]
    assert len(broken) == 2
    assert "ZeroDivisionError" in broken[0].outcome.notes[0]
    assert "planted-secret-value" not in (tmp_path / "run.sqlite").read_bytes().decode("latin-1")


async def test_a_bug_in_a_judge_is_a_missing_measurement(tmp_path: Path) -> None:
    def broken(task: JudgeTask) -> Verdicts:
        raise KeyError("atoms")

    await session(tmp_path, experiment(), ScriptedJudge(broken))
    scores = [row.scores[0] for row in rows_of(tmp_path).values()]
    assert {score.status for score in scores} == {"judge_error"}
    assert {score.verdicts.score for score in scores} == {None}


async def test_a_limit_ends_the_session_and_leaves_no_row(tmp_path: Path) -> None:
    begun: list[RunKey] = []

    class Limited(Maker):
        async def __call__(self, case: Case, key: RunKey) -> Outcome:
            begun.append(key)
            if len(begun) > 4:
                raise Cancelled("max_calls = 4 is reached")
            return await super().__call__(case, key)

    _, work, _ = await session(tmp_path, experiment(), ScriptedJudge(by_output), Limited)
    assert work.stopped == "max_calls = 4 is reached"
    assert len(rows_of(tmp_path)) == 4
    maker, _, _ = await session(tmp_path, experiment(), ScriptedJudge(by_output))
    assert maker.made.total() == CASES * 2 - 4


async def test_an_interrupted_run_is_recorded_as_cancelled_and_made_again(tmp_path: Path) -> None:
    begun: list[RunKey] = []
    all_busy = asyncio.Event()

    class Slow(Maker):
        async def __call__(self, case: Case, key: RunKey) -> Outcome:
            begun.append(key)
            if len(begun) == 8:
                all_busy.set()
            if len(begun) > 5:
                await asyncio.sleep(60)
            return await super().__call__(case, key)

    task = asyncio.create_task(session(tmp_path, experiment(), ScriptedJudge(by_output), Slow))
    await all_busy.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    ends = Counter(row.outcome.status for row in rows_of(tmp_path).values())
    assert ends[Status.OK] == 5
    assert ends[Status.CANCELLED] == 3
    maker, _, _ = await session(tmp_path, experiment(), ScriptedJudge(by_output))
    assert maker.made.total() == CASES * 2 - 5
    assert {row.outcome.status for row in rows_of(tmp_path).values()} == {Status.OK}


async def test_an_outcome_whose_image_was_never_stored_is_not_recorded(tmp_path: Path) -> None:
    class Forgetful(Maker):
        async def __call__(self, case: Case, key: RunKey) -> Outcome:
            return Outcome(status=Status.OK, media=Media(sha256="0" * 64, width=1, height=1))

    with pytest.raises(StoreError, match="was never stored"):
        await session(tmp_path, experiment(), ScriptedJudge(by_output), Forgetful)
    assert not rows_of(tmp_path)


async def test_an_answer_in_words_is_judged_only_by_a_judge_of_words(tmp_path: Path) -> None:
    class Words(Maker):
        async def __call__(self, case: Case, key: RunKey) -> Outcome:
            return Outcome(status=Status.OK, text="It must be red.")

    images, words = ScriptedJudge(by_output), ScriptedJudge(by_output, judges_text=True)
    await session(tmp_path / "images", experiment(), images, Words)
    await session(tmp_path / "words", experiment(), words, Words)
    assert (len(images.asked), len(words.asked)) == (0, CASES * 2)
    assert {row.scores for row in rows_of(tmp_path / "images").values()} == {()}


async def test_a_judge_sees_nothing_of_the_arm(tmp_path: Path) -> None:
    judge = ScriptedJudge(by_output)
    await session(tmp_path, experiment(), judge)
    fields = set(JudgeTask.model_fields)
    assert fields == {"source", "output", "text", "goal", "contract", "rubric", "reference", "attempt"}
    shown = "".join(task.model_dump_json() for task in judge.asked)
    assert "tiny-0" not in shown
    assert "direct" not in shown


def test_the_order_is_seeded_interleaved_and_complete() -> None:
    with_more = experiment(conditions=["a", "b", "c"], editors=["e", "f"], replicates=2)
    cases = [_case(at) for at in range(20)]
    keys = list(keys_in_order(with_more, cases))
    assert keys == list(keys_in_order(with_more, reversed(cases)))
    assert len(set(keys)) == len(keys) == 20 * 3 * 2 * 2
    blocks = [keys[at : at + 6] for at in range(0, len(keys), 6)]
    assert all(len({(key.case_id, key.replicate) for key in block}) == 1 for block in blocks)
    assert len({tuple((key.condition, key.editor) for key in block) for block in blocks}) > 5
    assert keys != list(keys_in_order(experiment(**{**_arms(with_more), "seed": 1}), cases))


def test_a_larger_max_cases_only_adds_to_a_smaller_one() -> None:
    cases = [_case(at) for at in range(30)]
    few, more = (chosen_cases(cases, experiment(max_cases=count)) for count in (5, 12))
    assert len(few) == 5
    assert len(more) == 12
    assert {case.case_id for case in few} < {case.case_id for case in more}
    assert len(chosen_cases(cases, experiment())) == 30


def test_a_directory_is_worked_on_by_one_process_at_a_time(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "run")
    with pytest.raises(StoreError, match="another process"):
        RunStore(tmp_path / "run")
    store.close()
    RunStore(tmp_path / "run").close()


def test_a_directory_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreError, match="can't be written"):
        RunStore(tmp_path / "file" / "run")


def _arms(plan: Experiment) -> dict[str, object]:
    return {"conditions": plan.conditions, "editors": plan.editors, "replicates": plan.replicates}


def _case(at: int) -> Case:
    part = {"media": {"sha256": "0" * 64, "width": 1, "height": 1}}
    request = {"case_id": f"c{at}", "parts": [part], "goal": "Do it."}
    return Case.model_validate({"case_id": f"c{at}", "request": request})
