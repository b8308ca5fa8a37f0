"""Boxes of each model family become normalised boxes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.boxes import BoxConvention, box_words, to_unit

SIZE = (640, 480)


@pytest.mark.parametrize(
    ("raw", "convention"),
    [
        ([0.25, 0.5, 0.75, 1.0], BoxConvention.UNIT),
        ([250, 500, 750, 1000], BoxConvention.QWEN3),
        ([500, 250, 1000, 750], BoxConvention.GEMINI),
        ([160, 240, 480, 480], BoxConvention.QWEN25),
    ],
)
def test_the_same_box_in_each_convention(raw: list[float], convention: BoxConvention) -> None:
    assert to_unit(raw, convention, SIZE) == pytest.approx((0.25, 0.5, 0.75, 1.0))


@pytest.mark.parametrize(
    "raw",
    [
        [0.1, 0.1, 0.1, 0.2],
        [0.5, 0.2, 0.1, 0.9],
        [12, 30, 200, 400],
        [0.1, 0.2, 0.3],
        [True, 0, 1, 1],
        ["a", 0, 1, 1],
    ],
)
def test_a_box_that_fits_no_convention_is_none(raw: list[float]) -> None:
    assert to_unit(raw, BoxConvention.UNIT, SIZE) is None


@given(st.lists(st.floats(-0.02, 1.02), min_size=4, max_size=4))
def test_what_is_accepted_lies_in_the_image(raw: list[float]) -> None:
    box = to_unit(raw, BoxConvention.UNIT, SIZE)
    if box is not None:
        x1, y1, x2, y2 = box
        assert 0.0 <= x1 < x2 <= 1.0
        assert 0.0 <= y1 < y2 <= 1.0


def test_each_convention_is_said_in_words_of_its_own() -> None:
    assert len({box_words(convention) for convention in BoxConvention}) == len(BoxConvention)
