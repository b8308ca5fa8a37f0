import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from editplan.pixels.components import components, exact_colours
from editplan.pixels.masks import disc, grown, mask_box, polygon, thick_line, without_holes


def test_a_filled_hole_belongs_to_the_mask() -> None:
    ring = disc((60, 60), (30, 30), 20) & ~disc((60, 60), (30, 30), 10)
    assert without_holes(ring)[30, 30]
    assert (without_holes(ring) == disc((60, 60), (30, 30), 20)).all()


def test_the_box_of_an_empty_mask_is_none() -> None:
    assert mask_box(np.zeros((4, 4), dtype=bool)) is None


@given(st.integers(5, 40), st.integers(5, 40), st.integers(1, 12))
def test_growing_reaches_exactly_the_distance(x: int, y: int, radius: int) -> None:
    mask = np.zeros((60, 60), dtype=bool)
    mask[y, x] = True
    rows, columns = np.mgrid[:60, :60]
    assert (grown(mask, radius) == ((columns - x) ** 2 + (rows - y) ** 2 <= radius**2)).all()


def test_a_line_has_the_width_of_its_brush() -> None:
    line = thick_line((100, 50), ((10, 25), (90, 25)), 7.2)
    assert line[:, 50].sum() == 7


def test_a_polygon_holds_its_inside() -> None:
    mask = polygon((50, 50), [(10, 10), (40, 10), (40, 40), (10, 40)])
    assert mask_box(mask) == (10, 10, 41, 41)
    assert mask.sum() == 31 * 31


def test_components_of_one_colour_are_told_apart() -> None:
    picture = np.zeros((20, 30, 3), dtype=np.uint8)
    picture[2:6, 2:6] = picture[10:15, 20:28] = 255
    flat = exact_colours(picture)
    assert flat is not None
    assert flat.palette == ((0, 0, 0), (255, 255, 255))
    assert [part.box for part in components(flat.labels, 1)] == [(2, 2, 6, 6), (20, 10, 28, 15)]


def test_a_picture_of_many_colours_has_no_exact_ones() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (40, 40, 3), dtype=np.uint8)
    assert exact_colours(noise) is None
