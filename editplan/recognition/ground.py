"""The background: its colours, panels along a side, and what it would show behind shapes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from editplan.pixels.components import FlatColours
from editplan.pixels.geometry import PixelBox
from editplan.recognition.scene import Background, Mask, Panel, Picture

_BORDER_SHARE = 0.06
"""A colour with this share of the picture's border pixels belongs to the background."""
_SHIFTS = 48
"""Shifts of the pattern that vote on a hidden pixel."""


def find_ground(picture: Picture, flat: FlatColours) -> tuple[Background, tuple[Panel, ...]]:
    """Background and panels of a picture of flat colours."""
    main = _main_labels(flat)
    panels = _panels(flat.labels, main, flat)
    on_panel = np.zeros(flat.labels.shape, dtype=bool)
    for panel in panels:
        x1, y1, x2, y2 = panel.box
        on_panel[y1:y2, x1:x2] = True
    counts = np.bincount(flat.labels[~on_panel & (flat.labels >= 0)], minlength=len(flat.palette))
    ground = [label for label in main if counts[label] > 0.02 * counts.sum()] or main[:1]
    ground.sort(key=lambda label: -int(counts[label]))
    mask = np.isin(flat.labels, ground)
    image = picture.copy()
    for panel in panels:
        x1, y1, x2, y2 = panel.box
        inside = flat.labels[y1:y2, x1:x2] == flat.palette.index(panel.rgb)
        mask[y1:y2, x1:x2] = inside
        image[y1:y2, x1:x2][~inside] = panel.rgb
    hidden = ~mask & ~on_panel
    known = mask & ~on_panel
    if len(ground) == 1:
        image[hidden] = flat.palette[ground[0]]
    elif hidden.any():
        restored = _continue_pattern(flat.labels, known, hidden, ground)
        image[hidden] = np.array(flat.palette, dtype=np.uint8)[restored]
    return Background(tuple(flat.palette[g] for g in ground), mask, image), panels


def _main_labels(flat: FlatColours) -> list[int]:
    """The labels that fill the border, the most frequent of the whole picture first."""
    labels = flat.labels
    rim = np.concatenate([labels[0], labels[-1], labels[1:-1, 0], labels[1:-1, -1]])
    rim = rim[rim >= 0]
    counts = np.bincount(rim, minlength=len(flat.palette))
    main = [label for label in range(len(flat.palette)) if counts[label] >= _BORDER_SHARE * rim.size]
    return main or [0]


def _panels(labels: NDArray[np.int32], main: list[int], flat: FlatColours) -> tuple[Panel, ...]:
    """The flat strips along a side: one main label, no other main label, and something lying on it.

    A strip of the most frequent label counts only where that label also occurs elsewhere (a stripe's colour).
    """
    height, width = labels.shape
    found: list[Panel] = []
    for label in main:
        other = np.isin(labels, [m for m in main if m != label])
        for side in ("left", "right", "top", "bottom"):
            depth = _depth(other, side)
            extent = width if side in ("left", "right") else height
            if not 0.06 * extent <= depth <= 0.5 * extent:
                continue
            box = _strip(side, depth, width, height)
            strip = labels[box[1] : box[3], box[0] : box[2]]
            beyond = (labels == label).sum() - (strip == label).sum()
            laid = (strip != label).mean()
            if (strip == label).mean() < 0.5 or laid == 0:
                continue
            if label == main[0] and beyond < 0.2 * (labels == label).sum():
                continue
            found.append(Panel(box, flat.palette[label], side))
    return tuple(found)


def _depth(other: Mask, side: str) -> int:
    """Rows or columns from a side on in which at most a fifth is of another background colour."""
    lines = other.mean(axis=0 if side in ("left", "right") else 1)
    if side in ("right", "bottom"):
        lines = lines[::-1]
    beyond = np.flatnonzero(lines > 0.2)
    return int(beyond[0]) if beyond.size else 0


def _strip(side: str, depth: int, width: int, height: int) -> PixelBox:
    return {
        "left": (0, 0, depth, height),
        "right": (width - depth, 0, width, height),
        "top": (0, 0, width, depth),
        "bottom": (0, height - depth, width, height),
    }[side]


def _continue_pattern(labels: NDArray[np.int32], known: Mask, hidden: Mask, ground: list[int]) -> NDArray[np.int32]:
    """The labels of hidden pixels, by the vote of the shifts under which the visible pattern agrees with itself."""
    index = np.zeros(labels.shape, dtype=np.int32)
    for number, label in enumerate(ground):
        index[labels == label] = number
    shifts = _self_shifts([known & (index == number) for number in range(len(ground))], known)
    rows, columns = np.nonzero(hidden)
    votes = np.zeros((len(ground), rows.size), dtype=np.float32)
    height, width = labels.shape
    for dy, dx, weight in shifts:
        for sign in (1, -1):
            y, x = rows + sign * dy, columns + sign * dx
            valid = (y >= 0) & (y < height) & (x >= 0) & (x < width)
            y, x = np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)
            valid &= known[y, x]
            seen = index[y, x]
            for number in range(len(ground)):
                votes[number] += weight * (valid & (seen == number))
    choice = votes.argmax(axis=0)
    restored: NDArray[np.int32] = np.array(ground, dtype=np.int32)[choice]
    return restored


def _self_shifts(masks: list[Mask], known: Mask) -> list[tuple[int, int, float]]:
    """Shifts (dy, dx) with the best agreement of the pattern with itself, each with its voting weight.

    Agreement at a shift is the share of pixel pairs of equal label among the pairs of known pixels, by FFT
    correlation.
    """
    from scipy import fft

    height, width = known.shape
    shape = (fft.next_fast_len(2 * height, real=True), fft.next_fast_len(2 * width, real=True))

    def correlation(mask: Mask) -> NDArray[np.float32]:
        spectrum = fft.rfft2(mask.astype(np.float32), shape)
        return np.asarray(fft.irfft2(np.abs(spectrum) ** 2, shape), dtype=np.float32)

    pairs = correlation(known)
    agreement = np.asarray(sum(correlation(mask) for mask in masks) / np.maximum(pairs, 1), dtype=np.float32)
    agreement[pairs < 0.25 * known.sum()] = 0
    agreement = np.concatenate([agreement[:height, :width], agreement[:height, -width:]], axis=1)
    dy, dx = np.mgrid[:height, : 2 * width]
    dx = np.where(dx < width, dx, dx - 2 * width)
    agreement[(dy == 0) & (dx <= 0)] = 0
    agreement[np.hypot(dy, dx) < 12] = 0
    peaks = _peaks(agreement)
    best = peaks[np.argsort(-agreement.ravel()[peaks])][:_SHIFTS]
    top = agreement.ravel()[best]
    keep = top >= max(0.8, 1 - 4 * (1 - float(top.max(initial=0.8))) - 0.01)
    return [
        (int(dy.ravel()[i]), int(dx.ravel()[i]), float(1 / (1.002 - a)))
        for i, a, k in zip(best, top, keep, strict=True)
        if k
    ]


def _peaks(surface: NDArray[np.float32]) -> NDArray[np.intp]:
    """Indices of the local maxima of a surface, in its flat order."""
    import cv2

    highest = cv2.dilate(surface, np.ones((5, 5), np.uint8))
    return np.flatnonzero((surface >= highest) & (surface > 0.8))
