"""Path shapes: 129 samples a path and the symmetric nearest distance between two (protocol section 4.3).

The samples are those of `svg.path`'s `Path.point(i / 128)`, to the last bit: segments are chosen by their
share of the length, then the segment's own parameter counts.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from editplan.evals.protocols.vectorbench.path_length import segment_ends

SAMPLES = 129
_HUGE = 1e150
_UNREADABLE = (IndexError, TypeError, ValueError, ArithmeticError, AssertionError, RecursionError)
_CACHED_CHARACTERS = 20_000


def readable_path(d: str) -> bool:
    """Whether `svg.path` can read the path data; an empty path can be read."""
    return (_read_cached(d) if len(d) <= _CACHED_CHARACTERS else _read(d)) is not None


def _read(d: str) -> tuple[Any, ...] | None:
    """The segments of path data, None where `svg.path` refuses it."""
    from svg.path import parse_path

    try:
        return tuple(parse_path(d))
    except _UNREADABLE:
        return None


_read_cached = lru_cache(maxsize=4_096)(_read)


def path_distance(left: str, right: str) -> float | None:
    """max(RMS, 95th percentile) of the 258 sorted nearest distances, user units; None if a path has no samples."""
    a, b = sample_path(left), sample_path(right)
    if a is None or b is None:
        return None
    try:
        nearest = sorted(_nearest(a, b) + _nearest(b, a))
        rms = math.sqrt(math.fsum(distance * distance for distance in nearest) / len(nearest))
    except OverflowError:
        return None
    return max(rms, nearest[math.ceil(0.95 * len(nearest)) - 1])


@lru_cache(maxsize=2_048)
def sample_path(d: str) -> tuple[complex, ...] | None:
    """The 129 points at i / 128 of a path, None where it can't be sampled."""
    segments = _read(d)
    if segments is None:
        return None
    import numpy as np

    try:
        with np.errstate(all="ignore"):
            return _sampled(segments)
    except _UNREADABLE:
        return None


def _sampled(segments: Sequence[Any]) -> tuple[complex, ...]:
    from svg.path import Move

    last = SAMPLES - 1
    ends = segment_ends(segments)
    first = segments[1] if isinstance(segments[0], Move) and len(segments) > 1 else segments[0]
    inner = [_located(segments, ends, index / last) for index in range(1, last)]
    places = [(first, 0.0), *inner, (segments[-1], 1.0)]
    return tuple(segment.point(position) for segment, position in places)


def _located(segments: Sequence[Any], ends: Sequence[float], position: float) -> tuple[Any, float]:
    """The segment at a share of the whole length, and the parameter inside it."""
    if not ends:
        return segments[0], 0.0
    index = bisect(ends, position)
    if index == 0:
        return segments[0], position / ends[0]
    return segments[index], (position - ends[index - 1]) / (ends[index] - ends[index - 1])


def _nearest(points: Sequence[complex], others: Sequence[complex]) -> list[float]:
    """The distance of each point to the nearest of the others, equal to `min(abs(point - other))`.

    Squares find the candidates, `abs` decides: a square is too coarse by less than the margin.
    """
    import numpy as np

    a, b = np.array(points), np.array(others)
    reach = max(np.abs(a.view(float)).max(), np.abs(b.view(float)).max())
    if not reach < _HUGE:
        return [min(abs(point - other) for other in others) for point in points]
    gaps = a[:, None] - b[None, :]
    squares = gaps.real**2 + gaps.imag**2
    limit = squares.min(axis=1) * (1 + 1e-12) + 1e-300
    nearest = [math.inf] * len(points)
    for row, column in zip(*(index.tolist() for index in np.nonzero(squares <= limit[:, None])), strict=True):
        distance = abs(points[row] - others[column])
        if distance < nearest[row]:
            nearest[row] = distance
    return nearest
