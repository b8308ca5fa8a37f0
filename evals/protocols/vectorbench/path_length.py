"""Lengths of path segments, equal to those of `svg.path` to the last bit and about ten times as fast.

`svg.path` halves a cubic or an elliptical arc one call at a time; here all halves of one depth are done at
once, by the same operations in the same order. A purse bounds the work, which a hostile curve would make endless.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MAX_POINTS = 4_000_000
"""Points that the lengths of one path may cost; an ordinary cubic takes about 20,000."""

_LENGTH_ERROR = 1e-12
_MIN_DEPTH = 5
_EXACT_DEPTH = 17
"""Down to this depth the parameter is k / 2^17 or coarser, so its cube is exact however it is multiplied."""
_MAX_DEPTH = 60
_DEPTH_PRICE = 500
"""What one step down costs beside its points, in points."""


class TooCostly(ValueError):
    """The lengths of a path would take too long."""


def segment_ends(segments: Sequence[Any]) -> list[float]:
    """Share of the path's length up to the end of each segment; empty for a path without length.

    Raises:
        TooCostly: the lengths take more than `MAX_POINTS` points.
    """
    purse = [MAX_POINTS]
    lengths = [_length(segment, purse) for segment in segments]
    total = sum(lengths)
    if total == 0:
        return []
    ends, reached = [], 0.0
    for length in lengths:
        reached += length / total
        ends.append(reached)
    return ends


def _length(segment: Any, purse: list[int]) -> float:
    from svg.path import Arc, CubicBezier

    if isinstance(segment, CubicBezier):
        return _halved_length(segment, _cubic_points(segment), purse)
    if isinstance(segment, Arc) and _is_elliptical(segment):
        return _halved_length(segment, _arc_points(segment), purse)
    return float(segment.length())


def _is_elliptical(arc: Any) -> bool:
    rx, ry = arc.radius.real, arc.radius.imag
    return bool(arc.start != arc.end and rx != 0 and ry != 0 and rx != ry)


Points = Callable[["Floats"], "Floats"]
"""Parameters, shape (n,), to x and y, shape (2, n)."""


def _cubic_points(curve: Any) -> Points:
    """Many points of a cubic at exact parameters, by the operations of `CubicBezier.point`."""
    import numpy as np

    corners = [
        np.array([[corner.real], [corner.imag]])
        for corner in (curve.start, curve.control1, curve.control2, curve.end)
    ]

    def points(t: Floats) -> Floats:
        u = 1 - t
        found: Floats = u * u * u * corners[0]
        for weight, corner in zip((3 * (u * u) * t, 3 * u * (t * t), t * t * t), corners[1:], strict=True):
            found = found + weight * corner
        return found

    return points


def _arc_points(arc: Any) -> Points:
    """Many points of an elliptical arc by the operations of `Arc.point`, with the C library's sine and cosine."""
    import numpy as np

    tilt = math.radians(arc.rotation)
    cosine, sine = math.cos(tilt), math.sin(tilt)
    radius = arc.radius * arc.radius_scale

    def points(t: Floats) -> Floats:
        angles = [math.radians(angle) for angle in (arc.theta + arc.delta * t).tolist()]
        cosines, sines = np.array([math.cos(a) for a in angles]), np.array([math.sin(a) for a in angles])
        x = cosine * cosines * radius.real - sine * sines * radius.imag + arc.center.real
        y = sine * cosines * radius.real + cosine * sines * radius.imag + arc.center.imag
        return np.stack((x, y))

    return points


def _points_one_by_one(curve: Any) -> Points:
    import numpy as np

    def points(t: Floats) -> Floats:
        found = np.array([curve.point(position) for position in t.tolist()])
        return np.stack((found.real, found.imag))

    return points


def _halved_length(curve: Any, points: Points, purse: list[int]) -> float:
    """The length, halved until two halves exceed their chord by at most 1e-12, all of one depth at once.

    Raises:
        TooCostly: the path's purse of points is spent, or the halving doesn't end.
    """
    import numpy as np
    from svg.path import CubicBezier

    count = 2**_MIN_DEPTH
    t = np.arange(count + 1) / count
    xy, start, stop = points(t), np.arange(count), np.arange(1, count + 1)
    levels: list[tuple[Floats, NDArray[np.bool_]]] = []
    for depth in range(_MIN_DEPTH, _MAX_DEPTH):
        purse[0] -= len(start) + _DEPTH_PRICE
        if purse[0] < 0:
            break
        if depth == _EXACT_DEPTH and isinstance(curve, CubicBezier):
            points = _points_one_by_one(curve)
        middle = (t[start] + t[stop]) / 2
        centre, left, right = points(middle), xy[:, start], xy[:, stop]
        halves = np.hypot(*(centre - left)) + np.hypot(*(right - centre))
        split = halves - np.hypot(*(right - left)) > _LENGTH_ERROR
        levels.append((halves, split))
        if not split.any():
            return _summed(levels)
        middles = len(t) + np.flatnonzero(split)
        t, xy = np.concatenate((t, middle)), np.concatenate((xy, centre), axis=1)
        start, stop = _interleaved(start[split], middles), _interleaved(middles, stop[split])
    raise TooCostly("the length of the path takes too many points")


def _interleaved(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    return np.stack((first, second), axis=1).ravel()


def _summed(levels: Sequence[tuple[Floats, NDArray[np.bool_]]]) -> float:
    """Adds the pieces in the order of the halving, two halves at a time."""
    values = levels[-1][0]
    for halves, split in reversed(levels[:-1]):
        halves[split] = values[0::2] + values[1::2]
        values = halves
    while len(values) > 1:
        values = values[0::2] + values[1::2]
    return float(values[0])
