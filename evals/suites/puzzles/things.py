"""What a scene is made of: figures, frames, letters, lines and rings, each with its exact mask."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np

from editplan.evals.suites.puzzles.palette import Paint
from editplan.pixels.colours import Rgb
from editplan.pixels.geometry import PixelBox
from editplan.pixels.masks import Mask

Size = tuple[int, int]
"""(width, height) in pixels."""
Spot = tuple[int, int]
"""(x, y) of a pixel."""
_SHIFT = 4

KINDS = ("circle", "square", "triangle", "star", "pentagon", "hexagon", "heart", "cross", "diamond")
"""Names of the figures, as goals use them."""


class Thing(Protocol):
    """Anything that is painted in one colour."""

    @property
    def rgb(self) -> Rgb:
        """Its colour."""
        ...

    def mask(self, size: Size) -> Mask:
        """Its pixels in a picture of `size`; hard-edged."""
        ...


@dataclass(frozen=True)
class Figure:
    """A filled shape."""

    kind: str
    paint: Paint
    centre: Spot
    side: int
    """Height and width of the box that it is made for, in pixels."""

    @property
    def rgb(self) -> Rgb:
        """Its colour."""
        return self.paint.rgb

    @property
    def name(self) -> str:
        """As a goal names it."""
        return f"{self.paint.name} {self.kind}"

    @property
    def box(self) -> PixelBox:
        """The square that it lies in."""
        half = self.side // 2 + 1
        x, y = self.centre
        return x - half, y - half, x + half, y + half

    def moved(self, centre: Spot) -> Figure:
        """The same figure elsewhere."""
        return replace(self, centre=centre)

    def painted(self, paint: Paint) -> Figure:
        """The same figure in another colour."""
        return replace(self, paint=paint)

    def mask(self, size: Size) -> Mask:
        """Its pixels."""
        canvas = np.zeros((size[1], size[0]), dtype=np.uint8)
        if self.kind == "circle":
            cv2.circle(canvas, self.centre, self.side // 2, 1, -1, cv2.LINE_8)
        else:
            corners = np.array(_CORNERS[self.kind]) * self.side + self.centre
            cv2.fillPoly(canvas, [np.rint(corners * (1 << _SHIFT)).astype(np.int32)], 1, cv2.LINE_8, _SHIFT)
        return canvas.astype(bool)


@dataclass(frozen=True)
class Frame:
    """An outlined box."""

    box: PixelBox
    stroke: int
    rgb: Rgb

    @property
    def centre(self) -> Spot:
        """Its middle pixel."""
        return (self.box[0] + self.box[2]) // 2, (self.box[1] + self.box[3]) // 2

    @property
    def inner(self) -> PixelBox:
        """The box inside its stroke."""
        x1, y1, x2, y2 = self.box
        return x1 + self.stroke, y1 + self.stroke, x2 - self.stroke, y2 - self.stroke

    def mask(self, size: Size) -> Mask:
        """The pixels of its stroke."""
        canvas = np.zeros((size[1], size[0]), dtype=bool)
        x1, y1, x2, y2 = self.box
        canvas[y1:y2, x1:x2] = True
        a, b, c, d = self.inner
        canvas[b:d, a:c] = False
        return canvas


@dataclass(frozen=True)
class Bar:
    """A filled upright rectangle: a wall, a rule, a swatch."""

    box: PixelBox
    rgb: Rgb

    def mask(self, size: Size) -> Mask:
        """Its pixels."""
        canvas = np.zeros((size[1], size[0]), dtype=bool)
        x1, y1, x2, y2 = self.box
        canvas[y1:y2, x1:x2] = True
        return canvas


@dataclass(frozen=True)
class Writing:
    """One line of print, centred."""

    text: str
    centre: Spot
    height: int
    """Of a capital, in pixels."""
    rgb: Rgb

    def mask(self, size: Size) -> Mask:
        """Its pixels."""
        face, stroke = cv2.FONT_HERSHEY_DUPLEX, max(1, round(self.height / 12))
        scale = cv2.getFontScaleFromHeight(face, self.height, stroke)
        (width, height), _ = cv2.getTextSize(self.text, face, scale, stroke)
        canvas = np.zeros((size[1], size[0]), dtype=np.uint8)
        corner = (self.centre[0] - width // 2, self.centre[1] + height // 2)
        cv2.putText(canvas, self.text, corner, face, scale, 1, stroke, cv2.LINE_8)
        return canvas.astype(bool)


@dataclass(frozen=True)
class Line:
    """A polyline with round joints."""

    spots: tuple[Spot, ...]
    stroke: int
    rgb: Rgb

    def mask(self, size: Size) -> Mask:
        """Its pixels."""
        canvas = np.zeros((size[1], size[0]), dtype=np.uint8)
        points = np.array(self.spots, dtype=np.int32)
        cv2.polylines(canvas, [points], False, 1, self.stroke, cv2.LINE_8)
        return canvas.astype(bool)


@dataclass(frozen=True)
class Ring:
    """A circle's line."""

    centre: Spot
    radius: int
    stroke: int
    rgb: Rgb

    def mask(self, size: Size) -> Mask:
        """Its pixels."""
        canvas = np.zeros((size[1], size[0]), dtype=np.uint8)
        cv2.circle(canvas, self.centre, self.radius, 1, self.stroke, cv2.LINE_8)
        return canvas.astype(bool)


