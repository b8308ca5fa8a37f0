"""Regions survive JSON and give the pixels they name."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from pydantic import TypeAdapter, ValidationError

from editplan.evals.checkers.regions import (
    MaskRegion,
    PolygonRegion,
    Region,
    UnionRegion,
    box_region,
    mask_region,
    region_mask,
)

REGION: TypeAdapter[Region] = TypeAdapter(Region)


@given(arrays.arrays(bool, arrays.array_shapes(min_dims=2, max_dims=2, max_side=12)))
def test_any_mask_comes_back_bit_for_bit_through_json(mask: np.ndarray) -> None:
    read = REGION.validate_json(mask_region(mask).model_dump_json())
    assert np.array_equal(region_mask(read, *mask.shape), mask)


def test_a_disc_is_small_in_json() -> None:
    rows, columns = np.ogrid[:480, :640]
    mask = (rows - 200) ** 2 + (columns - 300) ** 2 <= 20**2
    assert len(mask_region(mask).model_dump_json()) < 500


@given(st.integers(1, 30), st.integers(1, 30), st.data())
def test_a_box_of_whole_pixels_covers_just_those(height: int, width: int, data: st.DataObject) -> None:
    top, left = data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, width - 1))
    bottom, right = data.draw(st.integers(top + 1, height)), data.draw(st.integers(left + 1, width))
    wanted = np.zeros((height, width), dtype=bool)
    wanted[top:bottom, left:right] = True
    box = box_region((left / width, top / height, right / width, bottom / height))
    assert np.array_equal(region_mask(box, height, width), wanted)


def test_a_polygon_and_a_union_cover_their_parts() -> None:
    square = PolygonRegion(points=((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)))
    assert abs(int(region_mask(square, 40, 40).sum()) - 400) <= 44
    union = UnionRegion(parts=(box_region((0, 0, 0.5, 1)), box_region((0.5, 0, 1, 0.5))))
    assert region_mask(union, 10, 10).sum() == 75


def test_a_mask_of_another_size_is_scaled() -> None:
    mask = np.zeros((4, 4), dtype=bool)
    mask[:2] = True
    assert region_mask(mask_region(mask), 8, 12).sum() == 48


def test_runs_that_do_not_fill_the_image_are_refused() -> None:
    with pytest.raises(ValidationError, match="add up to 3 pixels, not to 2 x 2 = 4"):
        MaskRegion(width=2, height=2, runs=(1, 2))
