"""Closed lines: which components are outlines, and their corners."""

from __future__ import annotations

import numpy as np

from editplan.pixels.components import Component, Rgb
from editplan.pixels.geometry import Point, corner_angle, distance
from editplan.pixels.masks import without_holes
from editplan.recognition.scene import Mask, Outline

_THIN_RING = 0.07
"""A round line thinner than this share of its diameter is an outline, a thicker one is a ring."""


def as_outline(part: Component, rgb: Rgb, size: tuple[int, int]) -> Outline | None:
    """The outline that a component is, None where it is a filled shape or a ring."""
    filled = without_holes(part.patch)
    hole = filled & ~part.patch
    if hole.sum() < 0.4 * filled.sum():
        return None
    outer, inner = _contour(filled), _contour(hole)
    around = (_length(outer) + _length(inner)) / 2
    stroke_width = part.area / max(around, 1.0)
    smaller = min(part.patch.shape)
    if _roundness(filled) > 0.95:
        if stroke_width > _THIN_RING * smaller:
            return None
        corners: tuple[Point, ...] = ()
        kind = "circle"
    else:
        found = _corners(outer)
        if not 3 <= len(found) <= 14 or _fit(filled, found) < 0.9 or stroke_width > 0.15 * smaller:
            return None
        corners = _shrunk(found, stroke_width / 2 - 0.5, part)
        kind = _polygon_kind(corners)
    from editplan.pixels.colours import colour_name

    return Outline(size, part.box, part.patch, hole, rgb, colour_name(rgb), kind, corners, stroke_width)


def _contour(mask: Mask) -> np.ndarray:
    import cv2

    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(max(contours, key=len))


def _length(contour: np.ndarray) -> float:
    import cv2

    return float(cv2.arcLength(contour, True))


def _roundness(filled: Mask) -> float:
    """Overlap of a mask with the ellipse of its second moments."""
    rows, columns = np.nonzero(filled)
    points = np.stack([columns, rows]).astype(np.float64)
    centre = points.mean(axis=1, keepdims=True)
    spread = np.cov(points) + np.eye(2) / 12
    grid = np.stack(np.meshgrid(np.arange(filled.shape[1]), np.arange(filled.shape[0]))).reshape(2, -1) - centre
    inside = (np.einsum("ip,ij,jp->p", grid, np.linalg.inv(spread), grid) <= 4).reshape(filled.shape)
    return float((inside & filled).sum() / (inside | filled).sum())


def _corners(contour: np.ndarray) -> list[Point]:
    import cv2

    slack = max(2.0, 0.008 * _length(contour))
    found = cv2.approxPolyDP(contour, slack, True)
    return [(float(x), float(y)) for x, y in found[:, 0]]


def _fit(filled: Mask, corners: list[Point]) -> float:
    import cv2

    drawn = np.zeros(filled.shape, dtype=np.uint8)
    cv2.fillPoly(drawn, [np.round(np.array(corners)).astype(np.int32)], 1)
    return float((filled & (drawn > 0)).sum() / (filled | (drawn > 0)).sum())


def _shrunk(corners: list[Point], inset: float, part: Component) -> tuple[Point, ...]:
    """Corners of the middle line, in picture coordinates, clockwise from the top left one."""
    if sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, corners[1:] + corners[:1], strict=True)) < 0:
        corners = corners[::-1]
    moved = []
    for before, corner, after in zip(corners[-1:] + corners[:-1], corners, corners[1:] + corners[:1], strict=True):
        first = np.array(corner) - np.array(before)
        second = np.array(after) - np.array(corner)
        n1 = np.array([-first[1], first[0]]) / np.hypot(*first)
        n2 = np.array([-second[1], second[0]]) / np.hypot(*second)
        step = (n1 + n2) / max(1 + float(n1 @ n2), 0.2)
        moved.append(np.array(corner) + inset * step + part.box[:2] + 0.5)
    start = min(range(len(moved)), key=lambda i: float(moved[i].sum()))
    return tuple((float(p[0]), float(p[1])) for p in moved[start:] + moved[:start])


def _polygon_kind(corners: tuple[Point, ...]) -> str:
    if len(corners) == 3:
        return "triangle"
    if len(corners) != 4:
        return "polygon"
    sides = [distance(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    angles = [corner_angle(corners[i - 1], corners[i], corners[(i + 1) % 4]) for i in range(4)]
    if all(abs(angle - 90) < 5 for angle in angles):
        return "square" if min(sides) > 0.94 * max(sides) else "rectangle"
    if abs(sides[0] - sides[2]) < 0.06 * sides[0] + 2 and abs(sides[1] - sides[3]) < 0.06 * sides[1] + 2:
        return "parallelogram"
    return "polygon"
