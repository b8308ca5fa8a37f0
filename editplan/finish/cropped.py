"""An editor that sees only a window of the first picture: a large picture is edited at its own resolution."""

from __future__ import annotations

import asyncio
from typing import Any

from editplan.finish.crop import Crop
from editplan.images import encode_png
from editplan.protocols import Editor, Images, manifest_of
from editplan.records import Capabilities, Edited, EditJob, Media


class CroppedEditor:
    """Wraps an editor; its answer is the edited window, to be put back into the picture by Finish."""

    def __init__(self, editor: Editor, crop: Crop) -> None:
        self.id = f"{editor.id}#crop={crop.left},{crop.top},{crop.right},{crop.bottom}"
        self.capabilities: Capabilities = editor.capabilities
        self.endpoint = str(getattr(editor, "endpoint", editor.id))
        self.timeout_s: float | None = getattr(editor, "timeout_s", None)
        self.window_px = crop.size
        """What its answers are compared with, instead of the whole picture."""
        self._editor = editor
        self._crop = crop

    def manifest(self) -> dict[str, Any]:
        """The wrapped editor's, and the window."""
        crop = self._crop
        return {**manifest_of(self._editor), "crop_px": [crop.left, crop.top, crop.right, crop.bottom]}

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """One attempt of the wrapped editor, with the window in place of the first picture."""
        canvas, *others = job.parts
        media = await asyncio.to_thread(self._cut, canvas.media, images)
        place = self._crop.box(canvas.media.width, canvas.media.height)
        mask = None if job.mask is None else await asyncio.to_thread(self._cut, job.mask, images)
        part = canvas.model_copy(update={"media": media, "box": place})
        sent = job.model_copy(update={"parts": (part, *others), "mask": mask})
        return await self._editor.edit(sent, images)

    def _cut(self, media: Media, images: Images) -> Media:
        picture = images[media.sha256].pil().crop(self._crop.corners)
        return images.add(encode_png(picture))[0]
