"""Pictures of a report: copied into its folder, large ones scaled down, so that the folder can be sent by itself."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from editplan.errors import ImageError, StoreError
from editplan.evals.report.markup import Html, element
from editplan.evals.store import write_bytes_durably
from editplan.records import Box, Media, Part
from editplan.store import ImageStore

LONG_SIDE_PX = 640
"""Larger pictures are shown scaled down to this."""


class Pictures:
    """Copies what a page shows and writes its `<img>`."""

    def __init__(self, images: ImageStore, folder: Path) -> None:
        self._images = images
        self._folder = folder

    def show(self, media: Media, alternative: str) -> Html:
        """The `<img>` of a stored picture, loaded when it comes into view."""
        try:
            name = self._copy(media)
        except (StoreError, ImageError) as error:
            return element("p", {"class": "missing"}, f"picture {media.sha256[:12]} can't be shown: {error}")
        return element(
            "img",
            {
                "src": f"images/{name}",
                "alt": alternative,
                "width": media.width,
                "height": media.height,
                "loading": "lazy",
                "decoding": "async",
            },
        )

    def _copy(self, media: Media) -> str:
        small = media.kind == "svg" or max(media.width, media.height) <= LONG_SIDE_PX
        name = f"{media.sha256[:20]}.{media.kind if small else 'webp'}"
        target = self._folder / "images" / name
        if not target.exists():
            data = self._images.read(media.sha256)
            write_bytes_durably(target, data if small else _scaled_down(data))
        return name


def _scaled_down(data: bytes) -> bytes:
    import PIL.Image

    picture = PIL.Image.open(io.BytesIO(data)).convert("RGB")
    picture.thumbnail((LONG_SIDE_PX, LONG_SIDE_PX))
    buffer = io.BytesIO()
    picture.save(buffer, format="WEBP", quality=85)
    return buffer.getvalue()


def with_boxes(picture: Html, media: Media, boxes: Sequence[tuple[str, Box]]) -> Html:
    """A picture with labelled, normalised boxes drawn over it as SVG."""
    if not boxes:
        return picture
    scale = max(media.width, media.height) / 30.0
    drawn = [_drawn(label, box, media, scale) for label, box in boxes]
    view = {"viewBox": f"0 0 {media.width} {media.height}", "class": "boxes", "aria-hidden": "true"}
    return element("div", {"class": "boxed"}, picture, element("svg", view, *drawn))


def _drawn(label: str, box: Box, media: Media, scale: float) -> Html:
    x1, y1, x2, y2 = box[0] * media.width, box[1] * media.height, box[2] * media.width, box[3] * media.height
    frame = {"x": f"{x1:.1f}", "y": f"{y1:.1f}", "width": f"{x2 - x1:.1f}", "height": f"{y2 - y1:.1f}"}
    above = y1 - 0.3 * scale if y1 > 1.4 * scale else y1 + 1.1 * scale
    place = {"x": f"{x1 + 0.2 * scale:.1f}", "y": f"{above:.1f}", "font-size": f"{scale:.1f}"}
    return element("g", {}, element("rect", frame), element("text", place, label))


def labelled(part: Part, number: int) -> str:
    """What a source picture is called."""
    return part.label or f"Image {number}"
