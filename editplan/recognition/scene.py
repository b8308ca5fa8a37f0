"""What recognition finds in a picture: background, filled shapes, outlines and panels.

Points are continuous: x to the right, y down, (0, 0) is the picture's top left corner and pixel (i, j) covers i..i+1
and j..j+1, so that percent of the width times the width gives x. A box `(x1, y1, x2, y2)` holds the pixels x1..x2-1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from editplan.pixels.geometry import PixelBox, Point

Mask = NDArray[np.bool_]
"""H x W, True inside."""
Picture = NDArray[np.uint8]
"""H x W x 3, RGB."""
Rgb = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Background:
    """What lies behind everything: one flat colour or a periodic pattern of two or more."""

    colours: tuple[Rgb, ...]
    """Most frequent first; a panel's colour is not among them."""
    mask: Mask
    """Where the background (or a panel) is visible."""
    image: Picture
    """The picture as it would be without shapes and outlines; equal to the source where `mask` holds."""


@dataclass(frozen=True, eq=False)
class Shape:
    """One filled shape of one colour."""

    size: tuple[int, int]
    """Width and height of the picture that it lies in."""
    box: PixelBox
    patch: Mask
    """Its visible pixels inside `box`."""
    rgb: Rgb
    colour: str
    """The nearest basic or special colour name (`editplan.pixels.colours`)."""
    kind: str
    """One of `editplan.recognition.kinds.KINDS`, or "shape" where none fits."""
    angle: float
    """Degrees clockwise from the kind's upright pose (an arrow: from pointing right); 0 where it has none."""
    landmarks: Mapping[str, Point] = field(default_factory=dict)
    """Named points: "center", "tip", "pointy tip", "top-left corner", "60-degree vertex", "highest point",
    "left edge midpoint", "arc midpoint", ... (`editplan.recognition.landmarks` lists them a kind)."""
    whole: Mask | None = None
    """Inside `box`, the visible pixels and those that an outline hides; None where nothing hides it."""
    parts: int = 1
    """Pieces that it is seen in: over 1 where an outline or a line crosses it."""

    @property
    def area(self) -> int:
        return int(self.patch.sum())

    @property
    def width(self) -> int:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> int:
        return self.box[3] - self.box[1]

    @cached_property
    def centroid(self) -> Point:
        """Mean of its pixels."""
        rows, columns = np.nonzero(self.patch)
        return float(columns.mean()) + self.box[0] + 0.5, float(rows.mean()) + self.box[1] + 0.5

    @property
    def middle(self) -> Point:
        """Middle of its box."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    @cached_property
    def mask(self) -> Mask:
        """Its visible pixels in the whole picture."""
        width, height = self.size
        full = np.zeros((height, width), dtype=bool)
        x1, y1, x2, y2 = self.box
        full[y1:y2, x1:x2] = self.patch
        return full

    def covers(self, point: Point) -> bool:
        """Whether the pixel at `point` belongs to it."""
        x, y = int(point[0] // 1) - self.box[0], int(point[1] // 1) - self.box[1]
        rows, columns = self.patch.shape
        return 0 <= x < columns and 0 <= y < rows and bool(self.patch[y, x])


@dataclass(frozen=True, eq=False)
class Outline:
    """A closed line around a region: a box, a slot, a polygon, a thin circle."""

    size: tuple[int, int]
    box: PixelBox
    """Of the stroke's outer rim."""
    stroke: Mask
    """The line's pixels inside `box`."""
    hole: Mask
    """The enclosed pixels inside `box`, whatever lies there."""
    rgb: Rgb
    colour: str
    kind: str
    """"square" | "rectangle" | "triangle" | "parallelogram" | "polygon" | "circle"; tilted squares are "square"."""
    corners: tuple[Point, ...]
    """Of the stroke's middle line, clockwise from the one nearest to the top left; empty for a circle."""
    stroke_width: float

    @cached_property
    def interior(self) -> Mask:
        """The enclosed pixels in the whole picture."""
        return _placed(self.hole, self.box, self.size)

    @cached_property
    def line(self) -> Mask:
        """The line's pixels in the whole picture."""
        return _placed(self.stroke, self.box, self.size)

    @property
    def middle(self) -> Point:
        """Middle of its box."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


@dataclass(frozen=True, eq=False)
class Panel:
    """A flat strip along one side of the picture, as a legend lies on."""

    box: PixelBox
    rgb: Rgb
    side: str
    """"left" | "right" | "top" | "bottom"."""


@dataclass(frozen=True, eq=False)
class Scene:
    """All that was found; shapes, outlines in reading order (top to bottom in rows, then left to right)."""

    width: int
    height: int
    background: Background
    shapes: tuple[Shape, ...]
    """Also what lies on a panel (arrow glyphs, legend swatches whose frames are outlines), and digits."""
    outlines: tuple[Outline, ...]
    panels: tuple[Panel, ...]
    flat: bool
    """False for a photograph: then there are no shapes and the background image is the source."""

    def shape_at(self, point: Point) -> Shape | None:
        """The shape whose pixels hold `point`, else one within 1% of the picture's longer side."""
        for shape in self.shapes:
            if shape.covers(point):
                return shape
        reach = 0.01 * max(self.width, self.height)
        near = [(_gap(shape, point), number) for number, shape in enumerate(self.shapes)]
        best = min(near, default=(reach + 1, -1))
        return self.shapes[best[1]] if best[0] <= reach else None

    def inside(self, outline: Outline) -> tuple[Shape, ...]:
        """The shapes of which at least half lies in an outline."""
        return tuple(s for s in self.shapes if (s.mask & outline.interior).sum() * 2 >= s.area)

    def outlines_in(self, outline: Outline) -> tuple[Outline, ...]:
        """Outlines that lie wholly inside another."""
        return tuple(o for o in self.outlines if o is not outline and not (o.line & ~outline.interior).any())


def _placed(patch: Mask, box: PixelBox, size: tuple[int, int]) -> Mask:
    full = np.zeros((size[1], size[0]), dtype=bool)
    x1, y1, x2, y2 = box
    full[y1:y2, x1:x2] = patch
    return full


def _gap(shape: Shape, point: Point) -> float:
    """Distance from a point to the shape's nearest pixel; its box decides where that is far."""
    x1, y1, x2, y2 = shape.box
    x, y = point
    far = float(np.hypot(max(x1 - x, 0, x - x2), max(y1 - y, 0, y - y2)))
    if far > 0.02 * max(shape.size):
        return far
    rows, columns = np.nonzero(shape.patch)
    return float(np.hypot(columns + x1 + 0.5 - x, rows + y1 + 0.5 - y).min())
