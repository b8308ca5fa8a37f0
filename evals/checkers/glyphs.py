"""Reading digits and capitals by comparing glyphs with rendered templates of several typefaces.

A reader for upright, well-separated print, which says so when it isn't sure. 0 and O, and 1 and I, look alike in
many typefaces: they are read as one sign each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from editplan.pixels.masks import Mask, mask_box

SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ALIKE = {"O": "0", "I": "1"}
"""Signs that print alike, and the one that stands for both."""
CELL = (24, 20)
"""Rows and columns to which a glyph is stretched for comparison."""
LEAST_LIKENESS = 0.72
LEAST_LEAD = 0.03
"""How alike the best sign must be, and by how much more than the next."""
MIN_HEIGHT_PX = 8
RENDER_PX = 64

Ink = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Templates:
    """Rendered signs of all typefaces, one a row."""

    signs: tuple[str, ...]
    cells: Ink
    """Row vectors of mean 0 and length 1."""
    aspects: Ink
    """log(width / height) of each glyph before stretching."""


@dataclass(frozen=True)
class Reading:
    """What a glyph is most like."""

    sign: str
    likeness: float
    by_sign: Mapping[str, float]
    """Likeness to every sign."""

    @property
    def lead(self) -> float:
        """Distance to the next best sign."""
        return self.likeness - max(value for sign, value in self.by_sign.items() if sign != self.sign)

    def lead_over(self, sign: str) -> float:
        """How much more it is like its sign than like another; 0 for the sign itself."""
        return self.likeness - self.by_sign.get(sign, -1.0)

    @property
    def sure(self) -> bool:
        """Whether the sign may be stated."""
        return self.likeness >= LEAST_LIKENESS and self.lead >= LEAST_LEAD


def canonical_text(text: str) -> str:
    """A text as the reader gives it: capitals, no spaces, signs that print alike written as one."""
    return "".join(ALIKE.get(sign, sign) for sign in text.upper() if not sign.isspace())


def readable(text: str) -> bool:
    """Whether all signs of a text are ones that the reader knows."""
    return all(sign in SIGNS for sign in text.upper() if not sign.isspace())


def read_glyph(ink: Mask) -> Reading:
    """The sign that a boolean glyph (any size, with or without a margin) is most like."""
    templates = _templates()
    cell, aspect = _features(ink.astype(np.float32))
    likeness = templates.cells @ cell - 0.25 * np.abs(templates.aspects - aspect)
    by_sign: dict[str, float] = {}
    for sign, value in zip(templates.signs, likeness, strict=True):
        by_sign[sign] = max(by_sign.get(sign, -1.0), float(value))
    sign = max(by_sign, key=by_sign.__getitem__)
    return Reading(sign, by_sign[sign], by_sign)


def _features(ink: Ink) -> tuple[Ink, float]:
    """A glyph as a unit vector, and the logarithm of its aspect."""
    import cv2

    box = mask_box(np.asarray(ink > 0.5))
    if box is None:
        return np.zeros(CELL[0] * CELL[1], dtype=np.float32), 0.0
    x1, y1, x2, y2 = box
    glyph = ink[y1:y2, x1:x2]
    aspect = float(np.log((x2 - x1) / (y2 - y1)))
    # A bar of one stroke would be blown up to a full block; it keeps its slimness instead.
    if aspect < np.log(0.3):
        pad = int(0.3 * (y2 - y1) - (x2 - x1)) // 2 + 1
        glyph = np.pad(glyph, ((0, 0), (pad, pad)))
    stretched = cv2.resize(glyph, (CELL[1], CELL[0]), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(stretched, (0, 0), 0.9).ravel()
    centred = soft - soft.mean()
    return np.asarray(centred / max(float(np.linalg.norm(centred)), 1e-6), dtype=np.float32), aspect


@lru_cache(maxsize=1)
def _templates() -> Templates:
    signs, cells, aspects = [], [], []
    for sign in SIGNS:
        for ink in (*_hershey(sign), *_default_font(sign)):
            cell, aspect = _features(ink)
            signs.append(ALIKE.get(sign, sign))
            cells.append(cell)
            aspects.append(aspect)
    return Templates(tuple(signs), np.stack(cells), np.array(aspects, dtype=np.float32))


def _hershey(sign: str) -> list[Ink]:
    """A sign in OpenCV's built-in stroke typefaces, each thin and bold."""
    import cv2

    faces = (
        cv2.FONT_HERSHEY_SIMPLEX,
        cv2.FONT_HERSHEY_DUPLEX,
        cv2.FONT_HERSHEY_COMPLEX,
        cv2.FONT_HERSHEY_TRIPLEX,
        cv2.FONT_HERSHEY_PLAIN,
    )
    drawn = []
    for face in faces:
        scale = 5.0 if face == cv2.FONT_HERSHEY_PLAIN else 2.4
        for thickness in (3, 7, 12):
            canvas = np.zeros((2 * RENDER_PX + 40, 2 * RENDER_PX + 40), dtype=np.uint8)
            cv2.putText(canvas, sign, (30, 2 * RENDER_PX), face, scale, (255,), thickness, cv2.LINE_AA)
            drawn.append(canvas.astype(np.float32) / np.float32(255))
    return drawn


def _default_font(sign: str) -> list[Ink]:
    """A sign in Pillow's built-in typefaces, as it is and bolder."""
    from PIL import Image, ImageDraw, ImageFont

    drawn = []
    for stroke in (0, 2, 4):
        canvas = Image.new("L", (2 * RENDER_PX, 2 * RENDER_PX))
        font = ImageFont.load_default(size=RENDER_PX)
        ImageDraw.Draw(canvas).text((20, 20), sign, fill=255, font=font, stroke_width=stroke)
        drawn.append(np.asarray(canvas, dtype=np.float32) / np.float32(255))
    return drawn