@dataclass(frozen=True)
class Arrow:
    """A straight arrow along one axis."""

    tail: Spot
    tip: Spot
    stroke: int
    rgb: Rgb

    def mask(self, size: Size) -> Mask:
        """Its pixels."""
        canvas = np.zeros((size[1], size[0]), dtype=np.uint8)
        tail, tip = np.array(self.tail, dtype=np.float64), np.array(self.tip, dtype=np.float64)
        along = (tip - tail) / max(float(np.hypot(*(tip - tail))), 1.0)
        across = np.array([-along[1], along[0]])
        neck = tip - along * 2.6 * self.stroke
        half, wing = across * self.stroke / 2, across * 1.7 * self.stroke
        corners = np.array([tail + half, neck + half, neck + wing, tip, neck - wing, neck - half, tail - half])
        cv2.fillPoly(canvas, [np.rint(corners * (1 << _SHIFT)).astype(np.int32)], 1, cv2.LINE_8, _SHIFT)
        return canvas.astype(bool)


def _regular(corners: int, radius: float, start: float) -> list[tuple[float, float]]:
    angles = [math.radians(start + 360 * k / corners) for k in range(corners)]
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


def _star() -> list[tuple[float, float]]:
    outer, inner = _regular(5, 0.54, -90), _regular(5, 0.22, -54)
    return [point for pair in zip(outer, inner, strict=True) for point in pair]


def _heart() -> list[tuple[float, float]]:
    points = []
    for k in range(72):
        t = 2 * math.pi * k / 72
        x = 16 * math.sin(t) ** 3
        y = 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)
        points.append((x / 34, -(y + 2.5) / 32))
    return points


def _cross() -> list[tuple[float, float]]:
    long, short = 0.5, 0.17
    quarter = [(short, -long), (short, -short), (long, -short)]
    points: list[tuple[float, float]] = []
    for turn in range(4):
        points += [_quarter_turn(point, turn) for point in quarter]
    return points


def _quarter_turn(point: tuple[float, float], times: int) -> tuple[float, float]:
    for _ in range(times):
        point = (-point[1], point[0])
    return point


_CORNERS: dict[str, Sequence[tuple[float, float]]] = {
    "square": [(-0.45, -0.45), (0.45, -0.45), (0.45, 0.45), (-0.45, 0.45)],
    "triangle": [(0.0, -0.47), (0.52, 0.43), (-0.52, 0.43)],
    "diamond": [(0.0, -0.54), (0.38, 0.0), (0.0, 0.54), (-0.38, 0.0)],
    "star": _star(),
    "pentagon": _regular(5, 0.5, -90),
    "hexagon": _regular(6, 0.5, 0),
    "heart": _heart(),
    "cross": _cross(),
}
"""Corners in units of the side, around the centre, y down."""
