"""Which shape differs from all others, in outline or in colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from editplan.recognition.scene import Rgb, Shape

_GRID = 24
_SAME_OUTLINE = 0.84
"""Overlap (intersection over union) above which two outlines, scaled to one box, are the same."""
_SAME_COLOUR = 40
"""Channel difference up to which noisy fills are one colour."""


def odd_by_outline(shapes: Sequence[Shape]) -> Shape | None:
    """The one shape of another outline than all the rest, whatever the colours; None where there is no such one."""
    leaders: list[NDArray[np.bool_]] = []
    classes = []
    for shape in shapes:
        outline = _outline(shape)
        number = next(
            (i for i, leader in enumerate(leaders) if _overlap(outline, leader) > _SAME_OUTLINE), len(leaders)
        )
        if number == len(leaders):
            leaders.append(outline)
        classes.append(number)
    return _lonely(shapes, classes)


def odd_by_colour(shapes: Sequence[Shape]) -> Shape | None:
    """The one shape of another colour than all the rest; None where there is no such one."""
    leaders: list[Rgb] = []
    classes = []
    for shape in shapes:
        number = next((i for i, rgb in enumerate(leaders) if _gap(shape.rgb, rgb) <= _SAME_COLOUR), len(leaders))
        if number == len(leaders):
            leaders.append(shape.rgb)
        classes.append(number)
    return _lonely(shapes, classes)


def _lonely(shapes: Sequence[Shape], classes: Sequence[int]) -> Shape | None:
    counts = Counter(classes)
    single = [number for number, count in counts.items() if count == 1]
    if len(shapes) < 3 or len(counts) != 2 or len(single) != 1:
        return None
    return shapes[list(classes).index(single[0])]


def _outline(shape: Shape) -> NDArray[np.bool_]:
    """The patch in a square of its longer side, scaled to a common size."""
    import cv2

    side = max(shape.patch.shape)
    square = np.zeros((side, side), dtype=np.uint8)
    top, left = (side - shape.patch.shape[0]) // 2, (side - shape.patch.shape[1]) // 2
    square[top : top + shape.patch.shape[0], left : left + shape.patch.shape[1]] = shape.patch
    scaled = cv2.resize(square.astype(np.float32), (_GRID, _GRID), interpolation=cv2.INTER_AREA)
    return np.asarray(scaled > 0.5)


def _overlap(a: NDArray[np.bool_], b: NDArray[np.bool_]) -> float:
    return float((a & b).sum() / max(1, (a | b).sum()))


def _gap(a: Rgb, b: Rgb) -> int:
    return max(abs(x - y) for x, y in zip(a, b, strict=True))
