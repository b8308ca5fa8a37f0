"""Images as records: the hash and size; the bytes live in the image store."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from editplan.records.base import Box, Record, Sha256


class Media(Record):
    """One stored picture. `sha256` is the hash of its canonical bytes, so equal pixels have equal hashes."""

    sha256: Sha256
    kind: Literal["png", "svg"] = "png"
    width: int = Field(ge=1)
    height: int = Field(ge=1)

    @property
    def pixels(self) -> int:
        """Width times height."""
        return self.width * self.height


class PartRole(StrEnum):
    """What an image is for in a request or a call."""

    CANVAS = "canvas"
    REFERENCE = "reference"
    DEMO_IN = "demo_in"
    DEMO_OUT = "demo_out"
    CROP = "crop"
    DRAFT = "draft"
    OUTPUT = "output"


class Part(Record):
    """An image in its place: role, the label that is shown before it, and for a crop where it lies."""

    media: Media
    role: PartRole = PartRole.CANVAS
    label: str = ""
    box: Box | None = None
    """For a crop: its place in the image that it was cut from."""
