"""Controlled damage: one object-sized patch of a picture is spoiled so that it certainly shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from editplan.evals.checkers.pair import lab_distance
from editplan.pixels.lab import srgb_to_lab
from editplan.pixels.masks import Mask

Picture = NDArray[np.uint8]

VISIBLE_DELTA_E = 10.0
"""A pixel counts as visibly changed from this CIE76 on."""
VISIBLE_SHARE = 0.3
"""Share of the patch that must be visibly changed for the damage to count."""
LEAST_SIDE_PX = 4
ATTEMPTS = 60
LETTERS = "ABCDEFGHKLMNPRSTUVXYZ"


@dataclass(frozen=True, eq=False)
class Planted:
    """A damaged picture and what it is compared with."""

    before: Picture
    """The source; another than the given one where the damage needs a label to spoil."""
    after: Picture
    changed: Mask
    """Pixels that visibly differ."""


Spoil = Callable[[Picture, Mask, Random], Picture]


def plant(picture: Picture, kind: str, side_px: int, where: Mask, rng: Random) -> Planted | None:
    """One patch of about `side_px` inside `where` (H x W), spoiled in one of the ways of `KINDS`.

    None where no place was found at which the damage would show (a blur in a clear sky).
    """
    side_px = max(side_px, LEAST_SIDE_PX)
    if kind == "text":
        return _changed_text(picture, side_px, where, rng)
    spots = _spots(where, side_px, side_px)
    for _ in range(ATTEMPTS if spots.size else 0):
        patch = _patch(where, spots, (side_px, side_px), rng)
        # Only the surroundings of the patch are worked on: a picture may have many megapixels.
        near = _window(patch, margin=side_px + 16)
        spoiled = _SPOILERS[kind](picture[near], patch[near], rng)
        seen = visibly_changed(picture[near], spoiled)
        if seen[patch[near]].mean() < VISIBLE_SHARE or (seen & ~where[near]).any():
            continue
        after, changed = picture.copy(), np.zeros(where.shape, dtype=bool)
        after[near], changed[near] = spoiled, seen
        return Planted(picture, after, changed)
    return None


def visibly_changed(before: Picture, after: Picture) -> Mask:
    """Pixels that differ by `VISIBLE_DELTA_E` or more."""
    differs = (before != after).any(axis=-1)
    found = np.zeros(differs.shape, dtype=bool)
    if differs.any():
        first, second = srgb_to_lab(before[differs]), srgb_to_lab(after[differs])
        found[differs] = lab_distance(first, second) >= VISIBLE_DELTA_E
    return found


def tinted(picture: Picture, delta_e: float, rng: Random) -> Picture:
    """The whole picture with a colour cast of about this mean CIE76."""
    direction = np.array([rng.uniform(-1, 1) for _ in range(3)])
    direction -= direction.mean()
    direction /= np.abs(direction).max()
    low, high = 0.0, 128.0
    lab = srgb_to_lab(picture[::4, ::4])
    for _ in range(12):
        middle = (low + high) / 2
        cast = _shifted_levels(picture[::4, ::4], direction * middle)
        if float(lab_distance(srgb_to_lab(cast), lab).mean()) < delta_e:
            low = middle
        else:
            high = middle
    return _shifted_levels(picture, direction * high)


def shifted(picture: Picture, pixels: tuple[int, int]) -> Picture:
    """The picture moved by (x, y) pixels; its rim is repeated."""
    import cv2

    height, width = picture.shape[:2]
    move = np.array([[1, 0, pixels[0]], [0, 1, pixels[1]]], dtype=np.float32)
    moved = cv2.warpAffine(picture, move, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=np.uint8)


def _removed(picture: Picture, patch: Mask, rng: Random) -> Picture:
    """What surrounds the patch grows over it."""
    import cv2

    box = _window(patch, margin=12)
    filled = picture.copy()
    part = cv2.inpaint(picture[box], patch[box].astype(np.uint8), 4, cv2.INPAINT_TELEA)
    filled[box] = np.asarray(part, dtype=np.uint8)
    return filled


def _moved(picture: Picture, patch: Mask, rng: Random) -> Picture:
    """The patch stands a patch's width further on, and its old place is filled."""
    rows, columns = np.nonzero(patch)
    side = int(rows.max() - rows.min()) + 1
    dx, dy = rng.choice(((side, 0), (-side, 0), (0, side), (0, -side)))
    height, width = patch.shape
    new_rows, new_columns = rows + dy, columns + dx
    fits = (new_rows >= 0) & (new_rows < height) & (new_columns >= 0) & (new_columns < width)
    moved = _removed(picture, patch, rng)
    moved[new_rows[fits], new_columns[fits]] = picture[rows[fits], columns[fits]]
    return moved


