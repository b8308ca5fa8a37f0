"""Boolean masks: filling, growing, drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from editplan.pixels.geometry import PixelBox, Point

if TYPE_CHECKING:
    from PIL import ImageDraw

Mask = NDArray[np.bool_]


def mask_box(mask: Mask) -> PixelBox | None:
    """The smallest box around the True pixels, None for an empty mask."""
    rows = np.flatnonzero(mask.any(axis=1))
    columns = np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def without_holes(mask: Mask) -> Mask:
    """The mask and everything that it encloses (4-connected outside)."""
    import cv2

    padded = np.pad(mask, 1).astype(np.uint8)
    cv2.floodFill(padded, None, (0, 0), 2)
    return np.asarray(padded[1:-1, 1:-1] != 2)


def distance_outside(mask: Mask) -> NDArray[np.float32]:
    """Euclidean distance of every pixel to the nearest True pixel (0 inside)."""
    import cv2

    outside = (~mask).astype(np.uint8)
    return np.asarray(cv2.distanceTransform(outside, cv2.DIST_L2, cv2.DIST_MASK_PRECISE), dtype=np.float32)


def grown(mask: Mask, radius: float) -> Mask:
    """Every pixel within a Euclidean distance of the mask."""
    box = mask_box(mask)
    found = np.zeros_like(mask, dtype=bool)
    if box is None:
        return found
    reach = int(radius) + 1
    x1, y1, x2, y2 = box
    window = slice(max(y1 - reach, 0), y2 + reach), slice(max(x1 - reach, 0), x2 + reach)
    found[window] = distance_outside(mask[window]) <= radius
    return found


def disc(size: tuple[int, int], centre: Point, radius: float) -> Mask:
    """The pixels of a (width, height) picture that a filled circle covers, by Pillow's rule."""
    x, y = centre
    box = tuple(round(edge, 6) for edge in (x - radius, y - radius, x + radius, y + radius))
    return _drawn(size, lambda pen: pen.ellipse(box, fill=255))


def polygon(size: tuple[int, int], corners: Sequence[Point]) -> Mask:
    """The pixels of a filled polygon, its rim included, by Pillow's rule."""
    return _drawn(size, lambda pen: pen.polygon([(x, y) for x, y in corners], fill=255))


def thick_line(size: tuple[int, int], ends: tuple[Point, Point], diameter: float) -> Mask:
    """The pixels of a segment drawn by a round brush of a whole number of pixels, round at both ends."""
    brush = max(1, round(diameter))

    def stroke(pen: ImageDraw.ImageDraw) -> None:
        pen.line([ends[0], ends[1]], fill=255, width=brush)
        for x, y in ends:
            pen.ellipse((x - brush / 2, y - brush / 2, x + brush / 2, y + brush / 2), fill=255)

    return _drawn(size, stroke)


def _drawn(size: tuple[int, int], stroke: Callable[[ImageDraw.ImageDraw], object]) -> Mask:
    from PIL import Image, ImageDraw

    canvas = Image.new("L", size, 0)
    stroke(ImageDraw.Draw(canvas))
    return np.asarray(canvas) > 0
