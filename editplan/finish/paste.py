"""Pasting the edited region into the untouched source, or refusing to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from editplan.finish.register import aligned, register
from editplan.finish.settings import Finish

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CHANGED = 2
_RIM_PX = 6
_STILL_PX = 0.25
"""Below this a warp would only blur."""


@dataclass(frozen=True)
class Pasted:
    """RGB pixels of the source's size; `refused` says why nothing was pasted."""

    pixels: NDArray[np.uint8] | None
    refused: str | None
    shift_px: float | None
    seam_delta_e: float | None
    changed_outside_raw: float
    notes: tuple[str, ...]


def fitted(output: NDArray[np.uint8], width: int, height: int) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    """The output at the source's size; another shape is stretched, with a note."""
    import cv2
    import numpy as np

    had = (output.shape[1], output.shape[0])
    if had == (width, height):
        return output, ()
    notes = [f"resized from {had[0]} × {had[1]} to the source's {width} × {height}"]
    if abs((had[0] / had[1]) / (width / height) - 1) > 0.02:
        notes.append("the editor changed the aspect ratio")
    smaller = width * height < had[0] * had[1]
    how = cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
    resized = cv2.resize(np.ascontiguousarray(output), (width, height), interpolation=how)
    return np.asarray(resized, np.uint8), tuple(notes)


def paste_region(
    source: NDArray[np.uint8], output: NDArray[np.uint8], region: NDArray[np.bool_], settings: Finish
) -> Pasted:
    """Registers `output` (RGB, of the source's size) to `source` and pastes `region` with a soft inner edge.

    Outside `region` (bool, height × width) every pixel of the result is the source's. Nothing is pasted where the
    registration fails or shifts by more than `largest_shift`, or where the rim differs by more than
    `largest_seam_delta_e`.
    """
    import numpy as np

    outside = ~region
    height, width = region.shape
    raw_change = _share_changed(source, output, outside)
    if not outside.any():
        return Pasted(output, None, None, None, raw_change, ())
    if not region.any():
        return Pasted(None, "the region is empty", None, None, raw_change, ())
    if raw_change == 0.0:
        return Pasted(np.where(outside[..., None], source, output), None, 0.0, 0.0, 0.0, ())
    found = register(source, output, outside)
    if found is None:
        return Pasted(None, "the output can't be registered to the source", None, None, raw_change, ())
    shift = found.shift_px(width, height)
    limit = settings.largest_shift * max(width, height)
    if shift > limit:
        why = f"the output is shifted by {shift:.1f} px, over the limit of {limit:.1f} px"
        return Pasted(None, why, shift, None, raw_change, ())
    moved = aligned(output, found) if shift >= _STILL_PX else output
    seam = _seam(source, moved, region)
    if seam is not None and seam > settings.largest_seam_delta_e:
        why = f"the seam would show: ΔE {seam:.1f} along the rim, over {settings.largest_seam_delta_e:g}"
        return Pasted(None, why, shift, seam, raw_change, ())
    notes = (f"registered by {found.method}: shift {shift:.1f} px",)
    return Pasted(_blend(source, moved, region, settings.feather_px), None, shift, seam, raw_change, notes)


def _share_changed(one: NDArray[np.uint8], two: NDArray[np.uint8], where: NDArray[np.bool_]) -> float:
    import numpy as np

    if not where.any():
        return 0.0
    difference = np.abs(one.astype(np.int16) - two.astype(np.int16)).max(axis=-1)
    return float((difference[where] > _CHANGED).mean())


def _seam(source: NDArray[np.uint8], moved: NDArray[np.uint8], region: NDArray[np.bool_]) -> float | None:
    import cv2
    import numpy as np

    from editplan.pixels.lab import cie76

    kernel = np.ones((2 * _RIM_PX + 1, 2 * _RIM_PX + 1), np.uint8)
    rim = cv2.dilate(region.astype(np.uint8), kernel).astype(bool) & ~region
    return float(cie76(source[rim], moved[rim]).mean()) if rim.any() else None


def _blend(
    source: NDArray[np.uint8], moved: NDArray[np.uint8], region: NDArray[np.bool_], feather_px: int
) -> NDArray[np.uint8]:
    import cv2
    import numpy as np

    # The picture's own border is no seam: pad with "inside" so that the edge stays hard there.
    padded = np.pad(region.astype(np.uint8), 1, mode="edge")
    depth = cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1]
    weight = np.clip(depth / (feather_px + 1), 0.0, 1.0) * region
    mixed = source + (moved.astype(np.float32) - source) * weight[..., None]
    return np.where(region[..., None], np.clip(np.rint(mixed), 0, 255), source).astype(np.uint8)
