"""What each local image pipeline takes, its defaults, and how its call is worded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from editplan.editors.diffusers_folder import ModelFolder
from editplan.editors.diffusers_runtime import PlacementOptions
from editplan.editors.diffusers_sizes import Size, SizeLaw, flux2_size
from editplan.errors import SpecError
from editplan.records import Record

if TYPE_CHECKING:
    from PIL.Image import Image

_SETTINGS = ("steps", "guidance", "true_cfg", "negative_prompt")


class DiffusersOptions(PlacementOptions):
    """Spec keys of `diffusers:`; None = the pipeline's own default."""

    steps: int | None = Field(default=None, ge=1)
    guidance: float | None = Field(default=None, ge=0)
    """Embedded guidance of distilled models (`guidance_scale`)."""
    true_cfg: float | None = Field(default=None, ge=0)
    """Classifier-free guidance with a negative prompt (`true_cfg_scale`)."""
    negative_prompt: str | None = None
    size: str = "source"
    max_images: int | None = Field(default=None, ge=1)


class Settings(Record):
    """All parameters of a generation, defaults filled in."""

    steps: int
    guidance: float | None = None
    true_cfg: float | None = None
    negative_prompt: str | None = None


class Family(Record):
    """One pipeline class."""

    pipeline: str
    law: SizeLaw
    max_images: int
    """How many the model's authors recommend; the spec key `max_images` moves it where the class takes a list."""
    takes: tuple[str, ...]
    """Which of the settings the call has a parameter for."""
    settings: Settings
    distilled: Settings | None = None
    """Defaults for a folder that says it is distilled."""
    lists: bool = False
    """Takes several images in one call; elsewhere a list would be a batch of separate edits."""
    embedded: bool = True
    """`guidance` is an input of the transformer, which only guidance-distilled ones have."""
    needs: tuple[str, ...] = ("torchvision",)
    """Packages that loading it needs beside those of all local pipelines."""
    off: tuple[str, ...] = ()
    """Parameters that are passed as None in every call: they would rewrite the prompt out of sight."""


FAMILIES = {
    family.pipeline: family
    for family in (
        Family(
            pipeline="QwenImageEditPipeline",
            law=SizeLaw.QWEN,
            max_images=1,
            takes=_SETTINGS,
            settings=Settings(steps=50, true_cfg=4.0, negative_prompt=" "),
        ),
        Family(
            pipeline="QwenImageEditPlusPipeline",
            law=SizeLaw.QWEN,
            max_images=3,
            takes=_SETTINGS,
            settings=Settings(steps=40, true_cfg=4.0, negative_prompt=" "),
            lists=True,
        ),
        Family(
            pipeline="FluxKontextPipeline",
            law=SizeLaw.KONTEXT,
            max_images=1,
            takes=_SETTINGS,
            settings=Settings(steps=28, guidance=3.5, true_cfg=1.0, negative_prompt=" "),
            needs=(),
        ),
        Family(
            pipeline="Flux2Pipeline",
            law=SizeLaw.FLUX2,
            max_images=10,
            takes=("steps", "guidance"),
            settings=Settings(steps=50, guidance=4.0),
            lists=True,
            off=("caption_upsample_temperature",),
        ),
        Family(
            pipeline="Flux2KleinPipeline",
            law=SizeLaw.FLUX2,
            max_images=10,
            takes=("steps", "guidance"),
            settings=Settings(steps=50, guidance=4.0),
            distilled=Settings(steps=4, guidance=1.0),
            lists=True,
            embedded=False,
            needs=(),
        ),
    )
}


def settings_for(folder: ModelFolder, options: DiffusersOptions) -> Settings:
    """The family's defaults with the spec's keys over them. Raises `SpecError` for a key that the class lacks."""
    family = FAMILIES[folder.pipeline]
    given = {name: getattr(options, name) for name in _SETTINGS if getattr(options, name) is not None}
    refused = sorted(set(given) - set(family.takes))
    if refused:
        raise SpecError(f"{family.pipeline} takes no {refused[0]}; it takes: {', '.join(family.takes)}")
    if "guidance" in given and family.embedded and folder.embeds_guidance is False:
        raise SpecError(f"{folder.path.name} isn't guidance-distilled and would ignore guidance: leave it out")
    defaults = family.distilled if folder.distilled and family.distilled else family.settings
    settings = defaults.model_copy(update=given)
    if "negative_prompt" in given and (settings.true_cfg or 0.0) <= 1.0:
        raise SpecError(f"{family.pipeline}: a negative_prompt acts only with true_cfg over 1: set both or neither")
    return settings


def images_taken(family: Family, options: DiffusersOptions) -> int:
    """How many images one job may have. Raises `SpecError` for several where a list would be a batch."""
    wanted = options.max_images
    if wanted is not None and wanted > 1 and not family.lists:
        raise SpecError(f"{family.pipeline} edits one image: with a list it makes a batch, leave max_images out")
    return wanted or family.max_images


def prepared(family: Family, picture: Image) -> Image:
    """A picture as the class takes it whole; for Flux2 at a size that it doesn't crop."""
    if family.law is not SizeLaw.FLUX2:
        return picture
    size = flux2_size(picture.size)
    return picture if size == picture.size else picture.resize(size, _lanczos())


def _lanczos() -> Any:
    from PIL.Image import Resampling

    return Resampling.LANCZOS


def arguments(
    family: Family, settings: Settings, pictures: list[Image], instruction: str, size: Size
) -> dict[str, Any]:
    """The call's keyword arguments but for the generator."""
    call: dict[str, Any] = {
        "image": pictures if family.lists else pictures[0],
        "prompt": instruction,
        "width": size[0],
        "height": size[1],
        "num_inference_steps": settings.steps,
        **dict.fromkeys(family.off),
    }
    if settings.guidance is not None:
        call["guidance_scale"] = settings.guidance
    if "true_cfg" in family.takes:
        call["true_cfg_scale"] = settings.true_cfg
        # Without a negative prompt the pipelines ignore true_cfg, with one and no guidance they warn.
        guided = settings.true_cfg is not None and settings.true_cfg > 1.0
        call["negative_prompt"] = settings.negative_prompt if guided else None
    if family.law is SizeLaw.KONTEXT:
        # Kontext rescales the size that it is given to `max_area` pixels.
        call["max_area"] = size[0] * size[1]
    return call
