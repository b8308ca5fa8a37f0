"""How a caller wants one request carried out: given back as it should be, within time and money of its own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from editplan.calls.limits import Allowance
from editplan.errors import ConfigError
from editplan.finish.settings import Finish
from editplan.images import load_bytes
from editplan.protocols import Editor, Images
from editplan.records import EditRequest, Outcome, Part, Plan, Status

if TYPE_CHECKING:
    from editplan.finish.crop import Crop
    from editplan.finish.give_back import GivenBack
    from editplan.records import Box


@dataclass(frozen=True)
class Terms:
    """What one request may take, and how its output is given back; None = as the editor made it."""

    finish: Finish | None = None
    allowance: Allowance = field(default_factory=Allowance)


@dataclass(frozen=True)
class Giving:
    """Gives the output of one request back; `crop` is what the editor sees of the picture, if not all of it."""

    settings: Finish
    request: EditRequest
    original: bytes
    """The first image's file, as the user gave it."""
    crop: Crop | None = None

    async def give(self, outcome: Outcome, images: Images) -> GivenBack | None:
        """The picture to be given back; None where there is no edited picture."""
        if outcome.status is not Status.OK or outcome.media is None or outcome.media.kind != "png":
            return None
        from editplan.finish.give_back import finish

        return await asyncio.to_thread(
            finish, outcome, self.request, self.original, images, self.settings, crop=self.crop
        )

    @property
    def waits_for_a_plan(self) -> bool:
        """Whether the editor's window is known only when there is a plan."""
        return self.settings.native_region and self.settings.region == "plan"

    def cropped(self, plan: Plan | None, editor: Editor, images: Images) -> tuple[Giving, Editor]:
        """With the window round the region, and the editor that sees only that; unchanged where there is none."""
        if not self.settings.native_region:
            return self, editor
        from editplan.finish.crop import crop_round
        from editplan.finish.cropped import CroppedEditor
        from editplan.finish.give_back import region_of

        region = region_of(plan, self.request, images, self.settings)
        crop = None if region.mask is None else crop_round(region.mask, self.settings)
        if crop is None:
            return self, editor
        return replace(self, crop=crop), CroppedEditor(editor, crop)


def giving_of(given: Any, request: EditRequest, images: Images, settings: Finish | None) -> Giving | None:
    """How an output is given back; None where it is not, or where nothing is edited (a new image, a drawing)."""
    source = request.parts[0].media
    if settings is None or request.output != "edit" or source.kind != "png":
        return None
    first = given[0] if isinstance(given, (list, tuple)) else given
    # Parts and arrays have nothing that the canonical picture lacks, but an array's alpha.
    bare = isinstance(first, Part) or getattr(first, "shape", ())[2:] == (3,)
    original = images[source.sha256].png() if bare else load_bytes(first)
    if request.mask is not None and settings.region == "plan":
        # A mask says more exactly than a plan where the edit may be.
        settings = settings.model_copy(update={"region": "mask"})
    return Giving(settings, request, original)


def finish_settings(given: Finish | bool | None, default: Finish | None, region: Box | None) -> Finish | None:
    """What `finish=` and `region=` of one request come to. Raises `ConfigError` for a region that isn't one."""
    if given is False:
        if region is not None:
            raise ConfigError("region= says where the output is put back: leave it out, or leave finish=False out")
        return None
    chosen = given if isinstance(given, Finish) else default
    if given is True or region is not None:
        chosen = chosen or Finish()
    if region is None or chosen is None:
        return chosen
    try:
        return Finish.model_validate({**chosen.model_dump(), "region": tuple(region)})
    except ValueError as error:
        raise ConfigError(
            f"region {region!r} is no box: give x1, y1, x2, y2 in 0..1 with x1 < x2 and y1 < y2"
        ) from error


def without_mask(request: EditRequest, editor: Editor | None) -> tuple[EditRequest, tuple[str, ...]]:
    """The request as this editor can take it: a mask that it takes none of stays the region of the finish."""
    if request.mask is None or editor is None or editor.capabilities.mask:
        return request, ()
    note = f"{editor.id} takes no mask: it marks only where the output is put back"
    return request.model_copy(update={"mask": None}), (note,)
