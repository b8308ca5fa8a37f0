"""Specs that an instrument decides: a text reader, a detector or a segmenter (see `instruments`)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from editplan.evals.checkers.regions import Region
from editplan.evals.checkers.spec_types import Count
from editplan.records import Record, Unit

Label = Annotated[str, Field(min_length=1, pattern=r"\S")]


class TextReads(Record):
    """The writing in a region reads `text`, in any script that the reader knows.

    `exact` compares without spaces and, unless `match_case`, without case; `fuzzy` grades the share of characters
    that agree (1 - edit distance / length). Writing that the reader isn't sure of abstains.
    """

    kind: Literal["text_reads"] = "text_reads"
    region: Region
    text: Label
    match: Literal["exact", "fuzzy"] = "exact"
    match_case: bool = False
    pass_share: Unit = 0.9
    """Of a fuzzy match, as is `partial_share`."""
    partial_share: Unit = 0.6


class TextKept(Record):
    """The writing in a region reads as it does in the source (share of characters that agree)."""

    kind: Literal["text_kept"] = "text_kept"
    region: Region
    pass_share: Unit = 0.98
    partial_share: Unit = 0.8


class DetectedCount(Record):
    """A region holds so many things of a class; 0: none. Faint detections are uncertain and may make it abstain."""

    kind: Literal["detected_count"] = "detected_count"
    region: Region
    label: Label
    """A class of the detector's own list."""
    count: Count
    min_score: Unit = 0.5
    unsure_score: Unit = 0.25


class DetectedAt(Record):
    """A thing of a class stands where the region's box is (overlap of the boxes, IoU)."""

    kind: Literal["detected_at"] = "detected_at"
    region: Region
    label: Label
    min_score: Unit = 0.5
    unsure_score: Unit = 0.25
    pass_iou: Unit = 0.5
    partial_iou: Unit = 0.25


class SegmentKept(Record):
    """The thing in a region keeps its outline: its segment in the output overlaps the one in the source (IoU).

    A source in which the segmenter doesn't find the region's thing abstains.
    """

    kind: Literal["segment_kept"] = "segment_kept"
    region: Region
    pass_iou: Unit = 0.85
    partial_iou: Unit = 0.6


class SegmentAt(Record):
    """The output shows a thing of this shape there: its segment overlaps the shape (IoU)."""

    kind: Literal["segment_at"] = "segment_at"
    shape: Region
    pass_iou: Unit = 0.75
    partial_iou: Unit = 0.5
