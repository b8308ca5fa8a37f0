"""Cuts out what Inspect asks for: grown to a readable size and shape, small cut-outs enlarged."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING

from editplan.planner.labels import Crop
from editplan.protocols import Images
from editplan.records import Box, EditRequest, VisualQuery

if TYPE_CHECKING:
    from PIL.Image import Image

MARGIN = 0.15
"""Context on each side, as a share of the box's side."""
LEAST_SIDE_PX = 64
LONGEST_RATIO = 20
ENLARGE_TO_PX = 512
"""Cut-outs are enlarged by a whole factor up to this longer side."""


def cut(request: EditRequest, queries: tuple[VisualQuery, ...], images: Images, most: int) -> tuple[Crop, ...]:
    """The crops of the first `most` queries, stored in `images`; queries for images that aren't there are skipped."""
    crops = []
    for query in queries[:most]:
        if query.image > len(request.parts) or request.parts[query.image - 1].media.kind != "png":
            continue
        picture = images[request.parts[query.image - 1].media.sha256].pil()
        place = grown(query.bbox, picture.width, picture.height)
        media, _, _ = images.add(_png(enlarged(picture.crop(place))))
        box = _normalised(place, picture.width, picture.height)
        crops.append(Crop(media=media, image=query.image, query_id=query.query_id, box=box, query=query.query))
    return tuple(crops)


def tiles(request: EditRequest, images: Images, *, columns: int = 3, rows: int = 2) -> tuple[Crop, ...]:
    """Fixed tiles of the first image in reading order, handled as crops are."""
    boxes = [
        (column / columns, row / rows, (column + 1) / columns, (row + 1) / rows)
        for row in range(rows)
        for column in range(columns)
    ]
    queries = tuple(VisualQuery(query_id=f"t{number}", bbox=box) for number, box in enumerate(boxes, 1))
    return cut(request, queries, images, len(queries))


def grown(box: Box, width: int, height: int) -> tuple[int, int, int, int]:
    """(left, top, right, bottom) in pixels: the box with margin, no side under 64 px, no ratio over 20:1.

    Grows about the box's centre and is shifted to lie inside the image; an image that is smaller itself bounds it.
    """
    left, right = box[0] * width, box[2] * width
    top, bottom = box[1] * height, box[3] * height
    wide = max((right - left) * (1 + 2 * MARGIN), LEAST_SIDE_PX)
    high = max((bottom - top) * (1 + 2 * MARGIN), LEAST_SIDE_PX)
    wide, high = min(wide, float(width)), min(high, float(height))
    wide, high = max(wide, high / LONGEST_RATIO), max(high, wide / LONGEST_RATIO)
    x1, x2 = _placed((left + right) / 2, wide, width)
    y1, y2 = _placed((top + bottom) / 2, high, height)
    return x1, y1, x2, y2


def enlarged(picture: Image) -> Image:
    """The picture, scaled up by a whole factor if it is small; flat drawings keep their colours."""
    import PIL.Image

    factor = ENLARGE_TO_PX // max(picture.size)
    if factor < 2:
        return picture
    flat = picture.getcolors(256) is not None
    method = PIL.Image.Resampling.NEAREST if flat else PIL.Image.Resampling.BICUBIC
    return picture.resize((picture.width * factor, picture.height * factor), method)


def _placed(centre: float, length: float, limit: int) -> tuple[int, int]:
    """Whole pixels of a span of at least `length` about `centre`, shifted into 0..limit."""
    size = min(limit, math.ceil(length))
    start = min(max(0, round(centre - size / 2)), limit - size)
    return start, start + size


def _normalised(place: tuple[int, int, int, int], width: int, height: int) -> Box:
    return (place[0] / width, place[1] / height, place[2] / width, place[3] / height)


def _png(picture: Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG", compress_level=1)
    return buffer.getvalue()
