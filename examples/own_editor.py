"""An editor of your own: any object with `id`, `capabilities` and an async `edit`.

This one paints the whole picture in the colour that the instruction names last. Give it to `EditAgent(editor=...)`,
or name it under the entry point group `editplan.editors`.
"""

from __future__ import annotations

import io

from PIL import Image, ImageColor

from editplan.errors import Refused
from editplan.protocols import Images
from editplan.records import Capabilities, Edited, EditJob


class Painter:
    """Makes exactly one attempt a call; it answers with an image, or raises one `CallFailure`."""

    id = "painter"
    capabilities = Capabilities(max_images=1, in_process=True)

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """Adds the new picture's bytes to `images` and returns its record."""
        words = (word.strip(".,!").lower() for word in reversed(job.instruction.split()))
        colour = next((word for word in words if word in ImageColor.colormap), None)
        if colour is None:
            raise Refused("the instruction names no colour", stage="input")
        source = images[job.parts[0].media.sha256].pil()
        buffer = io.BytesIO()
        Image.new("RGB", source.size, colour).save(buffer, format="PNG")
        media, raw, notes = images.add(buffer.getvalue())
        return Edited(media=(media,), raw=(raw,), model=self.id, notes=notes)
