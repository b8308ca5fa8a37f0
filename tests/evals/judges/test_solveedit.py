"""SolveEdit's judge: one call, every atom once, strict reading, samples, and checkers beside it."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.calls.journal import Journal
from editplan.calls.layer import Calls
from editplan.errors import RateLimited, Refused, Rejected, Unavailable
from editplan.evals.contracts import Contract, load_contract
from editplan.evals.judges.asking import JudgeCalls
from editplan.evals.judges.options import JudgeOptions
from editplan.evals.judges.solveedit_reply import combined, parse_reply
from editplan.evals.judges.vlm import VisionModelJudge
from editplan.evals.judging import Verdicts
from editplan.records import CallKind, Reply
from editplan.testing.scripted import ScriptedModel
from tests.evals.judges.conftest import IDS, Bench, contract_of, reply, strictly

GOOD = strictly("pass", "partial", "pass")


async def test_one_call_decides_the_gate_and_every_atom(bench: Bench) -> None:
    verdicts, model = await bench.judge([GOOD])
    assert (verdicts.status, verdicts.gate) == ("scored", "pass")
    assert (verdicts.required, verdicts.damage, verdicts.score) == (0.75, 0.0, 0.75)
    assert [atom.id for atom in verdicts.atoms] == list(IDS)
    assert len(model.asks) == 1
    assert verdicts.calls.logical(CallKind.JUDGE) == 1
    assert json.loads(verdicts.raw[0]) == GOOD
    assert verdicts.model == "scripted:judge"


async def test_the_judge_sees_source_and_output_and_no_case_id(bench: Bench) -> None:
    _, model = await bench.judge([GOOD])
    ask = model.asks[0]
    assert [part.label for part in ask.parts] == ["Source image", "Edited image"]
    assert "secret-family-7" not in ask.text
    assert ask.temperature == 0.0
    assert ask.text.count("</request>") == 1


async def test_strict_shows_neither_weights_nor_roles_nor_the_intended_state(bench: Bench) -> None:
    _, model = await bench.judge([GOOD])
    strict = model.asks[0].text
    _, model = await bench.judge([reply(*((name, "pass") for name in IDS))], JudgeOptions(mode="official"))
    official = model.asks[0].text
    for told in ('"weight"', '"role"', "the cup is navy", '"id": "turned_blue"', "semantic_accuracy"):
        assert told in official
        assert told not in strict


async def test_missing_atoms_are_asked_again_once(bench: Bench) -> None:
    verdicts, model = await bench.judge([strictly("pass"), reply(("a02", "fail"), ("a03", "pass"))])
    assert len(model.asks) == 2
    assert model.asks[1].text.rstrip().endswith("`quality_gate` and `atomic_results`.")
    assert "a02\na03" in model.asks[1].text
    assert (verdicts.required, verdicts.not_returned) == (0.5, 0)
    assert verdicts.calls.logical(CallKind.JUDGE) == 1


async def test_what_stays_missing_abstains_and_is_counted_apart(bench: Bench) -> None:
    said = reply(("a01", "pass"), ("a03", "certainly"))
    verdicts, _ = await bench.judge([said, said])
    assert verdicts.not_returned == 2
    assert [atom.verdict for atom in verdicts.atoms] == ["pass", "abstain", "abstain"]
    assert (verdicts.required, verdicts.coverage) == (0.5, 0.25)


async def test_no_verdict_at_all_is_incomplete_and_no_number(bench: Bench) -> None:
    verdicts, _ = await bench.judge([reply(), reply()])
    assert (verdicts.status, verdicts.score) == ("judge_incomplete", None)


async def test_a_reply_that_cannot_be_read_is_asked_again_with_the_error(bench: Bench) -> None:
    verdicts, model = await bench.judge(["{'quality_gate': pass, score 5", GOOD])
    assert verdicts.status == "scored"
    assert "no JSON object with the keys quality_gate and atomic_results" in model.asks[1].text
    assert len(verdicts.raw) == 2


@pytest.mark.parametrize(
    "answer",
    [
        "Score: 5",
        "",
        '{"quality_gate": {"status": "pass"}, "atomic_results": "all pass"}',
        '{"atomic_results": []}',
        json.dumps(GOOD)[:-30],
        json.dumps(GOOD) + json.dumps(strictly("fail", "fail", "fail")),
        Reply(text=json.dumps(GOOD)[:40], finish="length"),
        Reply(text="", finish="empty"),
    ],
)
async def test_what_stays_unreadable_is_a_status_and_never_a_number(bench: Bench, answer: Any) -> None:
    verdicts, model = await bench.judge([answer, answer])
    assert (verdicts.status, verdicts.score, len(model.asks)) == ("judge_unparseable", None, 2)


@pytest.mark.parametrize("wrapped", ["```json\n{}\n```", "Here it is: {} I hope that helps.", "\ufeff{}"])
async def test_fences_and_prose_around_the_object_are_no_fault(bench: Bench, wrapped: str) -> None:
    verdicts, _ = await bench.judge([wrapped.replace("{}", json.dumps(GOOD))])
    assert verdicts.status == "scored"


@pytest.mark.parametrize(
    ("script", "status"),
    [
        ([Refused("no")], "judge_refused"),
        ([Reply(text="I won't.", finish="refused")], "judge_refused"),
        (["I'm sorry, I can't help with that."] * 2, "judge_refused"),
        ([RateLimited("slow down", retry_after_s=9999.0)], "judge_error"),
        ([Rejected("no such model", status=404)], "judge_error"),
        ([Unavailable("down")], "judge_error"),
    ],
)
async def test_failed_calls_are_statuses(bench: Bench, script: list[Any], status: str) -> None:
    verdicts, _ = await bench.judge(script)
    assert (verdicts.status, verdicts.score) == (status, None)
    assert verdicts.notes


async def test_samples_vote_and_their_spread_is_kept(bench: Bench) -> None:
    script = [strictly("pass", "pass", "pass"), strictly("fail", "partial", "pass"), strictly("pass", "fail", "pass")]
    verdicts, model = await bench.judge(list(script), JudgeOptions(samples=3, temperature=0.7))
    assert [atom.verdict for atom in verdicts.atoms] == ["pass", "partial", "pass"]
    assert verdicts.sample_scores == (1.0, 0.25, 0.5)
    assert (verdicts.samples, verdicts.spread, verdicts.score) == (3, 0.75, 0.75)
    assert {ask.temperature for ask in model.asks} == {0.7}
    assert verdicts.atoms[0].evidence["votes"] == "fail 1, pass 2"


async def test_a_sample_that_fails_leaves_the_others(bench: Bench) -> None:
    verdicts, _ = await bench.judge([GOOD, "nothing", "nothing", GOOD], JudgeOptions(samples=3))
    assert (verdicts.status, verdicts.samples) == ("scored", 2)


async def test_a_gate_that_fails_scores_zero_and_keeps_the_atoms(bench: Bench) -> None:
    verdicts, _ = await bench.judge([strictly("pass", "pass", "pass", gate="fail")])
    assert (verdicts.status, verdicts.score, verdicts.required) == ("scored", 0.0, 1.0)


async def test_no_output_is_the_arms_own_failure_and_asks_nobody(bench: Bench) -> None:
    verdicts, model = await bench.judge([], task=bench.task(output=None))
    assert (verdicts.status, verdicts.score, model.asks) == ("missing_output", 0.0, [])


async def test_the_same_output_gets_the_same_word_and_a_new_attempt_a_new_one(bench: Bench) -> None:
    model = ScriptedModel([GOOD, GOOD])
    judge = VisionModelJudge(model, reach=JudgeCalls(Calls(Journal(), bench.images)))
    task = bench.task()
    first, second = [await judge.judge(task, bench.images) for _ in range(2)]
    assert (first.score, len(model.asks)) == (second.score, 1)
    await judge.judge(task.model_copy(update={"attempt": 1}), bench.images)
    assert len(model.asks) == 2


def checked_contract() -> Contract:
    """`turned_blue` is decided by code too: the square's centre is blue."""
    raw = contract_of().as_json()
    box = [8 / 64, 10 / 48, 28 / 64, 30 / 48]
    check = {"kind": "colour_at", "region": {"shape": "box", "box": box}, "colour": "#1e3cc8"}
    raw["criterion_groups"][0]["atoms"][0]["check"] = check
    return load_contract(raw)


