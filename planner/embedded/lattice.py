"""Repeating arrangements: shapes on a grid or on a circle, and which of them repeats where.

Both kinds are one linear model. A shape of class k at index i stands at `origin(k) + step(i)`; the origin takes up
that the middle of a heart's box is not where the pattern puts its centre. Unknowns come from least squares over all
shapes that are there, so that a hole is placed to a fraction of a pixel.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from editplan.pixels.geometry import PixelBox, Point
from editplan.recognition.scene import Shape

Cell = tuple[int, int]
"""(row, column) on a grid; (0, number) on a circle, clockwise."""
_FIT = 0.2
"""Largest distance of a shape from its cell, in steps, that still counts as standing there."""


@dataclass(frozen=True)
class Arrangement:
    """Shapes in their cells."""

    rows: int
    columns: int
    circular: bool
    cells: Mapping[Cell, int]
    """Index into the shapes."""
    looks: tuple[int, ...]
    """The class of each shape: equal looks, equal number."""
    step: Callable[[Cell, Cell], Point]
    """The displacement in pixels between shapes of equal looks in two cells."""

    @property
    def holes(self) -> tuple[Cell, ...]:
        """Cells without a shape, in reading order."""
        every = ((row, column) for row in range(self.rows) for column in range(self.columns))
        return tuple(cell for cell in every if cell not in self.cells)


def looks_of(shapes: Sequence[Shape]) -> tuple[int, ...]:
    """A class number a shape: same colour and, laid over each other, nearly the same pixels."""
    leaders: list[Shape] = []
    classes = []
    for shape in shapes:
        number = next((i for i, leader in enumerate(leaders) if _alike(shape, leader)), len(leaders))
        if number == len(leaders):
            leaders.append(shape)
        classes.append(number)
    return tuple(classes)


def fit_grid(shapes: Sequence[Shape], rows: int, columns: int) -> Arrangement | None:
    """The shapes on a grid of `rows` x `columns`; None where they do not stand on one."""
    if len(shapes) < 3:
        return None
    middles = np.array([shape.middle for shape in shapes])
    column = _indices(middles[:, 0], columns)
    row = _indices(middles[:, 1], rows)
    if column is None or row is None:
        return None
    cells = {(int(r), int(c)): i for i, (r, c) in enumerate(zip(row, column, strict=True))}
    if len(cells) != len(shapes):
        return None
    looks = looks_of(shapes)
    pitch_x = _pitch(middles[:, 0], column, looks)
    pitch_y = _pitch(middles[:, 1], row, looks)

    def step(start: Cell, end: Cell) -> Point:
        return (end[1] - start[1]) * pitch_x, (end[0] - start[0]) * pitch_y

    return Arrangement(rows, columns, False, cells, looks, step)


def fit_circle(shapes: Sequence[Shape], count: int) -> Arrangement | None:
    """The shapes on a circle of `count` equal steps; None where they do not stand on one."""
    if len(shapes) < 3:
        return None
    middles = np.array([shape.middle for shape in shapes])
    found = _circle_numbers(middles, count)
    if found is None:
        return None
    cells = {(0, int(number)): i for i, number in enumerate(found)}
    if len(cells) != len(shapes):
        return None
    looks = looks_of(shapes)
    across, down = _circle_vector(middles, found, looks, count)

    def place(number: int) -> Point:
        angle = 2 * math.pi * number / count
        return (
            across * math.cos(angle) - down * math.sin(angle),
            across * math.sin(angle) + down * math.cos(angle),
        )

    def step(start: Cell, end: Cell) -> Point:
        (x1, y1), (x2, y2) = place(start[1]), place(end[1])
        return x2 - x1, y2 - y1

    return Arrangement(1, count, True, cells, looks, step)


def row_pitch(places: Sequence[tuple[PixelBox, PixelBox]], along: int) -> float | None:
    """The step in pixels of a row of equal boxes with one shape each; None where their steps are not equal.

    `places` gives box and shape in order. Least squares over all edges: those of the boxes are
    `origin + pitch * number`, those of the shapes have one more term in their size, because a row may align other
    points than middles.
    """
    count = len(places)
    numbers = np.arange(count, dtype=np.float64)
    edges = [np.array([outer[i] for outer, _ in places], dtype=np.float64) for i in (along, along + 2)]
    for edge in edges:
        fitted = np.polyval(np.polyfit(numbers, edge, 1), numbers)
        if np.abs(edge - fitted).max() > 1.5:
            return None
    inner = [np.array([box[i] for _, box in places], dtype=np.float64) for i in (along, along + 2)]
    sizes = inner[1] - inner[0]
    if count < 5 or np.ptp(sizes) < 4:
        inner = []
    series = edges + inner
    design = np.zeros((count * len(series), 1 + 2 * len(series)))
    for i in range(len(series)):
        rows = slice(i * count, (i + 1) * count)
        design[rows, 0] = numbers
        design[rows, 1 + i] = 1
        if i >= len(edges):
            design[rows, 1 + len(series) + i] = sizes
    return float(np.linalg.lstsq(design, np.concatenate(series), rcond=None)[0][0])


def _alike(a: Shape, b: Shape) -> bool:
    if max(abs(x - y) for x, y in zip(a.rgb, b.rgb, strict=True)) > 12:
        return False
    if abs(a.width - b.width) > 3 or abs(a.height - b.height) > 3:
        return False
    rows, columns = min(a.height, b.height), min(a.width, b.width)
    one, other = a.patch[:rows, :columns], b.patch[:rows, :columns]
    return bool((one & other).sum() > 0.82 * (one | other).sum())


def _indices(values: NDArray[np.float64], count: int) -> NDArray[np.int64] | None:
    """Cell numbers of coordinates that stand in `count` equal steps, the outer cells occupied."""
    if count == 1:
        return np.zeros(values.size, dtype=np.int64)
    pitch = float(values.max() - values.min()) / (count - 1)
    if pitch < 2:
        return None
    for _ in range(3):
        numbers = np.rint((values - values.min()) / pitch)
        slope, start = np.polyfit(numbers, values, 1)
        numbers = np.rint((values - start) / slope)
        off = np.abs(values - start - slope * numbers) / slope
        pitch = float(slope)
    if off.max() > 2 * _FIT or numbers.min() != 0 or numbers.max() != count - 1:
        return None
    return np.asarray(numbers, dtype=np.int64)


def _pitch(values: NDArray[np.float64], numbers: NDArray[np.int64], looks: Sequence[int]) -> float:
    """Least squares: value = origin(look) + pitch * number."""
    design = np.zeros((values.size, max(looks) + 2))
    design[:, 0] = numbers
    design[np.arange(values.size), np.array(looks) + 1] = 1
    return float(np.linalg.lstsq(design, values, rcond=None)[0][0])


def _circle_numbers(middles: NDArray[np.float64], count: int) -> NDArray[np.int64] | None:
    """The place of each point on a circle of `count` steps, counted clockwise from the point nearest to the top."""
    design = np.column_stack([2 * middles, np.ones(len(middles))])
    x, y, _ = np.linalg.lstsq(design, (middles**2).sum(axis=1), rcond=None)[0]
    gaps = middles - (x, y)
    radius = float(np.hypot(*gaps.T).mean())
    step = 2 * math.pi / count
    if radius < 4 or np.abs(np.hypot(*gaps.T) - radius).max() > 2 * _FIT * step * radius + 0.08 * radius:
        return None
    angles = np.arctan2(gaps[:, 1], gaps[:, 0]) + math.pi / 2
    phase = float(np.angle(np.exp(1j * angles * count).mean())) / count
    numbers = np.rint((angles - phase) / step)
    if np.abs(angles - phase - numbers * step).max() > 2 * _FIT * step:
        return None
    return np.asarray(np.mod(numbers, count), dtype=np.int64)


def _circle_vector(
    middles: NDArray[np.float64], numbers: NDArray[np.int64], looks: Sequence[int], count: int
) -> tuple[float, float]:
    """Least squares: place = origin(look) + the vector of number 0, turned by the angle of its number."""
    angles = 2 * math.pi * numbers / count
    classes = max(looks) + 1
    size = len(middles)
    design = np.zeros((2 * size, 2 + 2 * classes))
    design[:size, 0], design[:size, 1] = np.cos(angles), -np.sin(angles)
    design[size:, 0], design[size:, 1] = np.sin(angles), np.cos(angles)
    own = np.array(looks)
    design[np.arange(size), 2 + own] = 1
    design[size + np.arange(size), 2 + classes + own] = 1
    solved = np.linalg.lstsq(design, np.concatenate([middles[:, 0], middles[:, 1]]), rcond=None)[0]
    return float(solved[0]), float(solved[1])


def fillings(arrangement: Arrangement) -> list[tuple[Cell, dict[Cell, int]]]:
    """Ways to fill the holes, the one with the smallest period first.

    Each is a period (rows, columns) and the look of every hole. A period counts if no two shapes contradict it and if
    every hole repeats a shape that is there; on a circle it must divide the number of places.
    """
    found: list[tuple[Cell, dict[Cell, int]]] = []
    for period in _periods(arrangement):
        table: dict[Cell, set[int]] = defaultdict(set)
        for cell, index in arrangement.cells.items():
            table[_phase(cell, period)].add(arrangement.looks[index])
        if any(len(looks) > 1 for looks in table.values()):
            continue
        filling = {}
        for hole in arrangement.holes:
            looks = table.get(_phase(hole, period))
            if looks:
                filling[hole] = next(iter(looks))
        if len(filling) == len(arrangement.holes) and all(filling != other for _, other in found):
            found.append((period, filling))
    return found


def _periods(arrangement: Arrangement) -> list[Cell]:
    rows, columns = arrangement.rows, arrangement.columns
    periods = [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]
    if arrangement.circular:
        periods = [(r, c) for r, c in periods if columns % c == 0]
    return sorted(periods, key=lambda p: (p[0] * p[1], max(p)))


def _phase(cell: Cell, period: Cell) -> Cell:
    return cell[0] % period[0], cell[1] % period[1]
