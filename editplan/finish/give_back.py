"""From a raw output to the image that a user gets: size, region, alpha, ICC profile and EXIF."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from editplan.finish.crop import Crop
from editplan.finish.paste import Pasted, fitted, paste_region
from editplan.finish.region import grown, mask_of_boxes, mask_of_picture, plan_boxes
from editplan.finish.settings import Finish, Finished, Preservation
from editplan.protocols import Images
from editplan.records import Box, EditRequest, Media, Outcome, Plan

if TYPE_CHECKING:
    import numpy as np
    import PIL.Image
    from numpy.typing import NDArray


@dataclass(frozen=True)
class GivenBack:
    """The picture with its alpha and metadata, ready to be saved, and the record of what was measured."""

    image: PIL.Image.Image
    preservation: Preservation
    notes: tuple[str, ...]

    def record(self, media: Media) -> Finished:
        """The record to keep; `media` is the stored canonical image."""
        return Finished(media=media, preservation=self.preservation, notes=self.notes)


def finish(
    outcome: Outcome,
    request: EditRequest,
    original: bytes,
    images: Images,
    settings: Finish,
    *,
    crop: Crop | None = None,
) -> GivenBack:
    """Gives an outcome's image back as `settings` say.

    `original` is the file of the first part as the user gave it; with `crop` the outcome's image is an edit of that
    window alone. The outcome must have an image. A region that can't be had (a plan without boxes) leaves the raw
    output, with a note.
    """
    assert outcome.media is not None, "only outcomes with an image are finished"
    file = _Original(original)
    source = images[request.parts[0].media.sha256].array()
    raw = images[outcome.media.sha256].array()
    region = region_of(outcome.plan, request, images, settings)
    if crop is not None:
        assert region.mask is not None, "a crop is made round a region"
        return _crop_put_back(source, raw, file, settings, _Window(crop, region, region.mask))
    height, width = source.shape[:2]
    output, notes = fitted(raw, width, height) if settings.size == "source" else (raw, ())
    if settings.keep == "nothing" or region.mask is None or output.shape != source.shape:
        why = region.missing or "the output keeps its own size"
        notes = notes if settings.keep == "nothing" else (*notes, f"nothing was pasted: {why}")
        return GivenBack(_picture(output, file, settings), Preservation(pasted=False, region=region.boxes), notes)
    pasted = paste_region(source, output, region.mask, settings)
    if pasted.pixels is None:
        why = f"nothing was pasted, this is the raw output: {pasted.refused}"
        return GivenBack(_picture(raw, file, settings), _measured(pasted, region.boxes, None), (why,))
    picture = _picture(pasted.pixels, file, settings, region=region.mask)
    changed = _changed_outside(picture, file, source, region.mask)
    return GivenBack(picture, _measured(pasted, region.boxes, changed), (*notes, *pasted.notes))


@dataclass(frozen=True)
class _Window:
    crop: Crop
    region: Region
    mask: NDArray[np.bool_]


def _crop_put_back(
    source: NDArray[np.uint8], raw: NDArray[np.uint8], file: _Original, settings: Finish, window: _Window
) -> GivenBack:
    """The edited window in the whole picture; the raw window where it doesn't fit."""
    crop, mask = window.crop, window.mask
    output, resized = fitted(raw, *crop.size)
    pasted = paste_region(source[crop.window], output, mask[crop.window], settings)
    place = crop.box(source.shape[1], source.shape[0])
    if pasted.pixels is None:
        why = f"nothing was pasted, this is the raw output, of a crop of the picture: {pasted.refused}"
        measured = _measured(pasted, window.region.boxes, None).model_copy(update={"crop": place})
        return GivenBack(_picture(raw, file, settings), measured, (why,))
    whole = source.copy()
    whole[crop.window] = pasted.pixels
    picture = _picture(whole, file, settings, region=mask)
    changed = _changed_outside(picture, file, source, mask)
    measured = _measured(pasted, window.region.boxes, changed).model_copy(update={"crop": place})
    seen = f"edited in a crop of {crop.size[0]} × {crop.size[1]} px at the picture's own resolution"
    return GivenBack(picture, measured, (seen, *resized, *pasted.notes))