async def disputed(bench: Bench, *answers: Any, word: str = "fail") -> tuple[Verdicts, Any]:
    script = [strictly(word, "pass", "pass"), *answers]
    return await bench.judge(script, task=bench.task(checked_contract()))


async def test_agreement_with_the_checkers_needs_no_further_call(bench: Bench) -> None:
    verdicts, model = await disputed(bench, word="pass")
    assert len(model.asks) == 1
    assert verdicts.atoms[0].evidence["checker"] == "pass"


async def test_disagreement_makes_one_reconciling_call_whose_answer_stands(bench: Bench) -> None:
    verdicts, model = await disputed(bench, {"atomic_results": [{"id": "a01", "verdict": "partial"}]})
    assert len(model.asks) == 2
    assert model.asks[1].task == "judge_reconcile"
    assert '"examiner"' in model.asks[1].text
    assert '"program"' in model.asks[1].text
    first = verdicts.atoms[0]
    assert (first.verdict, first.evidence["model"], first.evidence["checker"]) == ("partial", "fail", "pass")
    assert verdicts.calls.logical(CallKind.JUDGE) == 2


async def test_a_reconciliation_that_fails_leaves_the_output_incomplete(bench: Bench) -> None:
    verdicts, _ = await disputed(bench, "hm", "hm")
    assert (verdicts.status, verdicts.score) == ("judge_incomplete", None)
    assert "turned_blue" in verdicts.notes[-1]


