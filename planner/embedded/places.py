"""Places in words: percent coordinates, normalised boxes, short descriptions."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from editplan.pixels.colours import as_hex
from editplan.pixels.geometry import PixelBox, Point
from editplan.recognition.scene import Rgb, Scene, Shape
from editplan.records import Box

Size = tuple[int, int]


def percent(value: float, whole: int) -> str:
    """A length in percent of the width or height with two decimals."""
    return f"{100 * value / whole:.2f}%"


def coordinates(point: Point, size: Size) -> str:
    """`(12.34%, 56.78%)`: percent of width and height from the top left corner."""
    return f"({percent(point[0], size[0])}, {percent(point[1], size[1])})"


def inner_point(shape: Shape) -> Point:
    """The middle of the pixel that is farthest from a shape's rim: it lies on the shape, also on a ring."""
    import cv2

    padded = np.pad(shape.patch, 1).astype(np.uint8)
    depth = cv2.distanceTransform(padded, cv2.DIST_L2, 5)
    row, column = np.unravel_index(int(np.argmax(depth)), depth.shape)
    return float(column - 0.5 + shape.box[0]), float(row - 0.5 + shape.box[1])


def at(shape: Shape, size: Size) -> str:
    """Coordinates that lie on a shape."""
    return coordinates(inner_point(shape), size)


def normalised(box: PixelBox, size: Size) -> Box:
    """A pixel box as fractions, four decimals, at least a ten-thousandth wide."""
    x1, y1, x2, y2 = (
        round(min(1.0, max(0.0, edge / whole)), 4) for edge, whole in zip(box, (*size, *size), strict=True)
    )
    return (min(x1, 0.9999), min(y1, 0.9999), max(x2, x1 + 0.0001), max(y2, y1 + 0.0001))


def around(boxes: Iterable[PixelBox]) -> PixelBox:
    """The smallest box around at least one box."""
    columns = list(zip(*boxes, strict=True))
    return min(columns[0]), min(columns[1]), max(columns[2]), max(columns[3])


def region_words(point: Point, size: Size) -> str:
    """The ninth of the picture that a point lies in: "top left", "center", "bottom"."""
    across = ("left", "", "right")[min(2, int(3 * point[0] / size[0]))]
    down = ("top", "", "bottom")[min(2, int(3 * point[1] / size[1]))]
    return f"{down} {across}".strip() or "center"


def shape_words(shape: Shape, scene: Scene) -> str:
    """A short description: colour, kind and where it lies."""
    where = region_words(shape.middle, (scene.width, scene.height))
    return f"the {shape.colour} {shape.kind} at the {where} {at(shape, (scene.width, scene.height))}"


def colour_words(name: str, rgb: Rgb) -> str:
    """`green (#00FF00)`."""
    return f"{name} ({as_hex(rgb)})"


def an(words: str) -> str:
    """The words with their indefinite article."""
    return f"{'an' if words[:1].lower() in 'aeiou' else 'a'} {words}"


def listed(items: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    words = list(items)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
