"""Canonical spellings, colours and tolerances against the protocol's worked examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.evals.protocols.vectorbench.canonical import canonical, canonical_number, is_invalid
from editplan.evals.protocols.vectorbench.colours import canonical_colour, lab
from editplan.evals.protocols.vectorbench.rules import Grammar
from editplan.evals.protocols.vectorbench.tolerance import (
    COLOUR,
    OPACITY,
    Match,
    Viewport,
    progress,
    root_mean_square,
)

OFFICIAL, STRICT = Grammar.OFFICIAL, Grammar.STRICT_SVG
VIEW = Viewport(220, 140)


@pytest.mark.parametrize(
    ("attribute", "target", "delta", "tolerance"),
    [
        ("x", 128, 11, 5.5),
        ("x", 128, 2, 1.0),
        ("opacity", 0.5, 0.02, 0.018),
        ("stroke-width", 6, 6, 2.4),
        ("r", 5, 100, 2.8),
        ("cy", 5, 100, 3.5),
        ("x", 128, None, 5.5),
        ("x", 128, 0, 0.75),
    ],
)
def test_tolerances_of_numbers(attribute: str, target: float, delta: float | None, tolerance: float) -> None:
    assert VIEW.number(attribute, target).tolerance(delta) == pytest.approx(tolerance, abs=1e-12)


@given(delta=st.floats(1e-3, 1e4), bound=st.sampled_from([COLOUR, OPACITY, VIEW.path_shape(), VIEW.number_list()]))
def test_the_corrupted_value_never_passes(delta: float, bound: object) -> None:
    assert not Match.measured("x", delta, delta, bound.tolerance(delta), "px").passed  # type: ignore[attr-defined]


def test_progress_is_a_clipped_share_of_the_requested_change() -> None:
    assert [progress(d, 4.0) for d in (0.0, 1.0, 4.0, 9.0)] == [1.0, 0.75, 0.0, 0.0]
    assert (progress(0.0, None), progress(1.0, None), progress(1.0, 0.0)) == (1.0, None, 0.0)
    assert progress(float("nan"), 4.0) == 0.0
    assert root_mean_square([1e200], [-1e200]) == float("inf")


def test_lab_of_a_worked_example() -> None:
    assert lab("#6a1a1a", OFFICIAL) == pytest.approx((23.266, 35.225, 21.030), abs=5e-4)
    assert lab("none", OFFICIAL) is None
    assert lab("rgba(1, 2, 3, 1)", OFFICIAL) is None


@pytest.mark.parametrize(
    ("value", "official", "strict"),
    [
        (" Red ", "#ff0000", "#ff0000"),
        ("#AbC", "#aabbcc", "#aabbcc"),
        ("rgb(1, 2,3)", "#010203", "#010203"),
        ("rgb(300,0,0)", "rgb(300,0,0)", "#ff0000"),
        ("rebeccapurple", "rebeccapurple", "#663399"),
        ("#abcf", "#abcf", "#aabbcc"),
        ("#11223380", "#11223380", "#11223380"),
        ("rgb(10% 20% 30% / 50%)", "rgb(10% 20% 30% / 50%)", "#1a334d80"),
        ("hsl(120deg, 100%, 25%)", "hsl(120deg, 100%, 25%)", "#008000"),
        ("transparent", "transparent", "#00000000"),
        ("hsl(1e999 1% 1%)", "hsl(1e999 1% 1%)", "hsl(1e999 1% 1%)"),
        ("rgb(1 2)", "rgb(1 2)", "rgb(1 2)"),
    ],
)
def test_colours_under_both_grammars(value: str, official: str, strict: str) -> None:
    assert canonical_colour(value, OFFICIAL) == official
    assert canonical_colour(value, STRICT) == strict


@pytest.mark.parametrize(
    ("token", "plain"),
    [
        ("-0.0", "0"),
        ("1e2", "100"),
        (".50", "0.5"),
        ("5.", "5"),
        ("+3", "3"),
        ("1e-7", "0.0000001"),
        ("120", "120"),
        ("1e999999999", "1e999999999"),
        ("1e99999999999999999999", "1e99999999999999999999"),
    ],
)
def test_numbers_are_plain_and_short(token: str, plain: str) -> None:
    assert canonical_number(token) == plain


@given(st.floats(-1e6, 1e6).map(lambda x: round(x, 4)), st.integers(0, 3))
def test_equal_numbers_have_one_spelling(number: float, zeros: int) -> None:
    text = f"{number:.4f}" + "0" * zeros
    assert canonical_number(text) == canonical_number(f"{number:.4e}" if float(f"{number:.4e}") == number else text)
    assert float(canonical_number(text)) == number


@pytest.mark.parametrize(
    ("name", "value", "spelling"),
    [
        ("d", "M8,18C1 2,3 4 5-6z", "M 8 18 C 1 2 3 4 5 -6 z"),
        ("points", "1,2 3,4", "1 2 3 4"),
        ("transform", "translate(1,2) rotate( 3 )", "translate(1 2) rotate(3)"),
        ("style", "B: 1.0 ;a:red", "a:red;b:1"),
        ("stroke-dasharray", "1.0, 2", "1 2"),
        ("font-family", "Arial  Black", "Arial Black"),
        ("fill", "URL(#a)", "URL(#a)"),
        ("transform", "5", "5"),
        ("points", "", ""),
    ],
)
def test_attribute_values_have_one_spelling(name: str, value: str, spelling: str) -> None:
    assert canonical(name, value, OFFICIAL) == spelling


@pytest.mark.parametrize(
    ("name", "value", "legal_svg"),
    [
        ("d", "M1.5.5", True),
        ("points", "1.5.5", True),
        ("transform", "translate(1.5.5)", True),
        ("points", "1;2", False),
        ("d", "M1 2 B3", False),
        ("transform", "spin(3)", False),
        ("transform", "scale(1 2 3)", False),
        ("transform", "rotate(1) x", False),
        ("style", "fill", False),
        ("style", "fill:;", False),
    ],
)
def test_the_official_subset_refuses_and_strict_svg_reads(name: str, value: str, legal_svg: bool) -> None:
    assert is_invalid(canonical(name, value, OFFICIAL))
    assert is_invalid(canonical(name, value, STRICT)) is not legal_svg


def test_strict_flags_of_an_arc_are_single_characters() -> None:
    assert canonical("d", "M0 0a1 1 0 0110 10", OFFICIAL) == "M 0 0 a 1 1 0 110 10"
    assert canonical("d", "M0 0a1 1 0 0110 10", STRICT) == "M 0 0 a 1 1 0 0 1 10 10"
