"""From bytes that an editor answered with to `Edited`; shared by all adapters."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Sequence
from typing import Any

from editplan.errors import BadReply
from editplan.protocols import Images
from editplan.records import Edited, EditJob, Usage


def decode_base64(text: str) -> bytes:
    """Standard or URL-safe base64, with or without a data-URL head. Raises `BadReply` for anything else."""
    body = text.partition(",")[2] if text.startswith("data:") else text
    try:
        return base64.b64decode(body.translate(str.maketrans("-_", "+/")) + "=" * (-len(body) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadReply(f"the image data is no base64 ({error})", kind="bad_image") from error


async def kept(blobs: Sequence[bytes], job: EditJob, images: Images, **said: Any) -> Edited:
    """`edited`, beside the event loop: decoding and storing large pictures holds no other request up."""
    return await asyncio.to_thread(edited, blobs, job, images, **said)


def edited(blobs: Sequence[bytes], job: EditJob, images: Images, **said: Any) -> Edited:
    """Keeps the answered images; what was changed to make them canonical, and another size than asked, is noted.

    Raises `BadReply` for no image and `ImageError` for one that doesn't decode.
    """
    if not blobs:
        raise BadReply("the answer holds no image", kind="no_image")
    kept = [images.add(blob) for blob in blobs]
    notes = [note for _, _, changes in kept for note in changes]
    first = kept[0][0]
    if job.size is not None and (first.width, first.height) != job.size:
        notes.append(f"asked for {job.size[0]} × {job.size[1]}, got {first.width} × {first.height}")
    usage: Usage = said.pop("usage", Usage())
    return Edited(
        media=tuple(media for media, _, _ in kept),
        raw=tuple(raw for _, raw, _ in kept),
        usage=usage.model_copy(update={"images_out": len(kept)}),
        notes=(*said.pop("notes", ()), *notes),
        **said,
    )
