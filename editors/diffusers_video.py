"""`diffusers-video:<folder>`: an image-to-video pipeline of diffusers whose last frame is the edited image."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from editplan.editors.answers import edited
from editplan.editors.clips import write_clip
from editplan.editors.diffusers import check_job, local_id, local_manifest, png
from editplan.editors.diffusers_folder import EXTRA, ModelFolder, read_folder, require_extra
from editplan.editors.diffusers_padding import Fitted, fit, pad, settled_bucket, size_within, unpad
from editplan.editors.diffusers_runtime import Placement, PlacementOptions, generator, pipeline_at, place
from editplan.editors.diffusers_sizes import Size, parse_size
from editplan.errors import SpecError
from editplan.protocols import Editor, Images
from editplan.records import Capabilities, Edited, EditJob, Record, Usage, digest
from editplan.specs import ModelSpec, read_options

if TYPE_CHECKING:
    from PIL.Image import Image

_TEMPORAL = 4
"""Both autoencoders hold the first frame alone and then four frames in one: 4k+1 frames."""
_SETTINGS = ("steps", "frames", "guidance", "negative_prompt")


class VideoOptions(PlacementOptions):
    """Spec keys of `diffusers-video:`; None = the pipeline's own default."""

    steps: int | None = Field(default=None, ge=1)
    frames: int | None = Field(default=None, ge=1)
    guidance: float | None = Field(default=None, ge=0)
    negative_prompt: str | None = None
    size: str = "source"
    """WxH of the frame where the class has free sizes."""
    keep_clip: Path | None = None
    """A folder to write each clip to."""


class VideoSettings(Record):
    """All parameters of a clip, defaults filled in."""

    steps: int
    frames: int
    guidance: float | None = None
    negative_prompt: str | None = None


class VideoFamily(Record):
    """One pipeline class."""

    pipeline: str
    takes: tuple[str, ...]
    settings: VideoSettings
    fps: float
    """What the model was trained at; used for the clip that is kept."""
    pixels: int | None = None
    """Of a frame, where the class has free sizes; None where it picks a bucket itself."""
    needs: tuple[str, ...] = ()
    rewriting: str = "none"


VIDEO_FAMILIES = {
    family.pipeline: family
    for family in (
        VideoFamily(
            pipeline="HunyuanVideo15ImageToVideoPipeline",
            takes=("steps", "frames", "negative_prompt"),
            settings=VideoSettings(steps=50, frames=121),
            fps=24.0,
        ),
        VideoFamily(
            pipeline="WanImageToVideoPipeline",
            takes=_SETTINGS,
            settings=VideoSettings(steps=50, frames=81, guidance=5.0),
            fps=16.0,
            pixels=480 * 832,
            needs=("ftfy",),
            rewriting="ftfy repairs the instruction's characters, HTML entities and runs of spaces are resolved",
        ),
    )
}


