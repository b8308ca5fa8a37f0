"""The label that stands before each image of an ask; the numbers are what a model's answer refers to."""

from __future__ import annotations

import re

from editplan.planner.reading import Frame
from editplan.protocols import VisionModel
from editplan.records import Box, EditRequest, Media, Part, PartRole, Record

_NAMES = {PartRole.CANVAS: "", PartRole.REFERENCE: "reference", PartRole.DRAFT: "draft", PartRole.OUTPUT: "output"}


class Crop(Record):
    """A cut-out that Resolve sees beside the images."""

    media: Media
    image: int
    """1-based number of the image that it was cut from."""
    query_id: str
    box: Box
    """Its place in that image, as cut."""
    query: str = ""


def labelled(request: EditRequest, crops: tuple[Crop, ...] = (), results: tuple[Part, ...] = ()) -> tuple[Part, ...]:
    """The request's images, numbered in order, then crops, then results whose labels say what they are."""
    parts = [_numbered(number, part, request) for number, part in enumerate(request.parts, 1)]
    for crop in crops:
        label = f"Image {len(parts) + 1}: {crop_label(crop)}"
        parts.append(Part(media=crop.media, role=PartRole.CROP, label=label, box=crop.box))
    for part in results:
        parts.append(part.model_copy(update={"label": f"Image {len(parts) + 1}: {part.label}"}))
    return tuple(parts)


def crop_label(crop: Crop) -> str:
    """What a crop is and where it lies, in per cent of the image that it was cut from."""
    left, top, right, bottom = (100.0 * each for each in crop.box)
    return (
        f"crop of image {crop.image} (query {crop.query_id}), "
        f"left {left:.2f}-{right:.2f}%, top {top:.2f}-{bottom:.2f}%"
    )


def frames(parts: tuple[Part, ...], crops: tuple[Crop, ...], model: VisionModel) -> tuple[Frame, ...]:
    """How boxes in the answer to an ask with these images are read, in the order of the images."""
    cut = {crop.media.sha256: crop for crop in crops}
    return tuple(_frame(number, part, cut, model) for number, part in enumerate(parts, 1))


def _frame(number: int, part: Part, cut: dict[str, Crop], model: VisionModel) -> Frame:
    crop = cut.get(part.media.sha256) if part.role is PartRole.CROP else None
    size = _size(part.media, model)
    if crop is None:
        return Frame(image=number, size=size)
    return Frame(image=crop.image, size=size, box=crop.box, query_id=crop.query_id)


def _size(media: Media, model: VisionModel) -> tuple[int, int]:
    sent = getattr(model, "sent_size", None)
    if callable(sent):
        width, height = sent(media)
        return int(width), int(height)
    return media.width, media.height


def _numbered(number: int, part: Part, request: EditRequest) -> Part:
    name = re.sub(rf"^\s*image\s+{number}\s*:?\s*", "", " ".join(part.label.split()), flags=re.IGNORECASE)
    if not name:
        name = _demo(number, request) or _NAMES.get(part.role, "")
    return part.model_copy(update={"label": f"Image {number}" + (f": {name}" if name else "")})


def _demo(number: int, request: EditRequest) -> str:
    """ "example 1 input" for the images of demonstration pairs."""
    part = request.parts[number - 1]
    if part.role not in (PartRole.DEMO_IN, PartRole.DEMO_OUT):
        return ""
    pair = sum(1 for each in request.parts[:number] if each.role is part.role)
    return f"example {pair} {'input' if part.role is PartRole.DEMO_IN else 'output'}"
