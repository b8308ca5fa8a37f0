"""Which size a local image pipeline makes, as each class has it; sizes are (width, height) in pixels.

Read in diffusers 0.42. The pipelines derive the size from one of their images where none is given, and not always
from the picture to edit; so it is worked out here from the canvas and always given.
"""

from __future__ import annotations

import math
import re
from enum import StrEnum

from editplan.errors import SpecError, Unsupported

Size = tuple[int, int]

STEP = 16
"""Sides that are no multiples of this are cut down inside the pipelines (8 by the autoencoder, 2 by packing)."""

KONTEXT_SIZES: tuple[Size, ...] = (
    *((672, 1568), (688, 1504), (720, 1456), (752, 1392), (800, 1328), (832, 1248), (880, 1184), (944, 1104)),
    (1024, 1024),
    *((1104, 944), (1184, 880), (1248, 832), (1328, 800), (1392, 752), (1456, 720), (1504, 688), (1568, 672)),
)
"""The sizes that FLUX.1 Kontext was trained at; its pipeline stretches every input to one of them."""

_MEGAPIXEL = 1024 * 1024
_FLUX2_SHORTEST = 64
_FLUX2_WIDEST = 8.0


class SizeLaw(StrEnum):
    """How a class sizes its output."""

    QWEN = "about 1024 x 1024 pixels in the canvas's shape, sides rounded to 32"
    KONTEXT = "the one of 17 trained sizes that is nearest in shape to the canvas"
    FLUX2 = "the canvas's size in multiples of 16, at most 1024 x 1024 pixels, no side under 64"


def size_for(law: SizeLaw, canvas: Size) -> Size:
    """The size to make for a canvas. Raises `Unsupported` for a shape that the class refuses."""
    if law is SizeLaw.KONTEXT:
        ratio = canvas[0] / canvas[1]
        return min(KONTEXT_SIZES, key=lambda size: (abs(ratio - size[0] / size[1]), size))
    if law is SizeLaw.FLUX2:
        return flux2_size(canvas)
    width = (_MEGAPIXEL * canvas[0] / canvas[1]) ** 0.5
    height = _MEGAPIXEL / width
    return max(32, round(width / 32) * 32), max(32, round(height / 32) * 32)


def flux2_size(size: Size) -> Size:
    """The nearest size at which Flux2 takes an image whole: it would crop what is over a multiple of 16."""
    width, height = size
    if max(size) > _FLUX2_WIDEST * min(size):
        raise Unsupported(
            f"Flux2 takes shapes up to {_FLUX2_WIDEST:g}:1, the image has {width} × {height}: crop it first"
        )
    scale = max(1.0, _FLUX2_SHORTEST / min(size))
    if width * height * scale**2 > _MEGAPIXEL:
        scale = (_MEGAPIXEL / (width * height)) ** 0.5
    widths, heights = _around(round(width * scale, 6)), _around(round(height * scale, 6))
    fitting = [(w, h) for w in widths for h in heights if w * h <= _MEGAPIXEL]
    fitted = min(fitting, key=lambda made: (abs(made[0] / made[1] / (width / height) - 1), -made[0] * made[1]))
    # Rounding can push a shape at the edge of what is allowed over it.
    longest = int(_FLUX2_WIDEST) * min(fitted)
    return min(fitted[0], longest), min(fitted[1], longest)


def _around(side: float) -> tuple[int, int]:
    """The multiples below and above."""
    return _below(side), math.ceil(side / STEP) * STEP


def _below(side: float) -> int:
    return max(1, int(side // STEP)) * STEP


def asked_size(wanted: Size) -> Size:
    """A size that the job asks for, cut down to what the autoencoder can make."""
    return _below(wanted[0]), _below(wanted[1])


def parse_size(text: str, *, step: int = STEP) -> Size | None:
    """The spec key `size`: None for `source`, else WxH. Raises `SpecError` for anything else."""
    if text == "source":
        return None
    match = re.fullmatch(r"(\d{2,5})x(\d{2,5})", text)
    if match is None:
        raise SpecError(f"size={text}: give source (the canvas's shape as the model takes it) or WxH")
    width, height = int(match[1]), int(match[2])
    if width % step or height % step:
        raise SpecError(f"size={text}: both sides must be multiples of {step}")
    return width, height