def video_settings(family: VideoFamily, options: VideoOptions) -> VideoSettings:
    """Defaults with the spec's keys over them. Raises `SpecError` for a key or a value that the class can't take."""
    given = {name: getattr(options, name) for name in _SETTINGS if getattr(options, name) is not None}
    refused = sorted(set(given) - set(family.takes))
    if refused:
        raise SpecError(f"{family.pipeline} takes no {refused[0]}; it takes: {', '.join(family.takes)}")
    settings = family.settings.model_copy(update=given)
    if settings.frames % _TEMPORAL != 1:
        near = max(1, settings.frames // _TEMPORAL * _TEMPORAL + 1)
        raise SpecError(f"frames={settings.frames}: {family.pipeline} makes 4k+1 frames, for instance {near}")
    if family.pixels is None and options.size != "source":
        raise SpecError(f"{family.pipeline} takes no size: it picks one of its buckets by the source's shape")
    return settings


class DiffusersVideoEditor:
    """A frozen pipeline: the source padded to the model's frame, a clip, its last frame un-padded.

    The frame is taken from memory, never from a clip that was encoded.
    """

    def __init__(self, folder: ModelFolder, options: VideoOptions, placement: Placement) -> None:
        self._folder = folder
        self._family = VIDEO_FAMILIES[folder.pipeline]
        self._settings = video_settings(self._family, options)
        self._size = parse_size(options.size)
        self._keep_clip = options.keep_clip
        self._placement = placement
        self.capabilities = Capabilities(max_images=1, seed=True, in_process=True)
        named = {**self._settings.model_dump(), "size": options.size}
        self.id = local_id("diffusers-video", placement, folder, named)
        self.endpoint = f"diffusers-video:{folder.path}@{placement.device}"

    def manifest(self) -> dict[str, Any]:
        """The folder's content, all parameters with their defaults, and the libraries."""
        frame = "x".join(map(str, self._size)) if self._size else "the source's shape, padded to the model's frame"
        return {
            **local_manifest(self._folder, self._placement),
            **self._settings.model_dump(mode="json"),
            "size": frame,
            "answer": "the last frame from memory, un-padded",
            "provider_rewriting": self._family.rewriting,
        }

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """One clip.

        Raises:
            Unsupported: no image, several of them, or a mask.
            Rejected: the folder can't be loaded, or the pipeline refuses the call.
            StoreError: the clip can't be kept where it was asked for.
        """
        check_job(job, self.capabilities)
        media = job.parts[0].media
        source = images[media.sha256].pil()

        def work(pipeline: Any) -> tuple[bytes, tuple[str, ...]]:
            fitted = fit(source.size, self._frame(pipeline, source.size))
            call = self._arguments(job.instruction, fitted)
            made = pipeline(image=pad(source, fitted), **call, generator=generator(job.seed), output_type="pil")
            frames = made.frames[0]
            picture = unpad(frames[-1], fitted)
            return png(picture), (_said(fitted, len(frames)), *self._kept(frames, job))

        blob, notes = await pipeline_at(self._placement).run(work)
        usage = Usage(images_in=1, image_pixels=media.pixels)
        return edited([blob], job, images, model=self._folder.model, usage=usage, notes=notes)

    def _frame(self, pipeline: Any, source: Size) -> Size:
        if self._size is not None:
            return self._size
        if self._family.pixels is not None:
            patch = (pipeline.transformer or pipeline.transformer_2).config.patch_size[1]
            # The pipeline wants multiples of 16 whatever its own factor is.
            step = math.lcm(16, pipeline.vae_scale_factor_spatial * patch)
            return size_within(source, self._family.pixels, step)

        def pick(size: Size) -> Size:
            height, width = pipeline.video_processor.calculate_default_height_width(
                height=size[1], width=size[0], target_size=pipeline.target_size
            )
            return int(width), int(height)

        return settled_bucket(source, pick)

    def _arguments(self, instruction: str, fitted: Fitted) -> dict[str, Any]:
        call: dict[str, Any] = {
            "prompt": instruction,
            "num_frames": self._settings.frames,
            "num_inference_steps": self._settings.steps,
            "negative_prompt": self._settings.negative_prompt,
        }
        if self._family.pixels is not None:
            call |= {"width": fitted.frame[0], "height": fitted.frame[1], "guidance_scale": self._settings.guidance}
        return call

    def _kept(self, frames: list[Image], job: EditJob) -> tuple[str, ...]:
        if self._keep_clip is None:
            return ()
        name = digest([self.id, job.model_dump(mode="json")])[:16]
        path = self._keep_clip.expanduser() / f"{name}.mp4"
        write_clip(frames, path, fps=self._family.fps)
        return (f"clip kept as {path.name}",)


def _said(fitted: Fitted, frames: int) -> str:
    frame, content = fitted.frame, fitted.content
    padded = "" if frame == content else f", of which {content[0]} × {content[1]} are the picture"
    return f"last of {frames} frames of {frame[0]} × {frame[1]}{padded}"


def build(spec: ModelSpec) -> Editor:
    """The editor of a spec `diffusers-video:<folder>[?key=value]`; weights are loaded at the first generation."""
    options = read_options(spec, VideoOptions)
    folder = read_folder(spec.model, tuple(VIDEO_FAMILIES))
    family = VIDEO_FAMILIES[folder.pipeline]
    video_settings(family, options)
    require_extra((*EXTRA, *family.needs))
    return DiffusersVideoEditor(folder, options, place(folder, options))
