"""What the model sees of an ask: every picture downsampled, and crops put back where they came from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from editplan.pixels.geometry import PixelBox
from editplan.planner.embedded.flatten import flattened
from editplan.planner.embedded.question import CropLabel, read_crop_label
from editplan.protocols import Images
from editplan.recognition.finder import find_scene
from editplan.recognition.scene import Scene
from editplan.records import Ask

Picture = NDArray[np.uint8]
MOSAIC_SIDE_PX = 2048
"""Crops of larger sources are put together at this side length."""


@dataclass(frozen=True, eq=False)
class Seen:
    """One labelled picture as the model sees it."""

    number: int
    """1-based place among the pictures of the ask."""
    label: str
    picture: Picture
    """Downsampled to the model's limit."""
    size: tuple[int, int]
    """Width and height of the file, in pixels."""
    crop: CropLabel | None

    @property
    def scale(self) -> float:
        """Seen pixels per pixel of the file."""
        return float(self.picture.shape[1] / self.size[0])


@dataclass(frozen=True, eq=False)
class View:
    """The pictures of one ask. Solvers work on `scene`; its pixels are those of `canvas`."""

    pictures: tuple[Seen, ...]

    @property
    def source(self) -> Seen:
        """The first whole picture."""
        return next(seen for seen in self.pictures if seen.crop is None)

    @property
    def sources(self) -> tuple[Seen, ...]:
        """All whole pictures."""
        return tuple(seen for seen in self.pictures if seen.crop is None)

    @property
    def crops(self) -> tuple[Seen, ...]:
        """The crops of the source."""
        number = self.source.number
        return tuple(seen for seen in self.pictures if seen.crop is not None and seen.crop.image == number)

    @cached_property
    def canvas(self) -> Picture:
        """The source as far as it was seen: crops pasted over the enlarged overview (H x W x 3)."""
        seen = self.source
        overview = flattened(seen.picture) if seen.scale < 1 else seen.picture
        if not self.crops:
            return overview
        width, height = _canvas_size(self.source.size)
        canvas = _resized(overview, (width, height))
        for seen in self.crops:
            x1, y1, x2, y2 = crop_pixels(seen, (width, height))
            if x2 > x1 and y2 > y1:
                canvas[y1:y2, x1:x2] = _sharpened(seen, (x2 - x1, y2 - y1))
        return canvas

    @cached_property
    def scene(self) -> Scene:
        """What the canvas shows."""
        return find_scene(self.canvas)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the canvas."""
        return self.canvas.shape[1], self.canvas.shape[0]

    def crop_of(self, box: PixelBox) -> Seen | None:
        """The crop that shows the middle of a box of the canvas."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        for seen in self.crops:
            x1, y1, x2, y2 = crop_pixels(seen, self.size)
            if x1 <= x < x2 and y1 <= y < y2:
                return seen
        return None


def look(ask: Ask, images: Images, max_side_px: int) -> View:
    """See the pictures of an ask; only label texts and pixels are read, as a remote model could."""
    pictures = []
    for number, part in enumerate(ask.parts, start=1):
        picture = images[part.media.sha256].array()
        size = (picture.shape[1], picture.shape[0])
        seen = downsampled(picture, max_side_px)
        pictures.append(Seen(number, part.label, seen, size, read_crop_label(part.label)))
    return View(tuple(pictures))


def downsampled(picture: Picture, max_side_px: int) -> Picture:
    """The picture with at most `max_side_px` on its longer side, by area interpolation."""
    height, width = picture.shape[:2]
    factor = max_side_px / max(width, height)
    if factor >= 1:
        return picture
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    return _resized(picture, size)


def crop_pixels(seen: Seen, size: tuple[int, int]) -> PixelBox:
    """The box of a crop in a picture of `size`, as its label says.

    Labels are rounded: where a crop was cut out at the picture's own resolution, its size in pixels decides between
    neighbouring positions.
    """
    label, (width, height) = seen.crop, size
    if label is None:
        return 0, 0, width, height
    factor = max(1, round(seen.size[0] / max(1.0, (label.right - label.left) * width)))
    x1, x2 = _edges(label.left * width, label.right * width, seen.size[0] / factor, width)
    y1, y2 = _edges(label.top * height, label.bottom * height, seen.size[1] / factor, height)
    return x1, y1, x2, y2


def _edges(low: float, high: float, length: float, limit: int) -> tuple[int, int]:
    start, stop = max(0, round(low)), min(limit, round(high))
    if length != int(length) or abs(high - low - length) > 2.5:
        return start, stop
    whole = int(length)
    options = (start, stop - whole)
    best = min(options, key=lambda option: abs(option - low) + abs(option + whole - high))
    return max(0, best), min(limit, max(0, best) + whole)


def _sharpened(seen: Seen, size: tuple[int, int]) -> Picture:
    """A crop at the resolution of the canvas, without mixed pixels where it was resampled on its way here."""
    if (seen.picture.shape[1], seen.picture.shape[0]) == size == seen.size:
        return seen.picture
    return _resized(flattened(seen.picture), size)


def _canvas_size(size: tuple[int, int]) -> tuple[int, int]:
    factor = min(1.0, MOSAIC_SIDE_PX / max(size))
    return round(size[0] * factor), round(size[1] * factor)


def _resized(picture: Picture, size: tuple[int, int]) -> Picture:
    """Area interpolation when shrinking, nearest pixel when enlarging; always a fresh array."""
    import cv2

    if (picture.shape[1], picture.shape[0]) == size:
        return picture.copy()
    shrinks = size[0] < picture.shape[1]
    how = cv2.INTER_AREA if shrinks else cv2.INTER_NEAREST
    return np.asarray(cv2.resize(picture, size, interpolation=how), dtype=np.uint8)
