"""The plan's rules, and the instruction that is made by them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.planner.compiling import compile_plan, rebuild
from editplan.planner.instructions import (
    CLOSING,
    MAX_WORDS,
    has_closing,
    speaks_of_analysis,
    with_closing,
    word_count,
)
from editplan.planner.obligations import obligation
from editplan.planner.plans import read_plan
from editplan.planner.reading import Reader
from editplan.records import EditRequest, Media, Part, Plan, Transition, Validity


@pytest.fixture
def plan(answers: dict[str, Any]) -> Plan:
    return read_plan(answers["resolve"], Reader())


def _request(goal: str = "Place the red block.", output: Any = "edit") -> EditRequest:
    return EditRequest(
        case_id="c", parts=(Part(media=Media(sha256="0" * 64, width=8, height=8)),), goal=goal, output=output
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"selected": "z9"}, "no candidate"),
        ({"selected": "z2"}, "rejected"),
        ({"candidates": ()}, "nothing to select"),
        ({"evidence": ()}, "not in evidence_ledger"),
    ],
)
def test_a_broken_rule_stops_it(change: dict[str, Any], words: str, plan: Plan) -> None:
    compiled = compile_plan(plan.model_copy(update=change), _request())
    assert any(words in problem for problem in compiled.problems)


def test_missing_obligations_come_from_the_transition(plan: Plan) -> None:
    compiled = compile_plan(plan.model_copy(update={"obligations": ()}), _request())
    assert [(each.kind, each.text) for each in compiled.plan.obligations] == [
        ("completion", "the red block fills the third slot"),
        ("preservation", "the four placed blocks"),
    ]


def test_a_rebuilt_instruction_says_what_changes_and_what_stays(plan: Plan) -> None:
    assert rebuild(plan, _request()) == (
        "Move the red block on the table to the third slot from the left. The red block fills the third slot. "
        "The four placed blocks stay unchanged. Keep everything else exactly as it is. Output only the edited image."
    )


def test_an_own_word_of_the_goal_is_no_analysis(plan: Plan) -> None:
    own = "Take down the poster of candidate 2. Keep the rest. Output only the edited image."
    changed = plan.model_copy(update={"instruction": own})
    assert compile_plan(changed, _request("Remove the poster of candidate 2.")).plan.instruction == own
    assert compile_plan(changed, _request("Remove the poster.")).plan.instruction != own


texts = st.lists(st.text("abcdefg hijk", min_size=1, max_size=120), max_size=8).map(tuple)


@given(texts, texts, texts, texts, st.text(max_size=900))
def test_every_compiled_instruction_keeps_limit_and_closing(
    actions: tuple[str, ...], targets: tuple[str, ...], states: tuple[str, ...], stays: tuple[str, ...], own: str
) -> None:
    chosen = Transition(
        transition_id="z1",
        targets=targets,
        actions=actions,
        goal_state=states,
        preserve=stays,
        validity=Validity.SUPPORTED,
    )
    compiled = compile_plan(Plan(candidates=(chosen,), selected="z1", instruction=own), _request())
    if not compiled.problems:
        assert word_count(compiled.plan.instruction) <= MAX_WORDS
        assert has_closing(compiled.plan.instruction)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("two words", 2),
        ("把红色积木移到第三个槽位", 6),
        ("Move 红色 now", 3),
        ("ไทย", 2),
        ("한국어 낱말", 2),
    ],
)
def test_words_are_counted_by_script(text: str, count: int) -> None:
    assert word_count(text) == count


@pytest.mark.parametrize(
    "text",
    [
        "Do it. Output only the edited image.",
        "Do it. Return the image only!",
        'Write "HI." Only the image, please.',
        "把它改成红色。只输出编辑后的图像。",
    ],
)
def test_other_closings_count(text: str) -> None:
    assert with_closing(text) == text


@pytest.mark.parametrize("text", ["Only the red one moves in the image. Then stop.", "Do it", ""])
def test_a_missing_closing_is_added(text: str) -> None:
    assert with_closing(text).endswith(CLOSING)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("According to the evidence ledger, move it.", True),
        ("Move it (e1).", True),
        ("Move it [e1, e2].", True),
        ("Move the pawn from e2 to e4.", False),
        ("Write (e9) on the board.", False),
        ("Paint the brick wall.", False),
    ],
)
def test_talk_of_the_analysis_is_found(text: str, found: bool) -> None:
    assert speaks_of_analysis(text, ["e1", "e2", "z1"]) is found


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("the red block fills the third slot", "completion"),
        ("the four placed blocks stay unchanged", "preservation"),
        ("The background is as it was", "preservation"),
        ("no other object moves", "preservation"),
        ("the missing cell shows the same shape as its row", "completion"),
        ("其他积木保持不变", "preservation"),
        ("Der Hintergrund bleibt gleich", "preservation"),
    ],
)
def test_the_kind_of_an_obligation_is_read_from_its_words(text: str, kind: str) -> None:
    assert obligation(text).kind == kind
