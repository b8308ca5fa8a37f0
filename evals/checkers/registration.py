"""Bringing an output onto its source before anything is compared (design: register before pixel checks).

Editors return other sizes and shift or zoom by some pixels. What a small move doesn't explain is left as it is:
then the picture did change.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from editplan.evals.checkers.pair import Pair, Picture
from editplan.pixels.masks import Mask

MAX_MOVE = 0.04
"""How far any corner may be moved, as a share of the longer side."""
WHOLE_PX = 0.15
CLEAR_GAIN = 0.9
"""Registration must bring the typical difference at edges below this share of what it was."""
SHIFT_GAIN = 0.97
"""The same for a shift by whole pixels, which the edges' correlation vouches for."""
EQUAL_SHARE = 0.5
"""An output that keeps this share of the source's steps, across and down, to the last bit stands where it should."""
STEP_LEVELS = 24
"""Difference of neighbouring pixels that makes a step. Flat areas say nothing: they are equal after any shift."""
SOFT_SIGMA_PX = 2.0
WORKING_SIDE_PX = 512
MAX_CORRELATED_PX = 2048
"""Larger pictures are registered on their reduced copies only."""

Warp = NDArray[np.float32]


def register(before: Picture, after: Picture) -> Pair:
    """The pair of a source and an output of any size, the output scaled to the source and moved onto it.

    `note` says what was done. A pair of equal size whose edges mostly agree bit for bit is taken as it is.
    """
    import cv2

    height, width = before.shape[:2]
    returned = (after.shape[1], after.shape[0])
    notes = []
    if returned != (width, height):
        shrinks = returned[0] * returned[1] > width * height
        after = cv2.resize(
            after, (width, height), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
        ).astype(np.uint8)
        notes.append(f"scaled from {returned[0]} x {returned[1]}")
    elif _stands(before, after):
        return Pair(before, after, returned)
    best, seen, misfit, shift = after, None, _misfit(before, after), (0.0, 0.0)
    for warp in _candidates(before, after):
        moved, covered = _moved(after, warp)
        gap = _misfit(before, moved)
        if gap < (CLEAR_GAIN if _turns(warp) else SHIFT_GAIN) * misfit:
            best, seen, misfit, shift = moved, covered, gap, (float(warp[0, 2]), float(warp[1, 2]))
    if best is not after:
        notes.append(f"moved by ({shift[0]:.1f}, {shift[1]:.1f}) px")
    return Pair(before, best, returned, "; ".join(notes), seen)


def _turns(warp: Warp) -> bool:
    """Whether a map does more than shift by whole pixels."""
    return not (np.array_equal(warp[:, :2], np.eye(2)) and np.array_equal(warp[:, 2], np.rint(warp[:, 2])))


def _stands(before: Picture, after: Picture) -> bool:
    """Whether most steps between neighbouring pixels are where they were, in both directions."""
    import cv2

    equal = _highest(np.asarray(cv2.absdiff(before, after), dtype=np.uint8)) == 0
    if float(equal.mean()) < EQUAL_SHARE:
        return False
    for first, second in ((np.s_[1:], np.s_[:-1]), (np.s_[:, 1:], np.s_[:, :-1])):
        step = _highest(np.asarray(cv2.absdiff(before[first], before[second]), dtype=np.uint8)) > STEP_LEVELS
        kept = (equal[first] & equal[second])[step]
        if kept.size and float(kept.mean()) < EQUAL_SHARE:
            return False
    return True


def _highest(levels: Picture) -> NDArray[np.uint8]:
    """The largest of the three channels."""
    return np.maximum(np.maximum(levels[..., 0], levels[..., 1]), levels[..., 2])


def _candidates(before: Picture, after: Picture) -> list[Warp]:
    """Maps from source to output coordinates worth trying, the simplest first: shifts, then an affine map."""
    return [*_whole_shift(before, after), *_fine_maps(before, after)]


