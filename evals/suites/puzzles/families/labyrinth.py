"""Mazes as graphs: cells, open passages, and the ways between two cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

Cell = tuple[int, int]
"""(column, row)."""
Passage = frozenset[Cell]
"""Two neighbouring cells without a wall between them."""


@dataclass(frozen=True)
class Labyrinth:
    """A rectangular maze."""

    size: tuple[int, int]
    """Columns and rows."""
    open: frozenset[Passage]

    def neighbours(self, cell: Cell) -> list[Cell]:
        """The cells that can be reached in one step, in a fixed order."""
        return [other for other in _around(cell, self.size) if frozenset((cell, other)) in self.open]

    def ways(self, start: Cell, end: Cell) -> list[list[Cell]]:
        """All ways that visit no cell twice, the shortest first."""
        return sorted(self._ways([start], end), key=lambda way: (len(way), way))

    def ends(self) -> list[Cell]:
        """The dead ends, in reading order."""
        columns, rows = self.size
        cells = [(column, row) for row in range(rows) for column in range(columns)]
        return [cell for cell in cells if len(self.neighbours(cell)) == 1]

    def _ways(self, walked: list[Cell], end: Cell) -> Iterator[list[Cell]]:
        if walked[-1] == end:
            yield list(walked)
            return
        for cell in self.neighbours(walked[-1]):
            if cell not in walked:
                yield from self._ways([*walked, cell], end)


def draw_labyrinth(rng: Random, columns: int, rows: int, *, loops: int) -> Labyrinth:
    """A random maze in which all cells are connected, with some walls opened so that there are several ways."""
    size = columns, rows
    first = rng.randrange(columns), rng.randrange(rows)
    seen, stack, opened = {first}, [first], set[Passage]()
    while stack:
        fresh = [cell for cell in _around(stack[-1], size) if cell not in seen]
        if not fresh:
            stack.pop()
            continue
        cell = rng.choice(fresh)
        opened.add(frozenset((stack[-1], cell)))
        seen.add(cell)
        stack.append(cell)
    cells = [(column, row) for row in range(rows) for column in range(columns)]
    closed = [
        frozenset((cell, other))
        for cell in cells
        for other in _around(cell, size)
        if cell < other and frozenset((cell, other)) not in opened
    ]
    opened.update(rng.sample(closed, min(loops, len(closed))))
    return Labyrinth(size, frozenset(opened))


def corners(way: list[Cell]) -> list[Cell]:
    """The cells of a way at which it begins, turns and ends."""
    inner = [
        cell
        for before, cell, after in zip(way, way[1:], way[2:], strict=False)
        if before[0] != after[0] and before[1] != after[1]
    ]
    return [way[0], *inner, way[-1]]


def _around(cell: Cell, size: tuple[int, int]) -> list[Cell]:
    x, y = cell
    return [
        (a, b) for a, b in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)) if 0 <= a < size[0] and 0 <= b < size[1]
    ]
