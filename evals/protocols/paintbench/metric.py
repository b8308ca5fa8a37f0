"""PaintBench's score of one output: an IoU of edited pixels at eleven CIE76 thresholds.

The formulas and their float32 arithmetic are those of arXiv 2606.00188 and its evaluator v1.0.0.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from editplan.errors import DatasetError, ImageError

THRESHOLDS = tuple(range(11))

Pixels = npt.NDArray[np.uint8]
Packed = npt.NDArray[np.uint32]
Picture = Image.Image | npt.NDArray[Any]

# The published evaluator computes in float32 from here to the distance; a wider type would move
# distances across a threshold.
_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ],
    dtype=np.float32,
)
_BYTES = np.arange(256, dtype=np.float32) / 255.0
_LINEAR = np.where(_BYTES <= 0.04045, _BYTES / 12.92, ((_BYTES + 0.055) / 1.055) ** 2.4)
_WHITE = np.array([0.95047, 1.0, 1.08883], dtype=np.float32)
_CUBE_ROOT_ABOVE = (6 / 29) ** 3
_SLOPE = (29 / 6) ** 2 / 3


def score(source: Picture, answer: Picture, output: Picture | None) -> dict[str, Any]:
    """Score `output` against the one right `answer` to an edit of `source`.

    Pictures are PIL images or uint8 arrays of shape (H, W), (H, W, 3) or (H, W, 4); an alpha channel is
    dropped. `source` and `answer` have one size; an output of another size is scaled to cover it and
    cropped at the centre. `None` is a missing output and scores 0.

    Returns `iou`, `edit_accuracy`, `preservation_accuracy` (11 values in 0..1, for dE 0..10) and
    `mean_iou`, the headline. Raises `DatasetError` if source and answer differ in size, `ImageError` if a
    picture is none.
    """
    before, after = _rgb(source, "source"), _rgb(answer, "answer")
    if before.shape != after.shape:
        raise DatasetError(
            f"source is {before.shape[1]} x {before.shape[0]} px but the answer {after.shape[1]} x {after.shape[0]}"
        )
    wanted = _packed(after)
    changed = _packed(before) != wanted
    if output is None:
        return _report(np.zeros((2, len(THRESHOLDS))), missing=True, totals=_totals(changed))
    produced = _packed(_rgb(_cover(output, after.shape[1], after.shape[0]), "output"))
    return _report(_right_pixels(produced, wanted, changed), missing=False, totals=_totals(changed))


def lab(rgb: Pixels) -> npt.NDArray[np.float32]:
    """CIE L*a*b* (D65) of sRGB bytes, shape (..., 3), in the evaluator's float32 arithmetic."""
    xyz = _LINEAR[rgb] @ _TO_XYZ.T
    xyz /= _WHITE
    f = np.where(xyz > _CUBE_ROOT_ABOVE, np.cbrt(xyz), _SLOPE * xyz + 4 / 29)
    lightness = 116.0 * f[..., 1] - 16.0
    green_red = 500.0 * (f[..., 0] - f[..., 1])
    blue_yellow = 200.0 * (f[..., 1] - f[..., 2])
    return np.stack([lightness, green_red, blue_yellow], axis=-1).astype(np.float32)


def cie76(one: Pixels, other: Pixels) -> npt.NDArray[np.float32]:
    """The distance of two colour arrays of shape (..., 3) in Lab."""
    distance: npt.NDArray[np.float32] = np.sqrt(((lab(one) - lab(other)) ** 2).sum(axis=-1))
    return distance


def _right_pixels(produced: Packed, answer: Packed, changed: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """How many (edited, preserved) pixels are right at each threshold, shape (2, 11).

    Most pixels equal the answer or repeat few colours: only distinct triples of output, answer and
    changed go through Lab.
    """
    differs = produced != answer
    counts = np.empty((2, len(THRESHOLDS)))
    counts[0], counts[1] = (changed & ~differs).sum(), (~changed & ~differs).sum()
    key = produced[differs].astype(np.int64) << 25 | answer[differs].astype(np.int64) << 1 | changed[differs]
    triples, repeats = np.unique(key, return_counts=True)
    distance = cie76(_unpacked(triples >> 25), _unpacked(triples >> 1))
    edited = (triples & 1).astype(bool)
    for index, threshold in enumerate(THRESHOLDS):
        right = distance <= threshold
        counts[0, index] += repeats[right & edited].sum()
        counts[1, index] += repeats[right & ~edited].sum()
    return counts


def _packed(rgb: Pixels) -> Packed:
    """One number below 2^24 a pixel, shape (H, W)."""
    packed = rgb[..., 0].astype(np.uint32)
    for channel in (1, 2):
        packed <<= 8
        packed |= rgb[..., channel]
    return packed


def _unpacked(packed: npt.NDArray[np.int64]) -> Pixels:
    return np.stack([packed >> 16 & 255, packed >> 8 & 255, packed & 255], axis=-1).astype(np.uint8)


def _totals(changed: npt.NDArray[np.bool_]) -> tuple[int, int]:
    edited = int(changed.sum())
    return edited, changed.size - edited


def _report(right: npt.NDArray[np.float64], *, missing: bool, totals: tuple[int, int]) -> dict[str, Any]:
    edited, preserved = totals
    if missing:
        # An empty denominator is no merit of an output that isn't there.
        names = ("iou", "edit_accuracy", "preservation_accuracy")
        return {**{name: [0.0] * len(THRESHOLDS) for name in names}, "mean_iou": 0.0}
    union = edited + (preserved - right[1])
    iou = [_share(float(hit), float(all_)) for hit, all_ in zip(right[0], union, strict=True)]
    return {
        "iou": iou,
        "edit_accuracy": [_share(float(hit), edited) for hit in right[0]],
        "preservation_accuracy": [_share(float(hit), preserved) for hit in right[1]],
        "mean_iou": sum(iou) / len(iou),
    }


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 1.0


def _cover(picture: Picture, width: int, height: int) -> Picture:
    """Scale to cover `width` x `height` by nearest neighbour and crop the centre, as the evaluator does."""
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(_rgb(picture, "output"))
    if image.size == (width, height):
        return picture
    scale = max(width / image.width, height / image.height)
    wide, high = math.ceil(image.width * scale), math.ceil(image.height * scale)
    left, top = (wide - width) // 2, (high - height) // 2
    resized = image.convert("RGB").resize((wide, high), Image.Resampling.NEAREST)
    return resized.crop((left, top, left + width, top + height))


def _rgb(picture: Picture, what: str) -> Pixels:
    if isinstance(picture, Image.Image):
        return np.asarray(picture.convert("RGB"))
    array = np.asarray(picture)
    shown = f"{array.dtype} {array.shape}"
    if array.dtype != np.uint8 or array.ndim not in (2, 3) or array.size == 0:
        raise ImageError(f"{what} must be a non-empty uint8 array of shape (H, W[, 3 or 4]), not {shown}")
    if array.ndim == 2:
        return np.repeat(array[:, :, None], 3, axis=2)
    if array.shape[2] not in (3, 4):
        raise ImageError(f"{what} has {array.shape[2]} channels; 3 (RGB) or 4 (RGBA) are right")
    return array[:, :, :3]
