"""Judge replies: what the published cascade makes of them, and what a strict reading does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.evals.protocols.wiseedit import parse_permissive, parse_strict


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ('{"reason": "fine", "score": 8}', 8),
        ('{"score": 7.6}', 7),
        ('{"score": "9"}', 9),
        ('{"score": 11}', None),
        ('{"score": 0} I would say 7', None),
        ('{"reason": 1. Detect the cup, "score": X}', 1),
        ('{"reason": "ok", "score": 8,}', 8),
        ('{"reason": {"a": 1}, "score": 6}', 6),
        ('{"score": 3} {"score": 9}', 3),
        ("Score：5", 5),
        ("The rating: 4 of 5", 4),
        ("I give it 6/10", 6),
        ("6 out of 10", 6),
        ("Image 2 is nice. Final verdict: seven", 2),
        ("no number here", None),
        ("It deserves 42", None),
        ('{"score": null} rating: 3', 3),
    ],
)
def test_the_permissive_cascade(reply: str, score: int | None) -> None:
    parsed = parse_permissive(reply)
    assert parsed.score == score
    assert (parsed.error is None) == (score is not None)


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ('Looks right.\n{"reason": "fine", "score": 8}', 8),
        ('```json\n{"reason": "a {brace} inside", "score": 10}\n```', 10),
        ('{"reason": "same", "score": 4} {"reason": "again", "score": 4}', 4),
        ('The sign says {closed}. {"score": 2}', 2),
    ],
)
def test_strict_reads_the_one_object(reply: str, score: int) -> None:
    assert parse_strict(reply).score == score


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ('{"score": 7.6}', "whole number, not 7.6"),
        ('{"score": "9"}', 'whole number, not "9"'),
        ('{"score": true}', "whole number, not true"),
        ('{"score": 11}', "from 1 to 10, not 11"),
        ('{"score": 3} or {"score": 9}', "different scores"),
        ("image 1 ... Final: 5", "no JSON object"),
        ("Score: 0, because item 1", "no JSON object"),
        ('{"reason": "cut off", "score": 8', "no JSON object"),
        ("", "no JSON object"),
    ],
)
def test_strict_never_guesses(reply: str, error: str) -> None:
    parsed = parse_strict(reply)
    assert parsed.score is None
    assert parsed.error is not None
    assert error in parsed.error


@given(st.text(alphabet='{}"score:0123456789/ outf.,\n', max_size=60))
def test_any_text_is_parsed_to_a_score_or_an_error(reply: str) -> None:
    for parse in (parse_permissive, parse_strict):
        parsed = parse(reply)
        assert (parsed.score is None) != (parsed.error is None)
        assert parsed.score is None or 1 <= parsed.score <= 10
