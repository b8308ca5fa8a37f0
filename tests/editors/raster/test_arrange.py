import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editplan.editors.raster.program import carry_out

TO_POINT = (
    "Move the red circle to (60%, 70%).",
    "Move the red circle so that its center is at (60%, 70%).",
    "Move the red circle so that its bounding box center is at (60%, 70%).",
    "Place the red circle at (60%, 70%).",
)
BY_AMOUNT = (
    "Shift the red circle 10% right and 20% down.",
    "Move the red circle right by 80 pixels and down by 120 pixels.",
    "The red circle moves 10% of the width to the right and 20% of the height down.",
    "Slide the red circle down by 20% of the image height and right by 10% of the image width.",
)
COPIES = (
    "Copy the red circle to (60%, 70%).",
    "Duplicate the red circle at (60%, 70%).",
    "Add a copy of the red circle at (60%, 70%).",
)


@pytest.mark.parametrize("instruction", TO_POINT)
def test_a_shape_moves_to_a_point(board, edit, instruction: str) -> None:
    assert np.array_equal(edit(instruction), board.moved_to("red circle", 480, 420))


@pytest.mark.parametrize("instruction", BY_AMOUNT)
def test_a_shape_moves_by_an_amount(board, edit, instruction: str) -> None:
    assert np.array_equal(edit(instruction), board.moved("red circle", 80, 120))


@pytest.mark.parametrize("instruction", COPIES)
def test_a_copy_leaves_the_original(board, edit, instruction: str) -> None:
    assert np.array_equal(edit(instruction), board.moved_to("red circle", 480, 420, keep=True))


@pytest.mark.parametrize("box", ["the purple outlined square", "the left box", "the center of the purple box"])
def test_a_shape_moves_into_a_box(board, edit, box: str) -> None:
    word = "to" if box.startswith("the center") else "into"
    assert np.array_equal(edit(f"Move the red circle {word} {box}."), board.moved_to("red circle", 500.5, 370.5))


def test_one_shape_is_copied_to_several_points(board, edit) -> None:
    result = edit(
        "Copy the red circle so that the bounding box centers of the copies are at (60%, 85%) and (20%, 85%)."
    )
    once = board.moved_to("red circle", 480, 510, keep=True)
    twice = board.moved_to("red circle", 160, 510, keep=True)
    assert np.array_equal(result, np.where((once != board.source).any(axis=2)[..., None], once, twice))


def test_two_shapes_that_change_places_both_survive(board, edit) -> None:
    swapped = edit("Swap the red circle and the blue circle.")
    moves = edit(
        "Move the red circle so that its bounding box center is at (36.31%, 50.08%). "
        "Move the blue circle so that its bounding box center is at (12.56%, 16.75%)."
    )
    assert tuple(swapped[300, 290]) == (230, 40, 40)
    assert tuple(swapped[100, 100]) == (30, 100, 220)
    assert np.array_equal(swapped, moves)


def test_underneath_is_under_the_other_shapes(board, edit) -> None:
    under = edit("Move the red circle to (35%, 17%). Place it underneath any overlapping shapes.")
    over = edit("Move the red circle to (35%, 17%), on top of all other shapes.")
    assert tuple(under[100, 280]) == (30, 100, 220)
    assert tuple(over[100, 280]) == (230, 40, 40)


def test_a_landmark_meets_a_point(board, edit) -> None:
    result = edit("Translate the red square so that its top-left corner aligns with the center of the image.")
    assert np.array_equal(result, board.moved("red square", 400 - 650, 300 - 60))


def test_alignment_along_one_axis_moves_along_it_only(board, edit) -> None:
    result = edit("Translate the red square horizontally so that its center aligns vertically with (50%, 90%).")
    assert np.array_equal(result, board.moved("red square", 400 - 685, 0))


@settings(max_examples=25, deadline=None)
@given(dx=st.integers(-40, 40), dy=st.integers(-60, 60))
def test_a_move_and_its_reverse_differ_only_in_the_place(board, dx: int, dy: int) -> None:
    words = (
        f"{'right' if dx >= 0 else 'left'} by {abs(dx)} pixels",
        f"{'down' if dy >= 0 else 'up'} by {abs(dy)} pixels",
    )
    result = carry_out(board.source, f"Move the green triangle {words[0]} and {words[1]}.", unparsed="refuse")
    assert result.image is not None
    assert np.array_equal(result.image, board.moved("green triangle", dx, dy))
