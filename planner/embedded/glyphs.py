"""Reads single printed characters, A to Z and 0 to 9, by comparing them with rendered ones."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from editplan.pixels.masks import mask_box, without_holes

Mask = NDArray[np.bool_]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"
_GRID = (18, 24)
"""Columns and rows that characters are compared on."""
_SURE = 0.62
"""Least similarity of a character that is read at all."""


def read_character(mask: Mask, alphabet: str = LETTERS + DIGITS) -> str | None:
    """The character that a mask shows; None where nothing of the alphabet is close to it."""
    own = _normalised(mask)
    if own is None:
        return None
    grid, aspect, holes = own
    scores = [
        (float((grid * template).sum()) - 0.5 * abs(np.log(aspect / ratio)) - 0.1 * abs(holes - count), character)
        for character, template, ratio, count in _templates()
        if character in alphabet
    ]
    best = max(scores, default=(0.0, ""))
    return best[1] if best[0] >= _SURE else None


def _normalised(mask: Mask) -> tuple[NDArray[np.float64], float, int] | None:
    """A unit vector of blurred ink, the ratio of width to height, and the number of holes."""
    import cv2

    box = mask_box(mask)
    if box is None:
        return None
    cut = mask[box[1] : box[3], box[0] : box[2]]
    height, width = cut.shape
    if height < 5 or height < 0.3 * width:
        return None
    small = cv2.resize(cut.astype(np.float32), _GRID, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (5, 5), 1.2).astype(np.float64)
    soft -= soft.mean()
    norm = float(np.sqrt((soft * soft).sum()))
    if norm == 0:
        return None
    padded = np.pad(without_holes(cut) & ~cut, 1).astype(np.uint8)
    holes = int(cv2.connectedComponents(padded, connectivity=4)[0]) - 1
    return soft / norm, width / height, min(holes, 2)


@lru_cache(maxsize=1)
def _templates() -> tuple[tuple[str, NDArray[np.float64], float, int], ...]:
    """Characters of the Hershey faces in three weights, and of Pillow's own face."""
    import cv2

    found = []
    for character in LETTERS + DIGITS:
        drawn = [_pillow(character)]
        for face in (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX):
            for weight in (1, 3, 5):
                canvas = np.zeros((96, 96), dtype=np.uint8)
                cv2.putText(canvas, character, (16, 76), face, 2.0, 1, weight, cv2.LINE_8)
                drawn.append(canvas > 0)
        for mask in drawn:
            normal = _normalised(mask)
            if normal is not None:
                found.append((character, *normal))
    return tuple(found)


def _pillow(character: str) -> Mask:
    from PIL import Image, ImageDraw, ImageFont

    canvas = Image.new("L", (96, 96))
    ImageDraw.Draw(canvas).text((20, 10), character, fill=255, font=ImageFont.load_default(60))
    return np.asarray(canvas) > 127
