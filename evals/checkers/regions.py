"""Regions of an image as a JSON contract can carry them, and the masks they stand for.

Coordinates are normalised to the canonical source image; a `mask` is exact at the size it was drawn at. All
are small in JSON: a filled disc of 40 px takes about 300 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from editplan.records import Box, Record, Unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Mask = NDArray[np.bool_]


class BoxRegion(Record):
    """An upright rectangle."""

    shape: Literal["box"] = "box"
    box: Box


class PolygonRegion(Record):
    """A filled polygon, its outline included."""

    shape: Literal["polygon"] = "polygon"
    points: Annotated[tuple[tuple[Unit, Unit], ...], Field(min_length=3)]
    """Corners (x, y) in order; the last is joined to the first."""


class MaskRegion(Record):
    """An exact bit mask as run lengths in reading order; the first run is of unset pixels and may be 0."""

    shape: Literal["mask"] = "mask"
    width: Annotated[int, Field(ge=1)]
    height: Annotated[int, Field(ge=1)]
    runs: tuple[Annotated[int, Field(ge=0)], ...]

    @model_validator(mode="after")
    def _fills_the_image(self) -> MaskRegion:
        if sum(self.runs) != self.width * self.height:
            raise ValueError(
                f"the runs of a mask add up to {sum(self.runs)} pixels, not to "
                f"{self.width} x {self.height} = {self.width * self.height}"
            )
        return self


class UnionRegion(Record):
    """All pixels of any of its parts."""

    shape: Literal["union"] = "union"
    parts: Annotated[tuple[Region, ...], Field(min_length=1)]


Region = Annotated[BoxRegion | PolygonRegion | MaskRegion | UnionRegion, Field(discriminator="shape")]
"""Where something is: a box, a polygon, an exact mask, or a union of regions."""

UnionRegion.model_rebuild()


def mask_region(mask: Mask) -> MaskRegion:
    """The region that stands for a boolean mask (height, width); `region_mask` gives it back bit for bit."""
    import numpy as np

    height, width = mask.shape
    flat = np.concatenate([[False], mask.astype(bool).ravel()])
    starts = np.flatnonzero(np.diff(flat)) if flat.size > 1 else np.array([], dtype=np.int64)
    edges = np.concatenate([[0], starts, [height * width]])
    return MaskRegion(width=width, height=height, runs=tuple(int(run) for run in np.diff(edges)))


def box_region(box: Sequence[float]) -> BoxRegion:
    """The region of a normalised box [x1, y1, x2, y2]."""
    x1, y1, x2, y2 = box
    return BoxRegion(box=(x1, y1, x2, y2))


def region_mask(region: Region, height: int, width: int) -> Mask:
    """The boolean mask of `region` on an image of `height` x `width` pixels.

    A pixel belongs to a box where its centre lies inside; a box thinner than a pixel covers the pixel it
    touches. A `mask` that was drawn at another size is scaled without interpolation.
    """
    import cv2
    import numpy as np

    mask = np.zeros((height, width), dtype=bool)
    match region:
        case BoxRegion(box=(x1, y1, x2, y2)):
            left, right = _span(x1, x2, width)
            top, bottom = _span(y1, y2, height)
            mask[top:bottom, left:right] = True
        case PolygonRegion(points=points):
            corners = np.array([(x * width - 0.5, y * height - 0.5) for x, y in points])
            canvas = np.zeros((height, width), dtype=np.uint8)
            cv2.fillPoly(canvas, [np.rint(corners * 16).astype(np.int32)], 1, shift=4)
            mask = canvas.astype(bool)
        case MaskRegion():
            mask = _decoded(region)
            if mask.shape != (height, width):
                scaled = cv2.resize(mask.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
                mask = scaled.astype(bool)
        case UnionRegion(parts=parts):
            for part in parts:
                mask |= region_mask(part, height, width)
    return mask


def _span(low: float, high: float, size: int) -> tuple[int, int]:
    """First and one-past-last pixel whose centres lie between two normalised coordinates; never empty."""
    first = min(max(round(low * size), 0), size - 1)
    return first, min(max(round(high * size), first + 1), size)


def _decoded(region: MaskRegion) -> Mask:
    import numpy as np

    values = np.arange(len(region.runs)) % 2 == 1
    mask: Mask = np.repeat(values, region.runs).reshape(region.height, region.width)
    return mask
