"""Fits a picture whole into the frame of a video model, and cuts it out of a frame again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from editplan.records import Record

if TYPE_CHECKING:
    from PIL.Image import Image

Size = tuple[int, int]
"""(width, height) in pixels."""


class Fitted(Record):
    """Where a picture lies in a frame."""

    frame: Size
    content: Size
    """The picture's size inside the frame; its shape is the source's to within a pixel."""
    left: int
    top: int

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom of the content in pixels of the frame."""
        return self.left, self.top, self.left + self.content[0], self.top + self.content[1]


def fit(source: Size, frame: Size) -> Fitted:
    """The largest placing of a picture inside a frame, centred, nothing cut off."""
    scale = min(frame[0] / source[0], frame[1] / source[1])
    width = min(frame[0], max(1, round(source[0] * scale)))
    height = min(frame[1], max(1, round(source[1] * scale)))
    return Fitted(frame=frame, content=(width, height), left=(frame[0] - width) // 2, top=(frame[1] - height) // 2)


def pad(picture: Image, fitted: Fitted) -> Image:
    """The picture in its frame; the border repeats the picture's edge, so that no bar becomes part of the scene."""
    import numpy as np
    import PIL.Image
    from PIL.Image import Resampling

    if picture.size != fitted.content:
        picture = picture.resize(fitted.content, Resampling.LANCZOS)
    left, top, right, bottom = fitted.box
    around = ((top, fitted.frame[1] - bottom), (left, fitted.frame[0] - right), (0, 0))
    return PIL.Image.fromarray(np.pad(np.asarray(picture.convert("RGB")), around, mode="edge"))


def unpad(frame: Image, fitted: Fitted) -> Image:
    """The content cut out of a frame, which may have come back at another scale."""
    if frame.size == fitted.frame:
        return frame.crop(fitted.box)
    across, down = frame.width / fitted.frame[0], frame.height / fitted.frame[1]
    left, top, right, bottom = fitted.box
    box = (round(left * across), round(top * down), round(right * across), round(bottom * down))
    return frame.crop((box[0], box[1], max(box[0] + 1, box[2]), max(box[1] + 1, box[3])))


def settled_bucket(source: Size, pick: Callable[[Size], Size]) -> Size:
    """The bucket for a source that is its own bucket.

    A pipeline picks the bucket of what it is given and crops to it. A picture padded to a bucket can fall into the
    next one, because ratios are compared after rounding; so this goes on until the bucket holds.
    """
    bucket = pick(source)
    seen = {bucket}
    while (following := pick(bucket)) != bucket:
        if following in seen:
            break
        seen.add(following)
        bucket = following
    return bucket


def size_within(source: Size, pixels: int, step: int) -> Size:
    """The frame for a model with free sizes: the source's shape at about `pixels`, sides in multiples of `step`."""
    scale = (pixels / (source[0] * source[1])) ** 0.5
    width, height = (max(step, int(side * scale) // step * step) for side in source)
    grown = [(width + step, height), (width, height + step), (width, height)]
    fitting = [size for size in grown if size[0] * size[1] <= max(pixels, width * height)]
    return max(fitting, key=lambda size: _filled(source, size))


def _filled(source: Size, frame: Size) -> float:
    """The share of a frame that the source's placing covers."""
    content = fit(source, frame).content
    return content[0] * content[1] / (frame[0] * frame[1])
