"""Where things go: free places that keep their distance from what is there already."""

from __future__ import annotations

from random import Random

from editplan.evals.suites.puzzles.things import Size, Spot
from editplan.pixels.geometry import PixelBox

SIZES: tuple[Size, ...] = (
    (640, 640), (672, 640), (704, 640), (640, 704), (720, 672), (704, 704), (736, 640), (640, 736),
    (768, 672), (768, 704),
)  # fmt: skip
MARGIN = 22
GAP = 18
_DARTS = 300


class NoRoom(Exception):
    """The drawn things don't fit; the generator draws the case again."""


class Table:
    """A canvas on which places are handed out."""

    def __init__(self, rng: Random, size: Size) -> None:
        self._rng = rng
        self.size = size
        self._taken: list[PixelBox] = []

    def take(self, box: PixelBox) -> None:
        """Marks a box as occupied."""
        self._taken.append(box)

    def free(self, box: PixelBox, gap: int = GAP) -> bool:
        """Whether a box lies inside the margins and `gap` pixels off all that is taken."""
        x1, y1, x2, y2 = box
        if x1 < MARGIN or y1 < MARGIN or x2 > self.size[0] - MARGIN or y2 > self.size[1] - MARGIN:
            return False
        return all(x2 + gap <= a or c + gap <= x1 or y2 + gap <= b or d + gap <= y1 for a, b, c, d in self._taken)

    def place(self, width: int, height: int, within: PixelBox | None = None, gap: int = GAP) -> Spot:
        """The centre of a free box of that size, which is then taken. Raises `NoRoom` where none is found."""
        left, top, right, bottom = within or (0, 0, self.size[0], self.size[1])
        low_x, high_x = max(left, MARGIN) + width // 2, min(right, self.size[0] - MARGIN) - width // 2 - 1
        low_y, high_y = max(top, MARGIN) + height // 2, min(bottom, self.size[1] - MARGIN) - height // 2 - 1
        if low_x > high_x or low_y > high_y:
            raise NoRoom
        for _ in range(_DARTS):
            centre = self._rng.randint(low_x, high_x), self._rng.randint(low_y, high_y)
            box = around(centre, width, height)
            if self.free(box, gap):
                self.take(box)
                return centre
        raise NoRoom


def around(centre: Spot, width: int, height: int) -> PixelBox:
    """The box of a size around a pixel."""
    x, y = centre[0] - width // 2, centre[1] - height // 2
    return x, y, x + width, y + height


def grid(corner: Spot, columns: int, rows: int, cell: Size, gap: Size) -> list[PixelBox]:
    """The boxes of a grid in reading order."""
    (left, top), (width, height) = corner, cell
    return [
        (x, y, x + width, y + height)
        for y in (top + row * (height + gap[1]) for row in range(rows))
        for x in (left + column * (width + gap[0]) for column in range(columns))
    ]


def grid_size(columns: int, rows: int, cell: Size, gap: Size) -> Size:
    """Width and height of such a grid."""
    return columns * cell[0] + (columns - 1) * gap[0], rows * cell[1] + (rows - 1) * gap[1]
