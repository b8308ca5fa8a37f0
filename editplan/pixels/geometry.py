"""Points, boxes and lines in pixels."""

from __future__ import annotations

import math

Point = tuple[float, float]
"""(x, y) in pixels, y down; (0, 0) is the picture's top left corner, a pixel (i, j) covers i..i+1 and j..j+1."""
PixelBox = tuple[int, int, int, int]
"""(x1, y1, x2, y2), half open."""


def distance(a: Point, b: Point) -> float:
    """Euclidean distance."""
    return math.hypot(a[0] - b[0], a[1] - b[1])


def midpoint(a: Point, b: Point) -> Point:
    """The point halfway between two."""
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def corner_angle(before: Point, corner: Point, after: Point) -> float:
    """The angle at `corner` in degrees, 0..180."""
    first = math.atan2(before[1] - corner[1], before[0] - corner[0])
    second = math.atan2(after[1] - corner[1], after[0] - corner[0])
    angle = abs(math.degrees(first - second)) % 360
    return min(angle, 360 - angle)


def union(boxes: list[PixelBox]) -> PixelBox:
    """The smallest box around at least one box."""
    return (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )


def contains(outer: PixelBox, inner: PixelBox) -> bool:
    """Whether one box lies in another."""
    return outer[0] <= inner[0] and outer[1] <= inner[1] and outer[2] >= inner[2] and outer[3] >= inner[3]


def reading_order(boxes: list[PixelBox]) -> list[int]:
    """Indices of boxes in rows from top to bottom, each row from left to right.

    A box joins the current row if its middle lies above the bottom of the row's first box.
    """
    pending = sorted(range(len(boxes)), key=lambda i: (boxes[i][1], boxes[i][0]))
    order: list[int] = []
    while pending:
        bottom = boxes[pending[0]][3]
        row = [i for i in pending if (boxes[i][1] + boxes[i][3]) / 2 < bottom]
        row = row or pending[:1]
        order += sorted(row, key=lambda i: boxes[i][0])
        pending = [i for i in pending if i not in row]
    return order
