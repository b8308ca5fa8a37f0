"""Typed check specs: what a contract asks code, not a model, to decide about one atom.

A spec says *what to measure where*; `editplan.evals.checkers` has one module a family that measures it.
Regions refer to the canonical source image, colours are `#rrggbb`, colour tolerances are CIE76 differences
(1 is just visible, 10 another shade), shares are of the pixels of the region named. Every spec describes the
positive criteria of its atom: pass, partial and fail follow from two marks; what can't be measured abstains.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from editplan.evals.checkers.model_specs import (
    DetectedAt,
    DetectedCount,
    SegmentAt,
    SegmentKept,
    TextKept,
    TextReads,
)
from editplan.evals.checkers.regions import Region
from editplan.evals.checkers.spec_types import Colour, Pixels, PositiveShare, Tolerance
from editplan.evals.checkers.topology_specs import BoxAt, Contained, Linked, Ordered, PartCount
from editplan.records import Record, Unit


class ColourAt(Record):
    """A region shows a colour: pass where `pass_share` of its pixels do, partial from `partial_share`."""

    kind: Literal["colour_at"] = "colour_at"
    region: Region
    colour: Colour
    tolerance: Tolerance = 12.0
    pass_share: Unit = 0.95
    partial_share: Unit = 0.5
    inset_px: Pixels = 2
    """The rim that is left out, for soft edges; a region that vanishes by it is taken whole."""


class SilhouetteKept(Record):
    """The object in a region keeps its outline, whatever its colour (overlap of before and after, IoU)."""

    kind: Literal["silhouette_kept"] = "silhouette_kept"
    region: Region
    tolerance: Tolerance = 12.0
    pass_iou: Unit = 0.9
    partial_iou: Unit = 0.7


class ObjectAt(Record):
    """The object of `source` stands with its centre in `destination` and looks the same."""

    kind: Literal["object_at"] = "object_at"
    source: Region
    destination: Region
    tolerance: Tolerance = 12.0
    pass_share: Unit = 0.9
    partial_share: Unit = 0.6


class ObjectAbsent(Record):
    """The object that the source shows in `source` is nowhere in `area` (default: not where it was)."""

    kind: Literal["object_absent"] = "object_absent"
    source: Region
    area: Region | None = None
    tolerance: Tolerance = 12.0
    pass_share: Unit = 0.2
    """Pass where at most this share of the object is still seen in one place, fail from `fail_share`."""
    fail_share: Unit = 0.6


class ObjectMoved(Record):
    """The object of `source` stands in `destination` and no longer where it was; a mere copy is partial."""

    kind: Literal["object_moved"] = "object_moved"
    source: Region
    destination: Region
    tolerance: Tolerance = 12.0
    pass_share: Unit = 0.9
    partial_share: Unit = 0.6


class ObjectCount(Record):
    """A region holds exactly `count` separate objects of one colour, each of about `area` of the image."""

    kind: Literal["object_count"] = "object_count"
    region: Region
    colour: Colour
    count: Annotated[int, Field(ge=0)]
    area: PositiveShare
    """Area of one object as a share of the image; blobs far off it are uncertain and may make it abstain."""
    tolerance: Tolerance = 15.0


class ShapeAt(Record):
    """A given shape in a given colour was drawn: exactly there, or (with `area`) anywhere inside `area`."""

    kind: Literal["shape_at"] = "shape_at"
    shape: Region
    colour: Colour
    area: Region | None = None
    tolerance: Tolerance = 15.0
    pass_iou: Unit = 0.8
    partial_iou: Unit = 0.5


class UnchangedOutside(Record):
    """Nothing changed outside a region, up to `margin_px` around it.

    The largest connected change and the sum of all changes are taken as shares of the image: pass up to both
    `pass_*` marks, fail from either `fail_*` mark, else partial.
    """

    kind: Literal["unchanged_outside"] = "unchanged_outside"
    region: Region
    margin_px: Pixels = 3
    tolerance: Tolerance = 8.0
    pass_blob: Unit = 0.0002
    fail_blob: Unit = 0.002
    pass_changed: Unit = 0.002
    fail_changed: Unit = 0.02


class SimilarOutside(Record):
    """Outside a region the output is a faithful rendering of the source: structure, colour and edges.

    For editors that redraw the whole picture, where no pixel is equal: masked SSIM (Wang et al. 2004), the mean
    CIE76 difference of softened pixels, and the share of strong edges that came or went. The worst of the three
    counts.
    """

    kind: Literal["similar_outside"] = "similar_outside"
    region: Region
    margin_px: Pixels = 3
    pass_ssim: Unit = 0.9
    fail_ssim: Unit = 0.7
    pass_delta_e: Tolerance = 3.0
    fail_delta_e: Tolerance = 8.0
    pass_edges: Unit = 0.1
    """Pass up to this share of edge pixels without a partner in the other picture."""
    fail_edges: Unit = 0.35


class UnchangedInside(Record):
    """Nothing changed inside a region; shares are of that region's pixels."""

    kind: Literal["unchanged_inside"] = "unchanged_inside"
    region: Region
    inset_px: Pixels = 1
    tolerance: Tolerance = 8.0
    pass_changed: Unit = 0.02
    fail_changed: Unit = 0.2


