"""The kind of a filled shape, its turn, and its named points."""

from __future__ import annotations

import math

import numpy as np

from editplan.pixels.geometry import PixelBox, Point, corner_angle, distance
from editplan.recognition.corners import fitted_corners
from editplan.recognition.landmarks import named_points
from editplan.recognition.scene import Mask
from editplan.recognition.templates import Template, best_templates, polar_picture, turned, whitened

_ENOUGH = 0.72
"""Smallest overlap with a template that names a kind."""


def classify(whole: Mask, box: PixelBox) -> tuple[str, float, dict[str, Point]]:
    """Kind, angle and landmarks of a mask whose top left pixel lies at the box's corner."""
    if whole.sum() < 9 or min(whole.shape) < 2:
        return _plain(whole, box)
    frame = whitened(whole)
    overlap, template, rotation = best_templates(polar_picture(whole, frame))[0]
    if overlap < _ENOUGH:
        return _plain(whole, box)
    kind, angle = template.kind, _angle(template, rotation, frame.to_pixels)
    corners = frame.pixels(turned(template.corners, rotation))
    marks = frame.pixels(turned(template.axis, rotation))
    if len(corners):
        corners = fitted_corners(whole, corners)
    offset = np.array(box[:2]) + 0.5
    points = [(float(x), float(y)) for x, y in corners + offset]
    if kind == "square":
        kind = _quadrilateral(points, whole)
    elif kind == "circle" and min(whole.shape) < 0.82 * max(whole.shape):
        kind = "ellipse"
    places = [(float(x), float(y)) for x, y in marks + offset]
    return kind, angle, named_points(kind, whole, box, points, places)


def _plain(whole: Mask, box: PixelBox) -> tuple[str, float, dict[str, Point]]:
    long, short = max(whole.shape), min(whole.shape)
    kind = "line" if short * 8 < long else "shape"
    return kind, 0.0, named_points(kind, whole, box, [], [])


def _angle(template: Template, rotation: float, to_pixels: np.ndarray) -> float:
    """Clockwise turn, in degrees, from the model's pose to the mask's."""
    upward = template.upward + rotation
    direction = to_pixels @ np.array([math.cos(upward), math.sin(upward)])
    return float((math.degrees(math.atan2(direction[1], direction[0])) + 90) % 360)


def _quadrilateral(corners: list[Point], whole: Mask) -> str:
    """The name of a four-sided shape."""
    sides = [distance(corners[i], corners[(i + 1) % 4]) for i in range(4)]
    angles = [corner_angle(corners[i - 1], corners[i], corners[(i + 1) % 4]) for i in range(4)]
    opposite = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    ratio = min(opposite) / max(max(opposite), 1e-9)
    if whole.mean() > 0.93:
        return "square" if ratio > 0.96 else "rectangle"
    if ratio > 0.88:
        return "diamond"
    return "rectangle" if all(abs(angle - 90) < 7 for angle in angles) else "parallelogram"
