"""How a vision model writes boxes, and what they are in ours: normalised [x1, y1, x2, y2]."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum


class BoxConvention(StrEnum):
    """A model family's own way, by the name of the spec key `bbox=`."""

    UNIT = "unit"
    """[x1, y1, x2, y2] in 0..1."""
    QWEN3 = "qwen3"
    """[x1, y1, x2, y2] in 0..1000 (Qwen2-VL, Qwen3-VL and many others)."""
    GEMINI = "gemini"
    """[ymin, xmin, ymax, xmax] in 0..1000."""
    QWEN25 = "qwen25"
    """[x1, y1, x2, y2] in pixels of the image as it was sent (Qwen2.5-VL)."""


_WORDS = {
    BoxConvention.UNIT: "[x1, y1, x2, y2] as fractions of the image's width and height from 0 to 1, origin at the "
    "top left; the right half of an image is [0.5, 0.0, 1.0, 1.0]",
    BoxConvention.QWEN3: "[x1, y1, x2, y2] as integers from 0 to 1000 of the image's width and height, origin at "
    "the top left; the right half of an image is [500, 0, 1000, 1000]",
    BoxConvention.GEMINI: "[ymin, xmin, ymax, xmax] as integers from 0 to 1000 of the image's height and width, "
    "origin at the top left; the right half of an image is [0, 500, 1000, 1000]",
    BoxConvention.QWEN25: "[x1, y1, x2, y2] in pixels of the image, origin at the top left; the right half of a "
    "640 by 480 image is [320, 0, 640, 480]",
}


def box_words(convention: BoxConvention) -> str:
    """The convention in words with one example, for a prompt."""
    return _WORDS[convention]


def to_unit(
    raw: Sequence[float], convention: BoxConvention, sent_size: tuple[int, int]
) -> tuple[float, float, float, float] | None:
    """A box as a model wrote it, in our convention; None if it fits none (outside by over 2%, or empty).

    `sent_size` is (width, height) of the image as the model saw it, in pixels.
    """
    if len(raw) != 4 or any(isinstance(value, bool) or not isinstance(value, (int, float)) for value in raw):
        return None
    values = [float(value) for value in raw]
    if convention is BoxConvention.GEMINI:
        values = [values[1], values[0], values[3], values[2]]
    if convention is BoxConvention.QWEN25:
        width, height = sent_size
        values = [values[0] / width, values[1] / height, values[2] / width, values[3] / height]
    elif convention is not BoxConvention.UNIT:
        values = [value / 1000.0 for value in values]
    if not all(-0.02 <= value <= 1.02 for value in values):
        return None
    # A millionth is far below a pixel; rounded, a box is the same in whichever convention it was written.
    x1, y1, x2, y2 = (round(min(1.0, max(0.0, value)), 6) for value in values)
    return (x1, y1, x2, y2) if x1 < x2 and y1 < y2 else None