def _recoloured(picture: Picture, patch: Mask, rng: Random) -> Picture:
    """The patch in another hue, its light and shade kept."""
    import cv2

    hsv = cv2.cvtColor(picture, cv2.COLOR_RGB2HSV).astype(np.int32)
    turn = rng.randrange(50, 130)
    hsv[..., 0] = (hsv[..., 0] + turn) % 180
    hsv[..., 1] = np.maximum(hsv[..., 1], 110)
    hsv[..., 2] = np.clip(hsv[..., 2], 60, 230)
    painted = cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2RGB)
    return np.asarray(np.where(patch[..., None], painted, picture), dtype=np.uint8)


def _blurred(picture: Picture, patch: Mask, rng: Random) -> Picture:
    import cv2

    side = float(np.sqrt(patch.sum()))
    soft = cv2.GaussianBlur(picture, (0, 0), max(2.0, side / 4))
    return np.asarray(np.where(patch[..., None], soft, picture), dtype=np.uint8)


_SPOILERS: dict[str, Spoil] = {
    "removed": _removed,
    "moved": _moved,
    "recoloured": _recoloured,
    "blurred": _blurred,
}
KINDS = (*_SPOILERS, "text")
"""Ways to damage one patch."""


def _changed_text(picture: Picture, side_px: int, where: Mask, rng: Random) -> Planted | None:
    """A printed label of the source with one letter changed in the output; `side_px` is its height."""
    word = "".join(rng.choice(LETTERS) for _ in range(3))
    at = rng.randrange(3)
    other = word[:at] + rng.choice([letter for letter in LETTERS if letter != word[at]]) + word[at + 1 :]
    height, width = round(2.2 * side_px), round(3.5 * side_px)
    spots = _spots(where, height, width)
    if not spots.size:
        return None
    label = _patch(where, spots, (height, width), rng)
    before, after = (_labelled(picture, label, text, side_px) for text in (word, other))
    changed = visibly_changed(before, after)
    return Planted(before, after, changed) if changed.sum() >= LEAST_SIDE_PX else None


def _labelled(picture: Picture, label: Mask, text: str, height_px: int) -> Picture:
    """A white label with dark capitals of this height."""
    import cv2

    box = _window(label)
    rows, columns = label[box].shape
    canvas = np.full((rows, columns, 3), 245, dtype=np.uint8)
    face, stroke = cv2.FONT_HERSHEY_DUPLEX, max(1, height_px // 10)
    scale = cv2.getFontScaleFromHeight(face, height_px, stroke)
    (width, height), _ = cv2.getTextSize(text, face, scale, stroke)
    scale *= min(1.0, 0.9 * columns / max(width, 1), 0.9 * rows / max(height, 1))
    (width, height), _ = cv2.getTextSize(text, face, scale, stroke)
    corner = ((columns - width) // 2, (rows + height) // 2)
    cv2.putText(canvas, text, corner, face, scale, (25, 25, 30), stroke, cv2.LINE_AA)
    labelled = picture.copy()
    labelled[box] = canvas
    return labelled


def _spots(where: Mask, height: int, width: int) -> NDArray[np.intp]:
    """Flat indices of the pixels around which a box of this size lies wholly inside `where`."""
    import cv2

    roomy = cv2.erode(
        where.astype(np.uint8), np.ones((height, width), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0
    )
    return np.flatnonzero(roomy)


def _patch(where: Mask, spots: NDArray[np.intp], size: tuple[int, int], rng: Random) -> Mask:
    """An ellipse in a square `size` (height, width), or a box of another, around one of the spots."""
    import cv2

    row, column = divmod(int(spots[rng.randrange(spots.size)]), where.shape[1])
    height, width = size
    canvas = np.zeros(where.shape, dtype=np.uint8)
    if height == width:
        cv2.ellipse(canvas, (column, row), (max(1, width // 2), max(1, height // 2)), 0, 0, 360, 1, -1)
    else:
        top, left = row - height // 2, column - width // 2
        canvas[max(top, 0) : top + height, max(left, 0) : left + width] = 1
    return np.asarray(canvas.astype(bool) & where)


def _window(mask: Mask, margin: int = 0) -> tuple[slice, slice]:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return (
        slice(max(int(rows[0]) - margin, 0), int(rows[-1]) + 1 + margin),
        slice(max(int(columns[0]) - margin, 0), int(columns[-1]) + 1 + margin),
    )


def _shifted_levels(picture: Picture, levels: NDArray[np.float64]) -> Picture:
    return np.clip(np.rint(picture + levels), 0, 255).astype(np.uint8)
