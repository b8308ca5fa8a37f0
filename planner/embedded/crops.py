"""Where to look closer: at most six boxes that show given regions at the resolution of the file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from editplan.pixels.geometry import PixelBox
from editplan.planner.embedded.places import around
from editplan.planner.embedded.view import View
from editplan.records import Box, VisualQuery

MAX_QUERIES = 6
_CONTEXT = 0.15
"""Crops come back with about this share of their side as context on each side, so less is asked for."""
_MARGIN = 0.015
"""Of the picture's longer side around each region."""
_OVERLAP_PX = 4


@dataclass(frozen=True)
class _Spans:
    """Tiles along one axis, in pixels of the file."""

    starts: tuple[int, ...]
    length: int
    whole: int


def queries(view: View, boxes: Sequence[PixelBox], variable: str, question: str) -> tuple[VisualQuery, ...]:
    """Crops that cover boxes of the view's canvas, none where one look already shows every pixel.

    A tile is no longer than what is seen without loss, unless the picture is too large for six such tiles.
    """
    if not boxes or view.source.scale >= 1:
        return ()
    return tuple(
        VisualQuery(query_id=f"q{number}", variable=variable, image=view.source.number, bbox=box, query=question)
        for number, box in enumerate(_tiles(view, boxes), start=1)
    )


def whole_region(boxes: Sequence[PixelBox]) -> tuple[PixelBox, ...]:
    """One box around all, for crops that must leave no gap between the boxes."""
    return (around(boxes),) if boxes else ()


def _tiles(view: View, boxes: Sequence[PixelBox]) -> list[Box]:
    """Tiles over the boxes in reading order; a tile that no box touches is left out."""
    parts = [_in_file(box, view) for box in boxes]
    whole = around(parts)
    (across, down), limit = _division(view, whole)
    columns = _spans(whole[0], whole[2], across, limit, view.source.size[0])
    rows = _spans(whole[1], whole[3], down, limit, view.source.size[1])
    tiles = []
    for top in rows.starts:
        for left in columns.starts:
            right, bottom = left + columns.length, top + rows.length
            if any(left < p[2] and p[0] < right and top < p[3] and p[1] < bottom for p in parts):
                x1, x2 = _asked(left, columns)
                y1, y2 = _asked(top, rows)
                tiles.append((x1, y1, x2, y2))
    return tiles


def _division(view: View, whole: PixelBox) -> tuple[tuple[int, int], int]:
    """How many tiles across and down, as many as sharp sight needs if six are enough; and their longest side."""
    limit = max(view.source.picture.shape[:2])
    wide, high = whole[2] - whole[0], whole[3] - whole[1]
    across, down = math.ceil(wide / limit), math.ceil(high / limit)
    if across * down <= MAX_QUERIES:
        return (across, down), limit
    options = [(x, y) for x in range(1, 7) for y in range(1, 7) if x * y <= MAX_QUERIES]
    best = min(options, key=lambda xy: (max(wide / xy[0], high / xy[1]), xy[0] * xy[1]))
    return best, max(view.source.size)


def _spans(start: int, stop: int, count: int, limit: int, whole: int) -> _Spans:
    """Equal spans from start to stop that overlap a little where the limit allows it."""
    length = min(limit, math.ceil((stop - start) / count) + _OVERLAP_PX, whole)
    last = max(0, stop - length)
    first = min(start, last)
    starts = [round(first + (last - first) * number / max(1, count - 1)) for number in range(count)]
    return _Spans(tuple(starts), length, whole)


def _asked(start: int, spans: _Spans) -> tuple[float, float]:
    """The span to ask for, so that with its context it is the one that is wanted."""
    centre = start + spans.length / 2
    half = (spans.length - 0.5) / (1 + 2 * _CONTEXT) / 2
    low, high = (centre - half) / spans.whole, (centre + half) / spans.whole
    return round(max(0.0, low), 5), round(min(1.0, high), 5)


def _in_file(box: PixelBox, view: View) -> PixelBox:
    """A box of the canvas in pixels of the file, with some room around it."""
    (width, height), (seen_width, seen_height) = view.source.size, view.size
    room = _MARGIN * max(width, height)
    return (
        max(0, math.floor(box[0] * width / seen_width - room)),
        max(0, math.floor(box[1] * height / seen_height - room)),
        min(width, math.ceil(box[2] * width / seen_width + room)),
        min(height, math.ceil(box[3] * height / seen_height + room)),
    )
