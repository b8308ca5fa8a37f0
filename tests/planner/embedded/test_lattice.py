"""Grids and circles: holes, periods, and where a missing shape goes."""

from __future__ import annotations

import math
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from editplan.planner.embedded.lattice import Arrangement, fillings, fit_circle, fit_grid, row_pitch


def test_a_hole_of_a_grid_is_placed_by_the_pitch(sheet: Callable[..., object]) -> None:
    made = sheet(640, 400)
    for row in range(3):
        for column in range(5):
            if (row, column) != (1, 3):
                made.disc(60 + 110 * column, 70 + 120 * row, 30, (255, 0, 0) if column % 2 else (0, 0, 255))
    found = fit_grid(made.view().scene.shapes, 3, 5)
    assert found is not None
    assert found.holes == ((1, 3),)
    dx, dy = found.step((0, 3), (1, 3))
    assert (round(dx), round(dy)) == (0, 120)
    assert len(set(fillings(found)[0][1].values())) == 1


def test_a_hole_of_a_circle_is_placed_by_the_angle(sheet: Callable[..., object]) -> None:
    made, count = sheet(640, 640), 12
    for number in range(count):
        x, y = 320 + 230 * math.sin(2 * math.pi * number / count), 320 - 230 * math.cos(2 * math.pi * number / count)
        if number != 4:
            made.disc(round(x), round(y), 26, (255, 0, 0) if number % 3 else (0, 128, 0))
    found = fit_circle(made.view().scene.shapes, count)
    assert found is not None
    assert len(found.holes) == 1
    reds = [index for index, shape in enumerate(made.view().scene.shapes) if shape.colour == "red"]
    assert fillings(found)[0][1][found.holes[0]] == found.looks[reds[0]]


def test_scattered_shapes_are_no_grid(sheet: Callable[..., object]) -> None:
    made = sheet()
    for x, y in ((50, 60), (210, 130), (400, 77), (120, 300), (510, 333), (260, 520)):
        made.disc(x, y, 20, (255, 0, 0))
    assert fit_grid(made.view().scene.shapes, 2, 3) is None


@settings(max_examples=60, deadline=None)
@given(
    rows=st.integers(2, 5),
    columns=st.integers(3, 6),
    period=st.tuples(st.integers(1, 2), st.integers(1, 3)),
    data=st.data(),
)
def test_the_simplest_period_that_explains_all_fills_the_hole(
    rows: int, columns: int, period: tuple[int, int], data: st.DataObject
) -> None:
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    looks = {cell: (cell[0] % period[0]) * 10 + cell[1] % period[1] for cell in cells}
    hole = data.draw(st.sampled_from(cells))
    rest = [cell for cell in cells if cell != hole]
    made = Arrangement(
        rows,
        columns,
        False,
        {cell: i for i, cell in enumerate(rest)},
        tuple(looks[c] for c in rest),
        lambda a, b: (0, 0),
    )
    for found, filling in fillings(made):
        for cell in rest:
            phase = (cell[0] % found[0], cell[1] % found[1])
            if phase == (hole[0] % found[0], hole[1] % found[1]):
                assert filling[hole] == looks[cell]


def test_a_row_of_unequal_steps_has_no_pitch() -> None:
    box = (0, 0, 40, 40)
    equal = [((x, 0, x + 40, 40), (x + 10, 10, x + 30, 30)) for x in (0, 50, 100, 150)]
    assert round(row_pitch(equal, 0) or 0) == 50
    assert row_pitch([*equal, ((300, 0, 340, 40), box)], 0) is None
