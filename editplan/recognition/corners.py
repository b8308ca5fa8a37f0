"""Exact corners of a polygonal mask, from rough ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from editplan.recognition.scene import Mask

Array = NDArray[np.float64]

_ROUNDS = 2
_RIM = 0.4
"""How far, in pixels, the drawn edge lies outside the rim pixels' centres."""


def fitted_corners(mask: Mask, rough: Array) -> Array:
    """Corners (n x 2) as intersections of lines fitted to the rim between rough corners.

    A corner stays rough where its sides have fewer than four rim pixels, or where the fit would move it far.
    """
    rim = _rim(mask)
    corners = rough
    for _ in range(_ROUNDS):
        corners = _refined(rim, corners)
    return corners


def _rim(mask: Mask) -> Array:
    import cv2

    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(max(contours, key=len)[:, 0], dtype=np.float64)


def _refined(rim: Array, corners: Array) -> Array:
    count = len(corners)
    ends = np.roll(corners, -1, axis=0)
    way = ends - corners
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
    offset = rim[:, None] - corners[None]
    along = (offset * way).sum(axis=2) / length**2
    gap = np.abs(offset[..., 0] * way[:, 1] - offset[..., 1] * way[:, 0]) / length
    far = gap + np.where((along < 0) | (along > 1), np.maximum(-along, along - 1) * length, 0)
    nearest = far.argmin(axis=1)
    lines = []
    for side in range(count):
        mine = (nearest == side) & (along[:, side] > 0.12) & (along[:, side] < 0.88)
        lines.append(_line(rim[mine], _outward(corners, side)))
    moved = corners.copy()
    for index in range(count):
        crossing = _crossing(lines[index - 1], lines[index])
        if crossing is not None and np.hypot(*(crossing - corners[index])) < 0.35 * min(
            length[index - 1], length[index]
        ):
            moved[index] = crossing
    return moved


def _outward(corners: Array, side: int) -> Array:
    """The unit normal of a side that points out of the polygon."""
    following = np.roll(corners, -1, axis=0)
    doubled = float((corners[:, 0] * following[:, 1] - following[:, 0] * corners[:, 1]).sum())
    way = following[side] - corners[side]
    normal = np.array([way[1], -way[0]]) / max(float(np.hypot(*way)), 1e-9)
    return np.asarray(normal if doubled > 0 else -normal)


def _line(points: Array, outward: Array) -> tuple[Array, Array] | None:
    """Point and direction of the least-squares line, moved out to the drawn edge."""
    if len(points) < 4:
        return None
    centre = points.mean(axis=0)
    _, _, axes = np.linalg.svd(points - centre, full_matrices=False)
    return centre + _RIM * outward, axes[0]


def _crossing(first: tuple[Array, Array] | None, second: tuple[Array, Array] | None) -> Array | None:
    if first is None or second is None:
        return None
    matrix = np.stack([first[1], -second[1]], axis=1)
    if abs(float(np.linalg.det(matrix))) < 0.05:
        return None
    step = np.linalg.solve(matrix, second[0] - first[0])
    return np.asarray(first[0] + step[0] * first[1])
