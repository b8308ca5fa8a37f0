"""Takes back what downsampling does to flat pictures: mixed rim pixels get the colour of the nearer side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Mask = NDArray[np.bool_]

_FLAT_SHARE = 0.5
"""A picture in which fewer pixels equal all their neighbours is no flat drawing."""
_SPECK_SHARE = 0.0003
"""A colour without one flat spot and with fewer pixels than this is left over from mixing."""
_ROUNDS = 4
_NEIGHBOURS = tuple((dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0))
_OPPOSITE = ((0, 1), (1, 0), (1, 1), (1, -1))


def flattened(picture: Picture) -> Picture:
    """The picture without antialiasing where it is a flat drawing; photographs and textures come back as they are.

    A pixel is mixed where its colour lies between those of two opposite neighbours. It takes the closest pure
    colour of its neighbourhood. A line that is too thin to have a pure pixel keeps its mixed colour: that is what one
    look shows.
    """
    result = picture.copy()
    if min(picture.shape[:2]) < 3:
        return result
    flat = _flat(_packed(picture))
    if flat.mean() < _FLAT_SHARE:
        return result
    mixed = _mixed(picture)
    _clear(result, picture, mixed)
    packed = _packed(result)
    values, inverse, counts = np.unique(packed, return_inverse=True, return_counts=True)
    pure = np.isin(values, np.unique(packed[1:-1, 1:-1][flat]))
    speck = (~pure & (counts < _SPECK_SHARE * packed.size))[inverse].reshape(packed.shape)
    _clear(result, picture, speck)
    return result


def _clear(result: Picture, picture: Picture, mixed: Mask) -> None:
    """Absorb mixed pixels into their surroundings, from the rim of each patch inwards."""
    for _ in range(_ROUNDS):
        if not mixed.any():
            return
        mixed = _absorb(result, picture, mixed)


def _packed(picture: Picture) -> NDArray[np.int32]:
    return np.asarray(picture.astype(np.int32) @ np.array([65536, 256, 1], dtype=np.int32), dtype=np.int32)


def _flat(packed: NDArray[np.int32]) -> Mask:
    """Inner pixels that equal all their neighbours."""
    core = packed[1:-1, 1:-1]
    same = np.ones(core.shape, dtype=bool)
    for dy, dx in _NEIGHBOURS:
        same &= core == packed[1 + dy : packed.shape[0] - 1 + dy, 1 + dx : packed.shape[1] - 1 + dx]
    return same


def _mixed(picture: Picture) -> Mask:
    """Pixels whose colour lies strictly between two opposite neighbours' (within 6 levels of the straight line)."""
    padded = np.pad(picture.astype(np.float32), ((1, 1), (1, 1), (0, 0)), mode="edge")
    height, width = picture.shape[:2]
    here = padded[1:-1, 1:-1]
    mixed = np.zeros((height, width), dtype=bool)
    for dy, dx in _OPPOSITE:
        first = padded[1 - dy : 1 - dy + height, 1 - dx : 1 - dx + width]
        second = padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
        span, part = second - first, here - first
        length = (span * span).sum(axis=-1)
        along = np.divide((part * span).sum(axis=-1), length, out=np.zeros_like(length), where=length > 0)
        off = ((part - along[..., None] * span) ** 2).sum(axis=-1)
        mixed |= (along > 0.02) & (along < 0.98) & (off < 36) & (length > 100)
    return mixed


def _absorb(result: Picture, picture: Picture, mixed: Mask) -> Mask:
    """Give mixed pixels the closest pure colour around them, in place; returns those that had none."""
    rows, columns = np.nonzero(mixed)
    own = picture[rows, columns].astype(np.int32)
    best = np.full(rows.size, np.iinfo(np.int32).max, dtype=np.int64)
    chosen = result[rows, columns].copy()
    for dy, dx in _NEIGHBOURS:
        y = np.clip(rows + dy, 0, mixed.shape[0] - 1)
        x = np.clip(columns + dx, 0, mixed.shape[1] - 1)
        gap = ((result[y, x].astype(np.int32) - own) ** 2).sum(axis=-1)
        closer = ~mixed[y, x] & (gap < best)
        best[closer] = gap[closer]
        chosen[closer] = result[y[closer], x[closer]]
    result[rows, columns] = chosen
    left = np.zeros_like(mixed)
    left[rows, columns] = best == np.iinfo(np.int32).max
    return left
