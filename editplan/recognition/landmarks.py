"""Named points of shapes.

Every shape: "center", "highest point", "lowest point", "leftmost point", "rightmost point", and of its box the
corners ("top-left corner") and edge midpoints ("left edge midpoint"). Polygons: "highest edge midpoint" and its like,
"highest vertex" and its like. Triangle: "N-degree vertex", "long leg midpoint", "short leg midpoint", "hypotenuse
midpoint". Arrow: "tip". Heart: "pointy tip". Semicircle: "arc midpoint", "diameter midpoint".
"""

from __future__ import annotations

import numpy as np

from editplan.pixels.geometry import PixelBox, Point, corner_angle, distance, midpoint
from editplan.recognition.scene import Mask

_EXTREMES = {"highest": (1, 1), "lowest": (1, -1), "leftmost": (0, 1), "rightmost": (0, -1)}


def named_points(
    kind: str, whole: Mask, box: PixelBox, corners: list[Point], places: list[Point]
) -> dict[str, Point]:
    """The landmarks of a shape: of any kind, then of its own.

    `corners` are its exact vertices in order; `places` the rough positions of what its template marks.
    """
    points = box_points(box)
    points |= _extremes(whole, box)
    points["center"] = _centre(kind, whole, box, corners)
    if corners:
        points |= _edge_points(corners)
    if kind == "triangle":
        points |= _triangle_points(corners)
    elif kind in ("arrow", "heart") and places:
        tip = corners[0] if corners else _farthest(whole, box, places[0])
        points["tip"] = points["pointy tip"] = tip
    elif kind == "semicircle" and len(places) > 1:
        points |= _semicircle_points(whole, box, places)
    elif kind == "star" and corners:
        points["tip"] = min(corners[::2], key=lambda p: p[1])
    return points


def box_points(box: PixelBox) -> dict[str, Point]:
    """Corners and edge midpoints of a box."""
    x1, y1, x2, y2 = box
    middle = ((x1 + x2) / 2, (y1 + y2) / 2)
    return {
        "top-left corner": (x1, y1),
        "top-right corner": (x2, y1),
        "bottom-left corner": (x1, y2),
        "bottom-right corner": (x2, y2),
        "top edge midpoint": (middle[0], y1),
        "bottom edge midpoint": (middle[0], y2),
        "left edge midpoint": (x1, middle[1]),
        "right edge midpoint": (x2, middle[1]),
    }


def _extremes(whole: Mask, box: PixelBox) -> dict[str, Point]:
    rows, columns = np.nonzero(whole)
    found: dict[str, Point] = {}
    for name, (axis, sign) in _EXTREMES.items():
        values, others = (rows, columns) if axis else (columns, rows)
        level = values.min() if sign > 0 else values.max()
        across = float(np.median(others[values == level]))
        across, level = across + 0.5, float(level) + (0 if sign > 0 else 1)
        point = (across, level) if axis else (level, across)
        found[f"{name} point"] = (point[0] + box[0], point[1] + box[1])
    return found


def _centre(kind: str, whole: Mask, box: PixelBox, corners: list[Point]) -> Point:
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    if kind in ("star", "pentagon", "triangle") and corners:
        return float(np.mean([p[0] for p in corners])), float(np.mean([p[1] for p in corners]))
    if kind in ("heart", "arrow", "semicircle", "cloud", "crescent", "shape"):
        rows, columns = np.nonzero(whole)
        return float(columns.mean()) + box[0] + 0.5, float(rows.mean()) + box[1] + 0.5
    return middle


def _edge_points(corners: list[Point]) -> dict[str, Point]:
    middles = [midpoint(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    found: dict[str, Point] = {}
    for name, (axis, sign) in _EXTREMES.items():
        found[f"{name} edge midpoint"] = min(middles, key=lambda p: sign * p[axis])
        found[f"{name} vertex"] = min(corners, key=lambda p: sign * p[axis])
    return found


def _triangle_points(corners: list[Point]) -> dict[str, Point]:
    found: dict[str, Point] = {}
    for i, corner in enumerate(corners):
        degrees = corner_angle(corners[i - 1], corner, corners[(i + 1) % 3])
        nearest = min((30, 45, 60, 90, 120), key=lambda value: abs(value - degrees))
        exact = nearest if abs(nearest - degrees) < 6 else round(degrees)
        found[f"{exact}-degree vertex"] = corner
    sides = sorted((distance(a, b), midpoint(a, b)) for a, b in zip(corners, corners[1:] + corners[:1], strict=True))
    names = ("short leg midpoint", "long leg midpoint", "hypotenuse midpoint")
    return found | {name: middle for name, (_, middle) in zip(names, sides, strict=True)}


def _farthest(whole: Mask, box: PixelBox, towards: Point) -> Point:
    """The pixel of a mask that lies farthest in the direction from its centroid to a point, in the mean of the last
    ones."""
    rows, columns = np.nonzero(whole)
    x, y = columns + box[0] + 0.5, rows + box[1] + 0.5
    direction = np.array([towards[0] - x.mean(), towards[1] - y.mean()])
    direction /= max(float(np.hypot(*direction)), 1e-9)
    reach = x * direction[0] + y * direction[1]
    last = reach >= reach.max() - 0.5
    return float(x[last].mean() + 0.5 * direction[0]), float(y[last].mean() + 0.5 * direction[1])


def _semicircle_points(whole: Mask, box: PixelBox, places: list[Point]) -> dict[str, Point]:
    """Ends along its axis: the last pixels of the arc, and the middle of the straight side."""
    rows, columns = np.nonzero(whole)
    x, y = columns + box[0] + 0.5, rows + box[1] + 0.5
    axis = np.array([places[0][0] - places[1][0], places[0][1] - places[1][1]])
    axis /= max(float(np.hypot(*axis)), 1e-9)
    along = x * axis[0] + y * axis[1]
    across = -x * axis[1] + y * axis[0]
    middle = (across.max() + across.min()) / 2

    def place(distance_along: float) -> Point:
        return (
            float(distance_along * axis[0] - middle * axis[1]),
            float(distance_along * axis[1] + middle * axis[0]),
        )

    return {"arc midpoint": place(float(along.max()) + 0.5), "diameter midpoint": place(float(along.min()) - 0.5)}
