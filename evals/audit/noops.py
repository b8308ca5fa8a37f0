"""Controlled no-ops: what an honest editor's output differs by without anything being wrong."""

from __future__ import annotations

import io
from collections.abc import Callable
from random import Random

import numpy as np
from numpy.typing import NDArray

from editplan.evals.audit.damage import shifted, tinted

Picture = NDArray[np.uint8]


def compressed(picture: Picture, quality: int, kind: str = "JPEG") -> Picture:
    """The picture after one lossy encoding."""
    import PIL.Image

    buffer = io.BytesIO()
    PIL.Image.fromarray(picture).save(buffer, kind, quality=quality)
    return np.asarray(PIL.Image.open(buffer).convert("RGB"), dtype=np.uint8)


def _one_pixel(picture: Picture, rng: Random) -> Picture:
    return shifted(picture, rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1))))


def _reencoded(picture: Picture, rng: Random) -> Picture:
    """Two lossy encodings one after the other, as a service and a download make them."""
    return compressed(compressed(picture, 92, "WEBP"), 92)


NOOPS: dict[str, Callable[[Picture, Random], Picture]] = {
    "clean": lambda picture, rng: picture,
    "jpeg": lambda picture, rng: compressed(picture, 88),
    "re-encoded": _reencoded,
    "one pixel": _one_pixel,
    "colour under 1": lambda picture, rng: tinted(picture, 0.8, rng),
}
"""Name and making of each."""
