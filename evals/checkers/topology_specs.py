"""Specs of shape and order in the plane: parts, holes, boxes, containment, order, connection.

They look at the output alone, at the pixels of one colour inside a region; OpenCV is all they need.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from editplan.evals.checkers.regions import Region
from editplan.evals.checkers.spec_types import Colour, Count, Pixels, Tolerance
from editplan.records import Box, Record, Unit

Direction = Literal["right", "left", "down", "up"]


class PartCount(Record):
    """A region holds so many connected parts of one colour, and (with `holes`) so many holes in them all together.

    Parts between half of `min_px` and `min_px` are uncertain and may make it abstain.
    """

    kind: Literal["part_count"] = "part_count"
    region: Region
    colour: Colour
    count: Count
    holes: Count | None = None
    tolerance: Tolerance = 15.0
    min_px: Annotated[int, Field(ge=1)] = 24


class BoxAt(Record):
    """What shows one colour in a region has this box around it (overlap of the boxes, IoU)."""

    kind: Literal["box_at"] = "box_at"
    region: Region
    colour: Colour
    box: Box
    tolerance: Tolerance = 15.0
    min_px: Annotated[int, Field(ge=1)] = 24
    pass_iou: Unit = 0.85
    partial_iou: Unit = 0.5


class Contained(Record):
    """What shows one colour in a region lies inside a place, or inside a closed outline of another colour."""

    kind: Literal["contained"] = "contained"
    region: Region
    colour: Colour
    place: Region | None = None
    outline: Colour | None = None
    """The colour of an outline that the output itself shows; an open one holds nothing."""
    tolerance: Tolerance = 15.0
    min_px: Annotated[int, Field(ge=1)] = 24
    pass_share: Unit = 0.98
    partial_share: Unit = 0.8

    @model_validator(mode="after")
    def _one_container(self) -> Contained:
        if (self.place is None) == (self.outline is None):
            raise ValueError("give either a place or the colour of an outline, and not both")
        return self


class Ordered(Record):
    """Parts of these colours follow each other in one direction, and no other part of these colours is there."""

    kind: Literal["ordered"] = "ordered"
    region: Region
    colours: Annotated[tuple[Colour, ...], Field(min_length=2)]
    """In the order of the direction; a colour may come several times."""
    direction: Direction = "right"
    tolerance: Tolerance = 15.0
    min_px: Annotated[int, Field(ge=1)] = 24


class Linked(Record):
    """Pixels of one colour join two places without a gap; with `linked=False` they must not."""

    kind: Literal["linked"] = "linked"
    start: Region
    end: Region
    colour: Colour
    free: Region | None = None
    """Where the link may run; what lies outside it links nothing. None: anywhere."""
    linked: bool = True
    gap_px: Pixels = 0
    """Gaps up to this length don't break the link."""
    reach_px: Pixels = 4
    """How near the link must come to its places."""
    tolerance: Tolerance = 20.0
