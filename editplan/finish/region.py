"""Which pixels an edit may change, from a plan, a box or a mask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from editplan.errors import ConfigError
from editplan.records import Box, Plan

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def plan_boxes(plan: Plan | None, *, image: int = 1) -> tuple[Box, ...]:
    """The boxes that the chosen transition rests on: evidence it cites, in the first image.

    Evidence of preservation and of rules read elsewhere (a legend) is no place of the edit.
    """
    chosen = plan.transition if plan else None
    if plan is None or chosen is None:
        return ()
    cited = set(chosen.supporting_claim_ids)
    return tuple(
        claim.bbox
        for claim in plan.evidence
        if claim.claim_id in cited
        and claim.bbox is not None
        and claim.image == image
        and claim.source in ("binding", "observed_state")
    )


def grown(box: Box, by: float) -> Box:
    """A box grown by `by` of its own sides, half at each end, within the image."""
    x1, y1, x2, y2 = box
    dx, dy = (x2 - x1) * by / 2, (y2 - y1) * by / 2
    return (max(0.0, x1 - dx), max(0.0, y1 - dy), min(1.0, x2 + dx), min(1.0, y2 + dy))


def mask_of_boxes(boxes: tuple[Box, ...], height: int, width: int) -> NDArray[np.bool_]:
    """True inside any box; height × width."""
    import math

    import numpy as np

    mask = np.zeros((height, width), bool)
    for x1, y1, x2, y2 in boxes:
        rows = slice(math.floor(y1 * height), max(math.floor(y1 * height) + 1, math.ceil(y2 * height)))
        columns = slice(math.floor(x1 * width), max(math.floor(x1 * width) + 1, math.ceil(x2 * width)))
        mask[rows, columns] = True
    return mask


def mask_of_picture(pixels: NDArray[np.uint8], height: int, width: int) -> NDArray[np.bool_]:
    """A request's mask (white = edit). Raises `ConfigError` for another size or one that selects nothing."""
    if pixels.shape[:2] != (height, width):
        raise ConfigError(
            f"the mask has {pixels.shape[1]} × {pixels.shape[0]} pixels, the image {width} × {height}: "
            "make them equal"
        )
    mask: NDArray[np.bool_] = pixels[..., 0] >= 128
    if not mask.any():
        raise ConfigError("the mask selects nothing: paint what may change white")
    return mask