def _whole_shift(before: Picture, after: Picture) -> list[Warp]:
    """The shift by whole pixels under which the edges correlate best; steady under noise, which phases are not."""
    import cv2

    height, width = before.shape[:2]
    reach = int(MAX_MOVE * max(width, height))
    if min(width, height) < 4 * reach or max(width, height) > MAX_CORRELATED_PX:
        return []
    inner = _edges(before)[reach : height - reach, reach : width - reach]
    likeness = cv2.matchTemplate(_edges(after), np.ascontiguousarray(inner), cv2.TM_CCORR_NORMED)
    row, column = divmod(int(np.argmax(likeness)), likeness.shape[1])
    return [np.array([[1, 0, column - reach], [0, 1, row - reach]], dtype=np.float32)]


def _fine_maps(before: Picture, after: Picture) -> list[Warp]:
    """A shift by parts of a pixel from the phases, and an affine map from there (Evangelidis and Psarakis 2008)."""
    import cv2

    height, width = before.shape[:2]
    scale = min(1.0, WORKING_SIDE_PX / max(height, width))
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    first, second = (
        _edges(cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8)) for image in (before, after)
    )
    window = cv2.createHanningWindow(size, cv2.CV_64F)
    (dx, dy), _ = cv2.phaseCorrelate(first.astype(np.float64), second.astype(np.float64), window)
    shift = np.array([[1, 0, dx / scale], [0, 1, dy / scale]], dtype=np.float32)
    found = [_settled(shift)] if _modest(shift, width, height) else []
    start = np.array([[1, 0, dx], [0, 1, dy]], dtype=np.float32) if found else np.eye(2, 3, dtype=np.float32)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
    everywhere = np.full(first.shape, 255, dtype=np.uint8)
    try:
        _, refined = cv2.findTransformECC(first, second, start, cv2.MOTION_AFFINE, criteria, everywhere, 5)
    except cv2.error:
        return found  # nothing to hold on to in a flat or an unrelated picture
    affine = np.array(refined, dtype=np.float32)
    affine[:, 2] /= scale
    return [*found, affine] if _modest(affine, width, height) else found


def _settled(warp: Warp) -> Warp:
    """A shift that is almost whole pixels made whole, so that nothing is interpolated."""
    whole = np.rint(warp[:, 2])
    if np.abs(warp[:, 2] - whole).max() < WHOLE_PX:
        warp[:, 2] = whole
    return warp


def _modest(warp: Warp, width: int, height: int) -> bool:
    """Whether a map moves no corner of the image by more than shift and zoom may."""
    if not np.isfinite(warp).all():
        return False
    corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]], dtype=np.float64)
    moves = corners @ warp.T.astype(np.float64) - corners[:, :2]
    return bool(np.abs(moves).max() <= MAX_MOVE * max(width, height))


def _moved(image: Picture, warp: Warp) -> tuple[Picture, Mask]:
    """The image under a map, and where it has pixels of its own."""
    import cv2

    height, width = image.shape[:2]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cv2.warpAffine(image, warp, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    covered = cv2.warpAffine(np.full((height, width), 255, dtype=np.uint8), warp, (width, height), flags=flags)
    return moved.astype(np.uint8), np.asarray(covered == 255)


def _edges(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Gradient strength, which a recoloured background leaves alone."""
    import cv2

    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY).astype(np.float32), (0, 0), 1.0)
    return np.asarray(np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)))


def _misfit(before: Picture, after: Picture) -> float:
    """Mean difference over the source's strongest edges, where a shift shows.

    Both are softened first: else a blurred output on its place would fit no better than one off it.
    """
    import cv2

    strength = _edges(before)
    strong = strength >= max(float(np.percentile(strength, 95)), 0.2 * float(strength.max()))
    first, second = (cv2.GaussianBlur(image, (0, 0), SOFT_SIGMA_PX)[strong] for image in (before, after))
    gap = np.abs(first.astype(np.float32) - second.astype(np.float32))
    return float(np.minimum(gap, 64.0).mean())