class NoResidue(Record):
    """A vacated region looks like its surroundings: no ghost, outline or patch is left."""

    kind: Literal["no_residue"] = "no_residue"
    region: Region
    background: Colour | None = None
    """The colour that must show; None: that of the ring around the region in the source."""
    tolerance: Tolerance = 10.0
    pass_share: Unit = 0.98
    partial_share: Unit = 0.85


class TextEquals(Record):
    """The writing in a region reads exactly `text`; unreadable ink, or signs but 0-9 and A-Z, abstains."""

    kind: Literal["text_equals"] = "text_equals"
    region: Region
    text: Annotated[str, Field(min_length=1)]
    """Compared without spaces, capitals only."""


class RegionMarked(Record):
    """A new mark (ring, frame, cross, filled patch) singles out a region and none of `others`."""

    kind: Literal["region_marked"] = "region_marked"
    region: Region
    others: tuple[Region, ...] = ()
    colour: Colour | None = None
    """The mark's colour; another colour is partial."""
    tolerance: Tolerance = 20.0


class PathConnects(Record):
    """A newly drawn line joins `start` to `end` without a gap and stays inside `free`."""

    kind: Literal["path_connects"] = "path_connects"
    start: Region
    end: Region
    free: Region
    colour: Colour | None = None
    tolerance: Tolerance = 20.0
    gap_px: Pixels = 0
    """Gaps up to this length don't break the line."""
    pass_outside: Unit = 0.01
    fail_outside: Unit = 0.08
    """Shares of the line's pixels that may run over walls."""


class ColourEven(Record):
    """A region is filled evenly: the spread (mean CIE76 distance from its median colour) is small."""

    kind: Literal["colour_even"] = "colour_even"
    region: Region
    inset_px: Pixels = 2
    pass_spread: Tolerance = 5.0
    fail_spread: Tolerance = 12.0


class CanvasKept(Record):
    """The output has the source's size: another size of the same aspect is partial, another aspect fails."""

    kind: Literal["canvas_kept"] = "canvas_kept"
    aspect_tolerance: Unit = 0.01


class AnyOf(Record):
    """At least one alternative holds (several admissible solutions): the best verdict counts."""

    kind: Literal["any_of"] = "any_of"
    checks: Annotated[tuple[CheckSpec, ...], Field(min_length=1)]


class AllOf(Record):
    """All parts hold: the worst verdict counts; one fail decides, else one abstention makes it abstain."""

    kind: Literal["all_of"] = "all_of"
    checks: Annotated[tuple[CheckSpec, ...], Field(min_length=1)]


CheckSpec = Annotated[
    ColourAt
    | ColourEven
    | SilhouetteKept
    | ObjectAt
    | ObjectAbsent
    | ObjectMoved
    | ObjectCount
    | ShapeAt
    | UnchangedOutside
    | UnchangedInside
    | NoResidue
    | TextEquals
    | RegionMarked
    | PathConnects
    | CanvasKept
    | SimilarOutside
    | PartCount
    | BoxAt
    | Contained
    | Ordered
    | Linked
    | TextReads
    | TextKept
    | DetectedCount
    | DetectedAt
    | SegmentKept
    | SegmentAt
    | AnyOf
    | AllOf,
    Field(discriminator="kind"),
]
"""Any check, told apart by `kind`."""

AnyOf.model_rebuild()
AllOf.model_rebuild()
