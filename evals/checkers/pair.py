"""The two images that a check compares, and the measurements that all families share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from editplan.evals.checkers.regions import Region, region_mask
from editplan.pixels.colours import parse_hex
from editplan.pixels.lab import srgb_to_lab
from editplan.pixels.masks import Mask, distance_outside, grown, mask_box
from editplan.records import Box

Picture = NDArray[np.uint8]
Lab = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Pair:
    """Source and output of one size; `after` is already registered to `before`."""

    before: Picture
    """H x W x 3, sRGB."""
    after: Picture
    returned_size: tuple[int, int]
    """(width, height) in which the output came."""
    note: str = ""
    """What registration did; empty where nothing was to do."""
    seen: Mask | None = None
    """Where the moved output has pixels of its own; None: everywhere."""

    @cached_property
    def before_lab(self) -> Lab:
        """The source in CIE L*a*b*."""
        return srgb_to_lab(self.before)

    @cached_property
    def after_lab(self) -> Lab:
        """The output in CIE L*a*b*; only pixels that differ from the source are converted anew."""
        changed = (
            (self.before[..., 0] != self.after[..., 0])
            | (self.before[..., 1] != self.after[..., 1])
            | (self.before[..., 2] != self.after[..., 2])
        )
        lab = self.before_lab.copy()
        lab[changed] = srgb_to_lab(self.after[changed])
        return lab

    @cached_property
    def difference(self) -> NDArray[np.float32]:
        """CIE76 of every pixel, H x W."""
        return lab_distance(self.after_lab, self.before_lab)

    @property
    def shape(self) -> tuple[int, int]:
        """(height, width)."""
        return self.before.shape[0], self.before.shape[1]

    def mask(self, region: Region) -> Mask:
        """The pixels of a region."""
        return region_mask(region, *self.shape)

    @cached_property
    def excess(self) -> Lab:
        """By how much, and in which direction, each image leaves the other's local range of Lab, H x W x 6.

        The first three channels are the output against the source's 5 x 5 neighbourhood, the others the source
        against the output's. Soft edges and a shift of two pixels stay inside the range; a thin line that comes
        or goes leaves it on one side or the other.
        """
        return np.concatenate(
            [_beyond(self.after_lab, self.before_lab), _beyond(self.before_lab, self.after_lab)], axis=-1
        )

    @cached_property
    def excess_size(self) -> NDArray[np.float32]:
        """How far each pixel leaves the other image's range, either way, 2 x H x W."""
        return np.stack([_length(self.excess[..., :3]), _length(self.excess[..., 3:])])

    def changed(self, where: Mask, tolerance: float) -> Mask:
        """Pixels of `where` that differ by more than `tolerance`, noise and soft edges aside.

        The signed excess is averaged over 3 x 3 pixels inside `where`: that cancels sensor and coding noise and
        lets a line of one pixel through.
        """
        where = where if self.seen is None else np.asarray(where & self.seen)
        found = np.zeros_like(where)
        area = mask_box(np.asarray(where & (self.excess_size.max(axis=0) > tolerance / 2)))
        if area is None:
            return found
        x1, y1, x2, y2 = area
        window = slice(max(y1 - 1, 0), y2 + 1), slice(max(x1 - 1, 0), x2 + 1)
        weight = where[window].astype(np.float32)
        for part, own in zip((self.excess[..., :3], self.excess[..., 3:]), self.excess_size, strict=True):
            mean = _mean_around(part[window], weight)
            found[window] |= (_length(mean) > tolerance) & (own[window] > tolerance / 2)
        return np.asarray(found & where)

    def box(self, mask: Mask) -> Box | None:
        """The normalised box around a mask; None for an empty one."""
        found = mask_box(mask)
        if found is None:
            return None
        height, width = self.shape
        return found[0] / width, found[1] / height, found[2] / width, found[3] / height


def _beyond(image: Lab, other: Lab) -> Lab:
    """The signed distance of each pixel from the range of the other image's 5 x 5 neighbourhood, 0 inside it."""
    import cv2

    kernel = np.ones((5, 5), dtype=np.uint8)
    low, high = cv2.erode(other, kernel), cv2.dilate(other, kernel)
    return np.asarray(image - np.clip(image, low, high), dtype=np.float32)


def lab_distance(first: Lab, second: Lab | NDArray[np.floating]) -> NDArray[np.float32]:
    """Euclidean distance over the last axis."""
    return _length(np.asarray(first - second))


def _length(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    """Euclidean length over the last axis."""
    return np.asarray(np.sqrt(np.einsum("...i,...i->...", vectors, vectors)), dtype=np.float32)


def _mean_around(values: Lab, weight: NDArray[np.float32]) -> Lab:
    """The weighted mean of 3 x 3 pixels."""
    import cv2

    total = np.maximum(cv2.blur(weight, (3, 3)), 1e-6)[..., None]
    return np.asarray(cv2.blur(np.ascontiguousarray(values * weight[..., None]), (3, 3)) / total)


def lab_of(colour: str) -> Lab:
    """The Lab value (3,) of `#rrggbb`."""
    rgb = parse_hex(colour)
    assert rgb is not None, "the spec's pattern holds colours"
    return np.asarray(srgb_to_lab(np.array(rgb, dtype=np.uint8)[None, :])[0])


def inset(mask: Mask, pixels: int) -> Mask:
    """The mask without its rim of `pixels`; whole where nothing would be left."""
    box = mask_box(mask)
    if pixels == 0 or box is None:
        return mask
    x1, y1, x2, y2 = box
    window = slice(max(y1 - 1, 0), y2 + 1), slice(max(x1 - 1, 0), x2 + 1)
    inner = np.zeros_like(mask)
    rim = ~mask[window]
    inner[window] = mask[window] & ((distance_outside(rim) > pixels) if rim.any() else True)
    return inner if inner.any() else mask


def ring(mask: Mask, inner: float = 2.0, outer: float = 6.0) -> Mask:
    """The pixels between two distances around a mask."""
    return np.asarray(grown(mask, outer) & ~grown(mask, inner))
