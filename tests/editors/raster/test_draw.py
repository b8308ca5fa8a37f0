import numpy as np
import pytest

from editplan.pixels.masks import disc, polygon, thick_line

BLUE = (0, 0, 255)
SIZE = (800, 600)


def _changed(board, result):
    return (result != board.source).any(axis=2)


@pytest.mark.parametrize(
    "instruction",
    [
        "Draw a #0000FF line from (10%, 80%) to (50%, 95%) with a line width of 1% of the image width.",
        "Connect (10%, 80%) and (50%, 95%) with a blue line (#0000FF, thickness 1% of the width).",
        "With a round brush 1% of the image width across, draw a blue (#0000FF) line that starts at (10%, 80%) and "
        "ends at (50%, 95%).",
    ],
)
def test_a_line_is_drawn(board, edit, instruction: str) -> None:
    result = edit(instruction)
    mask = thick_line(SIZE, ((80, 480), (400, 570)), 8)
    assert (_changed(board, result) == mask).all()
    assert (result[mask] == BLUE).all()


def test_a_line_runs_between_corners_of_the_picture(board, edit) -> None:
    result = edit(
        "Draw a #0000FF line from the bottom-right corner of the image to the left edge midpoint of the image, "
        "using a circular brush with a diameter of 1% image width."
    )
    assert (_changed(board, result) == thick_line(SIZE, ((800, 600), (0, 300)), 8)).all()


def test_a_line_goes_through_points_in_order(board, edit) -> None:
    result = edit(
        "Draw a #0000FF line from (5%, 90%) through (40%, 90%) and (40%, 97%) to (90%, 97%) "
        "with a line width of 0.5% of the image width."
    )
    mask = thick_line(SIZE, ((40, 540), (320, 540)), 4) | thick_line(SIZE, ((320, 540), (320, 582)), 4)
    assert (_changed(board, result) == mask | thick_line(SIZE, ((320, 582), (720, 582)), 4)).all()


@pytest.mark.parametrize(
    ("words", "centre", "radius"),
    [
        ("centered at (50%, 85%) with a radius of 5% image width", (400, 510), 40),
        ("centered at (50%, 85%) with a diameter of 10% of the image width", (400, 510), 40),
        ("with diameter endpoints at (45%, 85%) and (55%, 85%)", (400, 510), 40),
        ("centered at (50%, 85%) with its edge passing through (55%, 85%)", (400, 510), 40),
    ],
)
def test_a_circle_is_drawn(board, edit, words: str, centre: tuple[int, int], radius: int) -> None:
    result = edit(f"Draw a filled blue (#0000FF) circle {words}. Place it on top of any existing shapes.")
    assert (_changed(board, result) == disc(SIZE, centre, radius)).all()


def test_a_polygon_lies_behind_what_is_there(board, edit) -> None:
    result = edit(
        "Behind the existing shapes, draw a solid #0000FF triangle with corners (5%, 5%), (30%, 5%), (5%, 50%)."
    )
    mask = polygon(SIZE, [(40, 30), (240, 30), (40, 300)])
    free = (board.source == 240).all(axis=2)
    assert (_changed(board, result) == (mask & free)).all()


def test_a_ring_is_hollow(board, edit) -> None:
    result = edit(
        "Draw a #0000FF ring centered at (50%, 80%) with a radius of 8% of the image width and a line width of 1% of "
        "the image width."
    )
    changed = _changed(board, result)
    assert not changed[480, 400]
    assert changed[480, 400 + 64]


def test_a_border_runs_around_a_shape_and_leaves_it(board, edit) -> None:
    one = edit("Outline the yellow star with a #0000FF border 2% of the image width thick.")
    two = edit("Give the yellow star a blue (#0000FF) border: every pixel within 2% of the image width of it.")
    assert np.array_equal(one, two)
    assert not _changed(board, one)[board.masks["yellow star"]].any()
    assert _changed(board, one)[300 - 60, 110]


def test_digits_are_written_at_a_point_in_a_height(board, edit) -> None:
    result = edit('Write "7" centered at (50%, 85%) in black (#000000) with a height of 10% of the image height.')
    rows, columns = np.nonzero(_changed(board, result))
    assert abs((columns.min() + columns.max()) / 2 - 400) < 3
    assert abs((rows.min() + rows.max()) / 2 - 510) < 3
    assert 45 <= rows.max() - rows.min() <= 75


def test_text_fits_into_a_box(board, edit) -> None:
    result = edit('Write "42" in the purple outlined box in red.')
    changed = _changed(board, result)
    assert changed.any()
    assert not (changed & ~board.masks["purple box"]).any()


def test_an_x_crosses_a_shape(board, edit) -> None:
    result = edit("Cross out the blue square with a red X.")
    assert tuple(result[105, 285]) == (230, 40, 40)
    assert tuple(result[75, 285]) == (30, 100, 220)


def test_a_ring_around_a_shape_encloses_it_and_touches_nothing_of_it(board, edit) -> None:
    result = edit("Draw a #0000FF ring around the yellow star.")
    star = board.masks["yellow star"]
    drawn = _changed(board, result)
    assert (result[drawn] == BLUE).all()
    assert not (drawn & star).any()
    for axis in (0, 1):
        assert np.nonzero(drawn)[axis].min() < np.nonzero(star)[axis].min()
        assert np.nonzero(drawn)[axis].max() > np.nonzero(star)[axis].max()
