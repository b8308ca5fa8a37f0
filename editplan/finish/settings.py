"""Settings and result records of Finish."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from editplan.records import Box, Media, Record


class Finish(Record):
    """How an output is given back. Zero calls; off in experiments, or on for every arm and named in the table."""

    size: Literal["source", "output"] = "source"
    keep: Literal["outside_region", "nothing"] = "outside_region"
    region: Literal["plan", "mask"] | Box = "plan"
    """"plan": the target and destination boxes of the chosen transition; "mask": the request's mask; or a box."""
    grow: float = Field(default=0.15, ge=0.0, le=2.0)
    """How far the plan's boxes are grown, in parts of their own sides."""
    feather_px: int = Field(default=8, ge=0)
    """Width of the soft edge, inside the region: outside it every pixel is the source's."""
    keep_metadata: bool = True
    """ICC profile and EXIF of the source; its orientation is applied and dropped."""
    native_region: bool = False
    """Sends the editor only a crop round the region, at the picture's own resolution; the plan sees the whole."""
    context: float = Field(default=0.5, ge=0.1, le=4.0)
    """How far that crop reaches beyond the region at each end, in parts of the region's sides."""
    least_crop_px: int = Field(default=512, ge=64)
    """The least side of that crop, where the picture has as much."""
    largest_shift: float = Field(default=0.03, gt=0.0)
    """In parts of the source's long side; beyond it nothing is pasted."""
    largest_seam_delta_e: float = Field(default=12.0, gt=0.0)
    """CIE76, mean along the region's rim; beyond it nothing is pasted."""


class Preservation(Record):
    """What was measured when an output was given back."""

    pasted: bool
    """Whether the region was pasted into the source; if not, the raw output is the answer."""
    changed_outside: float | None = Field(default=None, ge=0.0, le=1.0)
    """Share of the pixels outside the region that differ from the source in the image given back."""
    changed_outside_raw: float | None = Field(default=None, ge=0.0, le=1.0)
    """The same for the raw output, resized to the source, by more than 2 of 255 in any channel."""
    shift_px: float | None = None
    """Largest displacement of a corner by the registration, in source pixels."""
    seam_delta_e: float | None = None
    region: tuple[Box, ...] = ()
    crop: Box | None = None
    """What the editor saw, if that was a part of the picture."""


class Finished(Record):
    """The image given back and what it rests on."""

    media: Media
    """Canonical pixels of the image given back."""
    preservation: Preservation
    notes: tuple[str, ...] = ()