async def test_checkers_can_be_left_out(bench: Bench) -> None:
    task = bench.task(checked_contract())
    verdicts, model = await bench.judge([strictly("fail", "pass", "pass")], JudgeOptions(checkers=False), task)
    assert (verdicts.atoms[0].verdict, len(model.asks)) == ("fail", 1)


async def test_half_a_surrogate_pair_in_a_reply_can_be_recorded(bench: Bench) -> None:
    said = strictly("pass", "pass", "pass")
    for place in (said["quality_gate"], said["atomic_results"][0]):
        place["reason"] = "seen \ud83d"
    said["overall_reason"] = "\ud83d"
    verdicts, _ = await bench.judge([json.dumps(said)])
    assert verdicts.status == "scored"
    assert verdicts.model_dump_json()


SAID = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.sampled_from(["pass", "a01", "abstain"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(gate=SAID, results=SAID, around=st.text(max_size=20))
def test_whatever_a_model_writes_is_a_reply_or_an_error_in_words(gate: Any, results: Any, around: str) -> None:
    names = {"a01": "turned_blue"}
    text = around + json.dumps({"quality_gate": gate, "atomic_results": results}) + around
    read = parse_reply(text, names)
    if isinstance(read, str):
        assert read
        read.encode("utf-8")
    else:
        assert set(read.atoms) <= {"turned_blue"}
        assert read.model_dump_json()


@given(
    words=st.lists(st.sampled_from(["pass", "partial", "fail", "abstain"]), min_size=1, max_size=7), seed=st.randoms()
)
def test_a_vote_depends_on_the_votes_and_not_on_their_order(words: list[str], seed: Random) -> None:
    names = {"a01": "turned_blue"}

    def voted(order: list[str]) -> str:
        replies = [parse_reply(json.dumps(reply(("a01", word))), names) for word in order]
        return combined([each for each in replies if not isinstance(each, str)]).atoms["turned_blue"].verdict

    shuffled = list(words)
    seed.shuffle(shuffled)
    assert voted(words) == voted(shuffled)
    most = max(set(words), key=words.count)
    if words.count(most) * 2 > len(words):
        assert voted(words) == most
