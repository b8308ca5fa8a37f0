"""`diffusers:<folder>`: an image editing pipeline of diffusers from a local folder, in this process."""

from __future__ import annotations

import io
from typing import Any

from editplan.editors.answers import edited
from editplan.editors.diffusers_families import (
    FAMILIES,
    DiffusersOptions,
    arguments,
    images_taken,
    prepared,
    settings_for,
)
from editplan.editors.diffusers_folder import EXTRA, ModelFolder, library_versions, read_folder, require_extra
from editplan.editors.diffusers_runtime import Placement, generator, pipeline_at, place
from editplan.editors.diffusers_sizes import Size, asked_size, parse_size, size_for
from editplan.errors import Unsupported
from editplan.protocols import Editor, Images
from editplan.records import Capabilities, Edited, EditJob, Media, PartRole, Usage
from editplan.specs import ModelSpec, read_options


class DiffusersEditor:
    """A frozen pipeline; the class in the folder's `model_index.json` decides how it is called."""

    def __init__(self, folder: ModelFolder, options: DiffusersOptions, placement: Placement) -> None:
        self._folder = folder
        self._family = FAMILIES[folder.pipeline]
        self._settings = settings_for(folder, options)
        self._size = parse_size(options.size)
        self._placement = placement
        self.capabilities = Capabilities(
            max_images=images_taken(self._family, options), sizes=True, seed=True, in_process=True
        )
        self.id = local_id("diffusers", placement, folder, {**self._settings.model_dump(), "size": options.size})
        self.endpoint = f"diffusers:{folder.path}@{placement.device}"

    def manifest(self) -> dict[str, Any]:
        """The folder's content, all parameters with their defaults, the libraries, and what is switched off."""
        return {
            **local_manifest(self._folder, self._placement),
            **self._settings.model_dump(mode="json"),
            "size": "x".join(map(str, self._size)) if self._size else self._family.law.value,
            "max_images": self.capabilities.max_images,
            "provider_rewriting": dict.fromkeys(self._family.off) or "none",
        }

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """One generation.

        Raises:
            Unsupported: no image, too many of them, a mask, or a shape that the class refuses.
            Rejected: the folder can't be loaded, or the pipeline refuses the call.
        """
        check_job(job, self.capabilities)
        canvas = canvas_of(job)
        size = self._wanted(job, canvas)
        pictures = [prepared(self._family, images[part.media.sha256].pil()) for part in job.parts]
        call = arguments(self._family, self._settings, pictures, job.instruction, size)

        def work(pipeline: Any) -> bytes:
            (picture,) = pipeline(**call, generator=generator(job.seed), output_type="pil").images
            return png(picture)

        blob = await pipeline_at(self._placement).run(work)
        usage = Usage(images_in=len(pictures), image_pixels=sum(part.media.pixels for part in job.parts))
        notes = () if size == (canvas.width, canvas.height) else (f"made at {size[0]} × {size[1]}",)
        return edited([blob], job, images, model=self._folder.model, usage=usage, notes=notes)

    def _wanted(self, job: EditJob, canvas: Media) -> Size:
        if job.size is not None:
            return asked_size(job.size)
        return self._size or size_for(self._family.law, (canvas.width, canvas.height))


def canvas_of(job: EditJob) -> Media:
    """The picture to edit: the first part that is a canvas, else the first."""
    return next((part.media for part in job.parts if part.role is PartRole.CANVAS), job.parts[0].media)


def check_job(job: EditJob, can: Capabilities) -> None:
    """Raises `Unsupported` for a job outside of what local pipelines take."""
    if not job.parts:
        raise Unsupported("a local pipeline edits images, the job has none")
    if len(job.parts) > can.max_images:
        raise Unsupported(f"this pipeline takes {can.max_images} image(s), the job has {len(job.parts)}")
    if job.mask is not None:
        raise Unsupported("a local pipeline takes no mask: leave it out or choose another editor")


def png(picture: Any) -> bytes:
    """A PIL picture as a PNG file."""
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG", compress_level=1)
    return buffer.getvalue()


def local_id(provider: str, placement: Placement, folder: ModelFolder, settings: dict[str, Any]) -> str:
    """Names everything that can change an output: the folder's content and each parameter, defaults filled in."""
    given = {**settings, "device": placement.device, "dtype": placement.dtype}
    options = tuple(sorted((name, f"{value}") for name, value in given.items() if value is not None))
    return f"{ModelSpec(provider=provider, model=folder.path.name, options=options)}#{folder.fingerprint[:12]}"


def local_manifest(folder: ModelFolder, placement: Placement) -> dict[str, Any]:
    """What all local pipelines declare."""
    return {
        "pipeline": folder.pipeline,
        "folder": folder.path.name,
        "model_index_sha256": folder.index_sha256,
        "content_sha256": folder.fingerprint,
        "device": placement.device,
        "dtype": placement.dtype,
        "offload": placement.offload,
        "libraries": library_versions(),
        "seed": "torch.Generator on the CPU",
    }


def build(spec: ModelSpec) -> Editor:
    """The editor of a spec `diffusers:<folder>[?key=value]`; weights are loaded at the first generation."""
    options = read_options(spec, DiffusersOptions)
    folder = read_folder(spec.model, tuple(FAMILIES))
    settings_for(folder, options)
    require_extra((*EXTRA, *FAMILIES[folder.pipeline].needs))
    return DiffusersEditor(folder, options, place(folder, options))
