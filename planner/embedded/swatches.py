"""Reads a legend of framed swatches: pairs joined by an arrow, "this colour becomes that one", or an X."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from editplan.pixels.geometry import PixelBox
from editplan.pixels.masks import without_holes
from editplan.planner.embedded.places import around
from editplan.recognition.scene import Rgb

Picture = NDArray[np.uint8]
Mask = NDArray[np.bool_]

_DEPTH = 0.25
"""A legend takes at most this share of the picture, counted from its side."""
_FRAME_LEVEL = 40
"""Channel sum up to which a pixel counts as frame black."""
_X_SHARE = 0.05
"""A second colour with this share of a swatch's inside is a sign drawn into it."""


@dataclass(frozen=True)
class Rule:
    """One entry: what happens to shapes of a colour."""

    source: Rgb
    target: Rgb | None
    """None where the entry points to an X: such shapes go."""
    box: PixelBox


@dataclass(frozen=True)
class Legend:
    """The entries of a legend and the strip that it lies on."""

    rules: tuple[Rule, ...]
    strip: PixelBox


def read_legend(picture: Picture, side: str) -> Legend | None:
    """The legend along one side ("left", "right", "top", "bottom"); None where no pairs of swatches are seen."""
    along = 0 if side in {"top", "bottom"} else 1
    boxes = _swatches(picture, _near(picture, side), along)
    if len(boxes) < 2 or len(boxes) % 2:
        return None
    rules = []
    for first, second in zip(boxes[::2], boxes[1::2], strict=True):
        if _points_back(picture, first, second, along):
            first, second = second, first
        source, marked = _inside(picture, first)
        target, crossed = _inside(picture, second)
        if source is None or marked or target is None:
            return None
        rules.append(Rule(source, None if crossed else target, around((first, second))))
    return Legend(tuple(rules), _strip(boxes, side, (picture.shape[1], picture.shape[0])))


def _near(picture: Picture, side: str) -> PixelBox:
    height, width = picture.shape[:2]
    return {
        "left": (0, 0, round(_DEPTH * width), height),
        "right": (width - round(_DEPTH * width), 0, width, height),
        "top": (0, 0, width, round(_DEPTH * height)),
        "bottom": (0, height - round(_DEPTH * height), width, height),
    }[side]


def _swatches(picture: Picture, region: PixelBox, along: int) -> list[PixelBox]:
    """Equal upright squares in a line, in order; a square is a black frame with what it holds, or all black."""
    import cv2

    x0, y0, x1, y1 = region
    part = picture[y0:y1, x0:x1]
    solid = without_holes(part.astype(np.int32).sum(axis=-1) <= _FRAME_LEVEL)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid.astype(np.uint8), connectivity=4)
    found: list[PixelBox] = []
    for number in range(1, count):
        x, y, width, height, _ = (int(value) for value in stats[number])
        found += [
            (a + x + x0, b + y + y0, c + x + x0, d + y + y0)
            for a, b, c, d in _squares(labels[y : y + height, x : x + width] == number)
        ]
    return _in_line(found, along)


def _squares(solid: Mask) -> list[PixelBox]:
    """Squares of a component after its thin parts (arrow shafts and heads) are rubbed out."""
    import cv2

    padded = np.pad(solid, 1).astype(np.uint8)
    inscribed = int(cv2.distanceTransform(padded, cv2.DIST_C, 3).max()) * 2 - 1
    if inscribed < 7:
        return []
    kernel = np.ones((round(0.8 * inscribed), round(0.8 * inscribed)), np.uint8)
    opened = cv2.morphologyEx(padded, cv2.MORPH_OPEN, kernel)
    count, _, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    boxes = []
    for number in range(1, count):
        x, y, width, height, area = (int(value) for value in stats[number])
        if abs(width - height) <= max(2, 0.1 * width) and area >= 0.93 * width * height:
            boxes.append((x - 1, y - 1, x - 1 + width, y - 1 + height))
    return boxes


def _in_line(boxes: list[PixelBox], along: int) -> list[PixelBox]:
    """The largest set of equal squares on one line."""
    across = 1 - along

    def fellows(first: PixelBox) -> list[PixelBox]:
        size = first[2] - first[0]
        slack = max(2.0, 0.1 * size)
        return [
            box for box in boxes if abs(box[2] - box[0] - size) <= slack and abs(box[across] - first[across]) <= slack
        ]

    best = max((fellows(box) for box in boxes), key=len, default=[])
    return sorted(best, key=lambda box: box[along])


def _inside(picture: Picture, box: PixelBox) -> tuple[Rgb | None, bool]:
    """The main colour in a swatch and whether another one is drawn into it."""
    inset = max(2, round(0.18 * (box[2] - box[0])))
    part = picture[box[1] + inset : box[3] - inset, box[0] + inset : box[2] - inset].reshape(-1, 3)
    if not part.size:
        return None, False
    values, counts = np.unique(part, axis=0, return_counts=True)
    best = int(counts.argmax())
    other = 1 - counts[best] / counts.sum()
    red, green, blue = (int(value) for value in values[best])
    return (red, green, blue), bool(other > _X_SHARE)


def _points_back(picture: Picture, first: PixelBox, second: PixelBox, along: int) -> bool:
    """Whether the arrow between two swatches has its head at the first one."""
    start, stop = first[along + 2], second[along]
    low, high = first[1 - along], first[3 - along]
    if stop - start < 4:
        return False
    rows, columns = (slice(low, high), slice(start, stop)) if along == 0 else (slice(start, stop), slice(low, high))
    dark = picture[rows, columns].astype(np.int32).sum(axis=-1) <= _FRAME_LEVEL
    profile = dark.sum(axis=along)
    inner = profile[1:-1]
    if not inner.size or inner.max() == inner.min():
        return False
    return bool(int(inner.argmax()) < 0.4 * inner.size)


def _strip(boxes: list[PixelBox], side: str, size: tuple[int, int]) -> PixelBox:
    """From the picture's side to as far behind the swatches as they are from that side."""
    width, height = size
    x1, y1, x2, y2 = around(boxes)
    return {
        "left": (0, 0, min(width, x2 + x1), height),
        "right": (max(0, x1 - (width - x2)), 0, width, height),
        "top": (0, 0, width, min(height, y2 + y1)),
        "bottom": (0, max(0, y1 - (height - y2)), width, height),
    }[side]
