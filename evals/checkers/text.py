"""Text checks: the writing in a region reads as it should, or can't be read and abstains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from editplan.evals.checkers.findings import Finding, unmeasured
from editplan.evals.checkers.glyphs import (
    LEAST_LIKENESS,
    MIN_HEIGHT_PX,
    Reading,
    canonical_text,
    read_glyph,
    readable,
)
from editplan.evals.checkers.pair import Pair, lab_distance
from editplan.evals.checkers.specs import TextEquals
from editplan.pixels.geometry import PixelBox
from editplan.pixels.masks import Mask, mask_box

MIN_CONTRAST = 18.0
"""CIE76 from the paper to the ink."""
LEAST_INK_PX = 8
"""So many pixels of ink are the least that is writing."""
ENLARGE_BELOW_PX = 48
SPECK = 0.25
"""Parts lower than this share of the tallest are specks."""
LEAD_TO_REFUTE = 0.1
"""How clearly a glyph must be another sign to count against the text."""
WIDEST = 1.5
"""A glyph wider than this many times its height is two that touch."""


@dataclass(frozen=True)
class Writing:
    """What was found in a region, glyph by glyph from left to right."""

    readings: tuple[Reading, ...]
    whole: bool
    """Whether the parts look like separate signs of one line, large enough to be read."""

    @property
    def text(self) -> str | None:
        """The text where every glyph is sure, else None."""
        sure = self.whole and bool(self.readings) and all(reading.sure for reading in self.readings)
        return "".join(reading.sign for reading in self.readings) if sure else None

    def refutes(self, text: str) -> bool:
        """Whether it certainly isn't `text`: another length of sure signs, or a sign that is clearly another."""
        if not self.whole or any(reading.likeness < LEAST_LIKENESS for reading in self.readings):
            return False
        if len(text) != len(self.readings):
            return self.text is not None
        leads = (reading.lead_over(sign) for reading, sign in zip(self.readings, text, strict=True))
        return max(leads, default=0.0) >= LEAD_TO_REFUTE


def check_text_equals(spec: TextEquals, pair: Pair) -> Finding:
    """The sure reading of a region's ink against the text; no ink at all is a fail, unsure ink abstains."""
    mask = pair.mask(spec.region)
    box = mask_box(mask)
    if box is None:
        return unmeasured("the region is empty")
    ink = _ink(pair, mask, box)
    if not ink.any():
        return Finding(
            verdict="fail", reason="nothing is written in the region", evidence={"glyphs": 0}, box=pair.box(mask)
        )
    if not readable(spec.text):
        return unmeasured(f"{spec.text!r} holds signs that this reader doesn't know")
    writing, wanted = read(ink), canonical_text(spec.text)
    seen = "".join(reading.sign for reading in writing.readings)
    evidence: dict[str, float | int | str | bool] = {
        "glyphs": len(writing.readings),
        "likeness": min((reading.likeness for reading in writing.readings), default=0.0),
        "most_like": seen,
    }
    matches = writing.text == wanted
    if not matches and not writing.refutes(wanted):
        return unmeasured("the writing can't be read with certainty", **evidence)
    return Finding(
        verdict="pass" if matches else "fail",
        reason=f"reads {seen!r}, should read {spec.text!r}",
        evidence=evidence,
        box=pair.box(mask),
    )


def read(ink: Mask) -> Writing:
    """Read one line of boolean ink from left to right."""
    glyphs = _glyphs(ink)
    heights = [glyph.shape[0] for glyph in glyphs]
    whole = (
        bool(glyphs)
        and min(heights) >= max(MIN_HEIGHT_PX, 0.6 * max(heights))
        and all(glyph.shape[1] <= WIDEST * glyph.shape[0] for glyph in glyphs)
    )
    return Writing(tuple(read_glyph(glyph) for glyph in glyphs), whole)


def _ink(pair: Pair, mask: Mask, box: PixelBox) -> Mask:
    """The pixels of a region that stand out from its paper, enlarged where they are small.

    What touches the region's rim and was there before is a frame, not writing.
    """
    import cv2

    x1, y1, x2, y2 = box
    inside = mask[y1:y2, x1:x2]
    lab, before = pair.after_lab[y1:y2, x1:x2], pair.before_lab[y1:y2, x1:x2]
    contrast = lab_distance(lab, np.median(lab[inside], axis=0)) * inside
    strongest = np.sort(contrast[inside])[-LEAST_INK_PX:]
    peak = float(strongest[0])
    if peak < MIN_CONTRAST:
        return np.zeros_like(inside)
    fresh = lab_distance(lab, before) > MIN_CONTRAST / 2
    contrast = contrast * ~_old_frame(contrast > peak / 2, fresh)
    scale = max(1, round(2 * ENLARGE_BELOW_PX / max(ENLARGE_BELOW_PX, min(inside.shape))))
    size = (inside.shape[1] * scale, inside.shape[0] * scale)
    return np.asarray(cv2.resize(contrast, size, interpolation=cv2.INTER_CUBIC) > peak / 2)


def _old_frame(ink: Mask, fresh: Mask) -> Mask:
    """Parts that touch the rim and mostly didn't change."""
    import cv2

    _, numbered = cv2.connectedComponents(ink.astype(np.uint8), connectivity=8)
    rim = np.concatenate([numbered[0], numbered[-1], numbered[:, 0], numbered[:, -1]])
    frame = np.zeros_like(ink)
    for number in np.unique(rim[rim > 0]):
        part = numbered == number
        if fresh[part].mean() < 0.5:
            frame |= part
    return frame


def _glyphs(ink: Mask) -> list[Mask]:
    """The connected parts of a line of ink from left to right, specks left out."""
    import cv2

    count, numbered, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    boxes = [tuple(int(v) for v in stats[number][:4]) for number in range(1, count)]
    tallest = max((box[3] for box in boxes), default=0)
    kept = [(box, number) for number, box in enumerate(boxes, 1) if box[3] >= SPECK * tallest]
    return [
        np.asarray(numbered[y : y + height, x : x + width] == number)
        for (x, y, width, height), number in sorted(kept)
    ]
