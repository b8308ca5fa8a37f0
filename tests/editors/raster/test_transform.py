import numpy as np
import pytest
from PIL import Image, ImageDraw

from editplan.editors.raster.program import carry_out


@pytest.fixture
def arrow():
    """A blue arrow that points right."""
    canvas = Image.new("RGB", (400, 400), "white")
    ImageDraw.Draw(canvas).polygon(
        [(300, 200), (220, 260), (220, 220), (100, 220), (100, 180), (220, 180), (220, 140)], fill="blue"
    )
    return np.array(canvas)


def _edit(source, instruction: str):
    result = carry_out(source, instruction, unparsed="refuse")
    assert result.image is not None, result.refusal
    return (result.image == (0, 0, 255)).all(axis=2)


def _halves(mask, axis: int) -> tuple[int, int]:
    """Widest extents across the axis in the first and second half: the head is the wider one."""
    places = np.flatnonzero(mask.any(axis=1 - axis))
    middle = (places[0] + places[-1]) // 2
    first, second = (mask[:middle], mask[middle:]) if axis == 0 else (mask[:, :middle], mask[:, middle:])
    extent = lambda part: int(part.sum(axis=axis ^ 1).max())  # noqa: E731
    return extent(first), extent(second)


def test_clockwise_is_clockwise(arrow) -> None:
    down = _edit(arrow, "Rotate the blue arrow by 90° clockwise about its center.")
    first, second = _halves(down, 0)
    assert second > 2 * first, "an arrow that pointed right points down"
    up = _edit(arrow, "Rotate the blue arrow by 90 degrees counterclockwise about its center.")
    first, second = _halves(up, 0)
    assert first > 2 * second


def test_a_full_turn_is_the_source(arrow) -> None:
    turned = _edit(arrow, "Rotate the blue arrow by 360° clockwise about (20%, 30%).")
    assert (turned == (arrow == (0, 0, 255)).all(axis=2)).all()


def test_a_point_turns_about_a_pivot(arrow) -> None:
    turned = _edit(arrow, "Rotate the blue arrow by 90° clockwise about (50%, 50%).")
    rows, columns = np.nonzero(turned)
    assert abs(rows.max() - 300) <= 2
    assert abs(columns.min() - 140) <= 2


def test_a_mirror_image_points_the_other_way(arrow) -> None:
    for words in ("across the vertical center line of its bounding box", "horizontally"):
        first, second = _halves(_edit(arrow, f"Reflect the blue arrow {words}."), 1)
        assert first > 2 * second
    beside = _edit(arrow, "Reflect the blue arrow across the right edge of its bounding box.")
    assert np.flatnonzero(beside.any(axis=0))[0] >= 299


@pytest.mark.parametrize(
    ("words", "width", "height"),
    [
        ("uniformly so its bounding box is 50% of its current size, keeping its top-left bounding box corner fixed",
         100, 60),
        ("horizontally so its bounding box width is 50% of its current width, keeping its bounding box center fixed",
         100, 120),
        ("vertically so its bounding box height is 150% of its height, keeping its top bounding box edge fixed",
         200, 180),
    ],
)  # fmt: skip
def test_scaling_changes_the_measures_that_are_named(arrow, words: str, width: int, height: int) -> None:
    mask = _edit(arrow, f"Scale the blue arrow {words}.")
    assert abs(int(mask.any(axis=0).sum()) - width) <= 3
    assert abs(int(mask.any(axis=1).sum()) - height) <= 3


def test_the_fixed_corner_stays(arrow) -> None:
    mask = _edit(
        arrow, "Scale the blue arrow uniformly so its bounding box is 50% of its current size, "
        "keeping its bottom-right bounding box corner fixed.",
    )  # fmt: skip
    assert abs(int(np.flatnonzero(mask.any(axis=1))[-1]) - 260) <= 2


def test_a_shear_moves_one_edge_and_keeps_the_other(arrow) -> None:
    mask = _edit(
        arrow,
        "Shear the blue arrow so its left bounding box edge shifts down by 50% of its bounding box height, "
        "keeping the right bounding box edge fixed.",
    )
    left = np.flatnonzero(mask[:, 101])
    tip = np.flatnonzero(mask[:, 297])
    assert abs(left.mean() - (200 + 60)) <= 3
    assert abs(tip.mean() - 200) <= 3
