"""How pictures are shown to a judge: labelled, in order, and no larger than the protocol says."""

from __future__ import annotations

import io

from editplan.errors import JudgeError
from editplan.evals.judging import JudgeTask
from editplan.protocols import Images
from editplan.records import Media, Part, PartRole

JPEG_QUALITY = 90


def shown(media: Media, label: str, role: PartRole = PartRole.REFERENCE) -> Part:
    """A picture with its label."""
    return Part(media=media, role=role, label=label)


def output_of(task: JudgeTask) -> Media:
    """The picture to judge. Raises `JudgeError` where there is none."""
    if task.output is None:
        raise JudgeError("this recipe judges a picture, and the task has none")
    return task.output


def before_and_after(task: JudgeTask) -> tuple[Part, ...]:
    """The source pictures, numbered where there are several, then the edited one."""
    several = len(task.source) > 1
    sources = [
        shown(part.media, f"Source image {number}" if several else "Source image", PartRole.CANVAS)
        for number, part in enumerate(task.source, 1)
    ]
    return (*sources, shown(output_of(task), "Edited image", PartRole.OUTPUT))


def fitted(parts: tuple[Part, ...], images: Images, max_side_px: int, *, jpeg: bool = False) -> tuple[Part, ...]:
    """The parts with every larger picture scaled down; with `jpeg`, as they look after JPEG at quality 90."""
    return tuple(part.model_copy(update={"media": _fit(part.media, images, max_side_px, jpeg)}) for part in parts)


def _fit(media: Media, images: Images, max_side_px: int, jpeg: bool) -> Media:
    if max(media.width, media.height) <= max_side_px and not jpeg:
        return media
    picture = images[media.sha256].pil()
    picture.thumbnail((max_side_px, max_side_px))
    buffer = io.BytesIO()
    if jpeg:
        picture.save(buffer, format="JPEG", quality=JPEG_QUALITY)
    else:
        picture.save(buffer, format="PNG", compress_level=1)
    return images.add(buffer.getvalue())[0]