@dataclass(frozen=True)
class Region:
    """Where an edit may change pixels: boxes if it came from boxes, and the mask (height × width)."""

    boxes: tuple[Box, ...] = ()
    mask: NDArray[np.bool_] | None = None
    missing: str = ""
    """Why there is none."""


def region_of(plan: Plan | None, request: EditRequest, images: Images, settings: Finish) -> Region:
    """The region that the settings name. Raises `ConfigError` for a mask that doesn't fit the picture."""
    source = request.parts[0].media
    if settings.region == "mask":
        if request.mask is None:
            return Region(missing="the request has no mask")
        return Region(mask=mask_of_picture(images[request.mask.sha256].array(), source.height, source.width))
    if settings.region == "plan":
        boxes = tuple(grown(box, settings.grow) for box in plan_boxes(plan))
        if not boxes:
            return Region(missing="the plan names no box for its transition")
    else:
        boxes = (settings.region,)
    return Region(boxes, mask_of_boxes(boxes, source.height, source.width))


def _measured(pasted: Pasted, boxes: tuple[Box, ...], changed: float | None) -> Preservation:
    return Preservation(
        pasted=pasted.pixels is not None,
        changed_outside=changed,
        changed_outside_raw=pasted.changed_outside_raw,
        shift_px=pasted.shift_px,
        seam_delta_e=pasted.seam_delta_e,
        region=boxes,
    )


class _Original:
    """The user's file: its metadata, and its own pixels where it has alpha."""

    def __init__(self, data: bytes) -> None:
        import PIL.Image

        # Only the head is read here; pixels are decoded where there is alpha to give back.
        self._picture = PIL.Image.open(io.BytesIO(data))
        self.profile: bytes | None = self._picture.info.get("icc_profile")

    def exif(self) -> bytes | None:
        """Without the orientation, which was applied."""
        exif = self._picture.getexif()
        exif.pop(0x0112, None)
        return exif.tobytes() if exif else None

    @cached_property
    def layers(self) -> NDArray[np.uint8] | None:
        """RGBA, upright, where the file has transparency; None where it has none."""
        import numpy as np
        import PIL.ImageOps

        picture = self._picture
        if picture.mode not in {"RGBA", "LA", "PA"} and "transparency" not in picture.info:
            return None
        picture.seek(0)
        return np.asarray(PIL.ImageOps.exif_transpose(picture).convert("RGBA"))


def _picture(
    pixels: NDArray[np.uint8], original: _Original, settings: Finish, *, region: NDArray[np.bool_] | None = None
) -> PIL.Image.Image:
    import numpy as np
    import PIL.Image

    layers = original.layers
    if layers is not None and layers.shape[:2] == pixels.shape[:2]:
        picture = _with_alpha(pixels, layers, region)
    else:
        picture = PIL.Image.fromarray(np.ascontiguousarray(pixels))
    if settings.keep_metadata:
        kept = {"icc_profile": original.profile, "exif": original.exif()}
        picture.info |= {name: value for name, value in kept.items() if value}
    return picture


def _with_alpha(
    pixels: NDArray[np.uint8], layers: NDArray[np.uint8], region: NDArray[np.bool_] | None
) -> PIL.Image.Image:
    import numpy as np
    import PIL.Image

    from editplan.images import MATTE

    alpha = layers[..., 3:].astype(np.float32) / 255.0
    shown = np.rint(layers[..., :3] * alpha + np.array(MATTE, np.float32) * (1 - alpha)).astype(np.int16)
    edited = np.abs(shown - pixels.astype(np.int16)).max(axis=-1) > 1
    if region is not None:
        edited &= region
    answer = layers.copy()
    answer[edited, :3] = pixels[edited]
    answer[edited, 3] = 255
    return PIL.Image.fromarray(answer)


def _changed_outside(
    picture: PIL.Image.Image, original: _Original, source: NDArray[np.uint8], region: NDArray[np.bool_]
) -> float:
    import numpy as np

    before = source if original.layers is None else original.layers
    after = np.asarray(picture)
    if before.shape != after.shape:
        return 1.0
    outside = ~region
    return float((before != after).any(axis=-1)[outside].mean()) if outside.any() else 0.0
