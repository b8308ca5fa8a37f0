"""The adapter: `embedded:raster`, a frozen editor that needs no network."""

from __future__ import annotations

import asyncio
import io
from typing import Any, Literal

from editplan.editors.answers import edited
from editplan.editors.base import Editor
from editplan.errors import Refused, SpecError, Unsupported
from editplan.protocols import Images
from editplan.records import Capabilities, Edited, EditJob, Record, Usage
from editplan.specs import ModelSpec, read_options

MAX_IMAGES = 16
"""The first is drawn on; the others are references that a program can't use, and a note says so."""

VERSION = 2
"""Goes up with every change of what comes out for some input."""


class RasterOptions(Record):
    """Options of the spec."""

    unparsed: Literal["refuse", "literal"] = "literal"
    """What becomes of a clause that can't be parsed or grounded: the whole job is refused, or its understood words
    are carried out on their best match."""


class RasterEditor:
    """Carries out explicit instructions by the grammar of docs/raster-grammar.md; it doesn't reason and isn't
    learned."""

    def __init__(self, options: RasterOptions | None = None) -> None:
        self._options = options or RasterOptions()
        self.id = f"embedded:raster?unparsed={self._options.unparsed}#v{VERSION}"
        self.endpoint = "embedded:raster"
        self.capabilities = Capabilities(max_images=MAX_IMAGES, in_process=True)

    def manifest(self) -> dict[str, Any]:
        """Version and options."""
        return {"version": VERSION, **self._options.model_dump(mode="json")}

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """Edit the first picture.

        Raises:
            Unsupported: no picture, or a mask.
            Refused: a clause could not be parsed or grounded (stage "input"; the reason names it).
        """
        if not job.parts or job.mask is not None:
            what = "a mask" if job.mask is not None else "no picture"
            raise Unsupported(f"embedded:raster draws on a picture and takes no mask; the job has {what}")
        handle = images[job.parts[0].media.sha256]
        blob, notes = await asyncio.to_thread(self._drawn, handle.array(), job.instruction)
        if len(job.parts) > 1:
            notes = (*notes, f"drawn on the first image; {len(job.parts) - 1} more were not looked at")
        usage = Usage(images_in=1, image_pixels=job.parts[0].media.pixels)
        return edited([blob], job, images, model=self.id, usage=usage, notes=notes)

    def _drawn(self, source: Any, instruction: str) -> tuple[bytes, tuple[str, ...]]:
        from PIL import Image

        from editplan.editors.raster.program import carry_out

        result = carry_out(source, instruction, unparsed=self._options.unparsed)
        if result.image is None:
            refusal = result.refusal
            assert refusal is not None, "a result without a picture has a refusal"
            raise Refused(f"{refusal.clause!r}: {refusal.reason}", category=refusal.category, stage="input")
        blob = io.BytesIO()
        Image.fromarray(result.image).save(blob, format="PNG", compress_level=1)
        return blob.getvalue(), result.notes


def build(spec: ModelSpec) -> Editor:
    """The editor of the spec `embedded:raster[?unparsed=refuse|literal]`."""
    if spec.model != "raster" or spec.base_url:
        raise SpecError(f"spec {str(spec)!r}: the embedded editor is 'embedded:raster', and has no base URL")
    return RasterEditor(read_options(spec, RasterOptions))
