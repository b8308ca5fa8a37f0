import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.pixels.geometry import contains, corner_angle, reading_order, union

boxes = st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(1, 50), st.integers(1, 50)).map(
    lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
)


def test_rows_are_read_from_left_to_right() -> None:
    assert reading_order([(50, 2, 60, 12), (0, 0, 10, 10), (0, 40, 10, 50), (80, 4, 90, 14)]) == [1, 0, 3, 2]


@given(st.lists(boxes, min_size=1, max_size=12))
def test_every_box_is_read_once_and_lies_in_the_union(several: list[tuple[int, int, int, int]]) -> None:
    assert sorted(reading_order(several)) == list(range(len(several)))
    assert all(contains(union(several), box) for box in several)


def test_a_right_angle_has_90_degrees() -> None:
    assert corner_angle((0, 5), (0, 0), (7, 0)) == pytest.approx(90)
