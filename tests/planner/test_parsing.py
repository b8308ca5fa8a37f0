"""Finding the object in a reply."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.planner.parsing import parse_reply

KEYS = ("instruction", "problems")
GOOD = {"instruction": "Paint it {red} [now].", "problems": []}
TEXT = json.dumps(GOOD)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"\ufeff{TEXT}",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}",
        f"Sure!\n{TEXT}\nDone.",
        f"<think>maybe {{this}} or {TEXT[:20]}</think>{TEXT}",
        f"I wonder {{a}} b\n</think>\n\n{TEXT}",
        f'An example is {{"x": 1}}, mine is {TEXT}',
        json.dumps(GOOD, indent=2).replace("\n", "\r\n"),
    ],
)
def test_dressing_is_taken_off_without_a_word(text: str) -> None:
    parsed = parse_reply(text, KEYS)
    assert parsed.value is not None
    assert parsed.value["problems"] == []
    assert not parsed.repaired
    assert parsed.notes == ()


@pytest.mark.parametrize(
    "text",
    [
        TEXT[:-1] + ",}",
        TEXT.replace('"', "'"),
        TEXT.replace("{", "{ // a comment\n", 1),
        f"[{TEXT}]",
        f"{TEXT}\n{TEXT}",
        json.dumps({"result": GOOD}),
        TEXT[:-1],
        '{instruction: "Paint it {red} [now].", "problems": None}',
        f"Let {{me}} think. {TEXT[:-1]},}}",
    ],
)
def test_mended_json_is_noted(text: str) -> None:
    parsed = parse_reply(text, KEYS)
    assert parsed.value is not None
    assert parsed.value["instruction"] == GOOD["instruction"]
    assert parsed.repaired
    assert parsed.notes


@pytest.mark.parametrize(
    "text", ["", "   \n", "no object", "[]", "{}", '{"other": 1}', "[" * 5000, "{" * 5000, "null"]
)
def test_what_is_no_answer_says_why(text: str) -> None:
    parsed = parse_reply(text, KEYS)
    assert parsed.value is None
    assert parsed.error


def test_the_first_of_two_objects_counts() -> None:
    other = json.dumps({"instruction": "Other."})
    parsed = parse_reply(TEXT + other, KEYS)
    assert parsed.value == GOOD
    assert parsed.notes == ("more than one object came: the first counts",)


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_breaks_it(before: str, after: str) -> None:
    parsed = parse_reply(before + TEXT + after, KEYS)
    assert parsed.value is not None or parsed.error


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(KEYS), json_values, min_size=1))
def test_plain_json_comes_back_as_it_is(value: dict[str, object]) -> None:
    parsed = parse_reply(json.dumps(value), KEYS)
    assert json.dumps(parsed.value) == json.dumps(value)
