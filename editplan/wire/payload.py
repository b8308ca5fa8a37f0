"""Images as a provider takes them: within its limits on side, bytes and number; what was scaled is noted."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from editplan.errors import Unsupported
from editplan.protocols import ImageHandle, Images
from editplan.records import Part, Record


class ImageLimits(Record):
    """What a provider accepts for one image and one request."""

    max_images: int = Field(default=16, ge=1)
    max_bytes: int = Field(default=20_000_000, ge=1)
    """Of one encoded image."""
    max_side_px: int | None = Field(default=None, ge=16)
    min_side_px: int = Field(default=1, ge=1)
    multiple_px: int = Field(default=1, ge=1)
    """Sides are rounded to this, so that boxes in pixels mean what we think."""


@dataclass(frozen=True)
class Payload:
    """One image as it is sent."""

    data: bytes
    mime: str
    width: int
    height: int
    notes: tuple[str, ...]

    @property
    def data_url(self) -> str:
        """For JSON bodies."""
        return f"data:{self.mime};base64,{base64.b64encode(self.data).decode('ascii')}"


async def encode_all(parts: Sequence[Part], images: Images, limits: ImageLimits) -> list[Payload]:
    """The images of a request in order, encoded beside the event loop: other requests go on meanwhile."""
    return await asyncio.to_thread(lambda: [encode(images[part.media.sha256], limits) for part in parts])


def sent_size(width: int, height: int, limits: ImageLimits) -> tuple[int, int]:
    """The size at which an image is sent: within the sides allowed, rounded to the provider's multiple.

    Raises `Unsupported` where no size has both a long side within and a short side above the limits.
    """
    scale = 1.0
    if limits.max_side_px is not None and max(width, height) > limits.max_side_px:
        scale = limits.max_side_px / max(width, height)
    if max(1, round(min(width, height) * scale)) < limits.min_side_px:
        scale = limits.min_side_px / min(width, height)
        if limits.max_side_px is not None and max(width, height) * scale > limits.max_side_px:
            raise Unsupported(
                f"an image of {width} × {height} fits no size with sides of "
                f"{limits.min_side_px} to {limits.max_side_px} px"
            )
    step = limits.multiple_px
    if scale == 1.0 and step == 1:
        return width, height
    sides = [max(step, round(side * scale / step) * step) for side in (width, height)]
    return sides[0], sides[1]


def encode(image: ImageHandle, limits: ImageLimits) -> Payload:
    """PNG if it fits, else JPEG, else a smaller JPEG; every step away from the source is noted."""
    media = image.media
    size = sent_size(media.width, media.height, limits)
    notes: list[str] = []
    if size == (media.width, media.height):
        png = image.png()
        if len(png) <= limits.max_bytes:
            return Payload(png, "image/png", *size, notes=())
        picture = image.pil()
    else:
        notes.append(f"sent at {size[0]} × {size[1]} instead of {media.width} × {media.height}")
        picture = image.pil().resize(size)
        buffer = io.BytesIO()
        picture.save(buffer, format="PNG", compress_level=3)
        if buffer.tell() <= limits.max_bytes:
            return Payload(buffer.getvalue(), "image/png", *size, notes=tuple(notes))
    for quality in (92, 80, 60):
        buffer = io.BytesIO()
        picture.save(buffer, format="JPEG", quality=quality, subsampling=0)
        if buffer.tell() <= limits.max_bytes:
            notes.append(f"sent as JPEG of quality {quality} to fit {limits.max_bytes:,} bytes")
            return Payload(buffer.getvalue(), "image/jpeg", *size, notes=tuple(notes))
    raise Unsupported(f"an image of {size[0]} × {size[1]} doesn't fit into {limits.max_bytes:,} bytes: scale it down")
