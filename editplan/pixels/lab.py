"""sRGB to CIE L*a*b* (D65) and the CIE76 difference, in the float32 arithmetic of PaintBench's evaluator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_MATRIX = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ],
    dtype=np.float32,
)
_WHITE = np.array([0.95047, 1.0, 1.08883], dtype=np.float32)


def srgb_to_lab(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Lab of `... x 3` uint8 sRGB values, float32 of the same shape.

    Threshold .04045 and gamma 2.4 of sRGB; cube root above (6/29)^3, else 7.787 t + 16/116 (CIE 15:2004, PaintBench).
    """
    values = rgb.astype(np.float32) / np.float32(255.0)
    linear = np.where(
        values > np.float32(0.04045),
        ((values + np.float32(0.055)) / np.float32(1.055)) ** np.float32(2.4),
        values / np.float32(12.92),
    ).astype(np.float32)
    ratio = (linear @ _MATRIX.T) / _WHITE
    delta = np.float32(6 / 29)
    bent = np.where(ratio > delta**3, np.cbrt(ratio), ratio / (3 * delta**2) + np.float32(4 / 29))
    lightness = 116 * bent[..., 1] - 16
    return np.stack(
        [lightness, 500 * (bent[..., 0] - bent[..., 1]), 200 * (bent[..., 1] - bent[..., 2])], axis=-1
    ).astype(np.float32)


def cie76(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Euclidean Lab difference between two arrays of `... x 3` uint8 sRGB values."""
    gap = srgb_to_lab(first) - srgb_to_lab(second)
    return np.asarray(np.sqrt((gap * gap).sum(axis=-1)), dtype=np.float32)
