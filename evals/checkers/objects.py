"""Object checks: the object that the source shows somewhere is found, or not found, in the output.

An object is its own pixels under a mask; it is found by masked template matching in Lab and measured by the share
of its pixels that agree within the tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from editplan.evals.checkers.findings import Finding, graded, unmeasured
from editplan.evals.checkers.pair import Lab, Pair, inset, lab_distance, ring
from editplan.evals.checkers.regions import Region
from editplan.evals.checkers.specs import ObjectAbsent, ObjectAt, ObjectMoved
from editplan.pixels.geometry import PixelBox
from editplan.pixels.masks import Mask, grown, mask_box
from editplan.records import Box

RIM_PX = 1
"""The soft rim of an object that is not compared."""
NEAR_PX = 3
"""How far "where it was" reaches."""
MIN_CONTRAST = 0.5
"""Least share of an object that must differ from its surroundings, else its absence can't be seen."""
SMEAR = 0.4
"""How much more of the surroundings may show the object's colour than in the source."""


@dataclass(frozen=True, eq=False)
class Sought:
    """An object of the source: its pixels inside its box."""

    box: PixelBox
    patch: Mask
    """The pixels that are compared, H x W of the box."""
    lab: Lab
    contrast: float
    """Share of the object that differs from its surroundings in the source."""


@dataclass(frozen=True)
class Sighting:
    """The place where the object is seen best."""

    share: float
    """Share of its pixels that agree."""
    shift: tuple[int, int]
    """(dx, dy) from the source's place."""


def check_object_at(spec: ObjectAt, pair: Pair) -> Finding:
    """The object's best sighting with its centre in the destination."""
    sought = _sought(pair, spec.source, spec.tolerance)
    if sought is None:
        return unmeasured("the source region is empty")
    sighting = _best_sighting(pair, sought, pair.mask(spec.destination), spec.tolerance)
    if sighting is None:
        return unmeasured("the object doesn't fit into the image at its destination")
    verdict = graded(sighting.share, spec.pass_share, spec.partial_share)
    smear = _smear(pair, sought, sighting, spec.tolerance)
    if verdict == "pass" and smear > SMEAR:
        verdict = "partial"
    return Finding(
        verdict=verdict,
        reason=f"{sighting.share:.1%} of the object is seen at its destination",
        evidence={"share": sighting.share, "smear": smear, **_shift(sighting)},
        box=_moved_box(pair, sought, sighting),
    )


def check_object_absent(spec: ObjectAbsent, pair: Pair) -> Finding:
    """The object's best sighting in an area, or where it was."""
    sought = _sought(pair, spec.source, spec.tolerance)
    if sought is None:
        return unmeasured("the source region is empty")
    if sought.contrast < MIN_CONTRAST:
        return unmeasured("the object hardly differs from its surroundings", contrast=sought.contrast)
    area = _near_centre(pair, sought) if spec.area is None else pair.mask(spec.area)
    sighting = _best_sighting(pair, sought, area, spec.tolerance)
    share = sighting.share if sighting else 0.0
    return Finding(
        verdict="pass" if share <= spec.pass_share else "fail" if share >= spec.fail_share else "partial",
        reason=f"{share:.1%} of the object is still seen",
        evidence={"share": share, "contrast": sought.contrast},
        box=_moved_box(pair, sought, sighting) if sighting else None,
    )


def check_object_moved(spec: ObjectMoved, pair: Pair) -> Finding:
    """The object is seen at its destination, and what it left behind is no longer it."""
    arrived = check_object_at(
        ObjectAt(
            source=spec.source,
            destination=spec.destination,
            tolerance=spec.tolerance,
            pass_share=spec.pass_share,
            partial_share=spec.partial_share,
        ),
        pair,
    )
    if arrived.verdict in ("fail", "abstain"):
        return arrived
    sought = _sought(pair, spec.source, spec.tolerance)
    assert sought is not None, "the object was found before"
    shift = (int(arrived.evidence["dx_px"]), int(arrived.evidence["dy_px"]))
    still = _share_left_behind(pair, sought, shift, spec.tolerance)
    evidence = {**arrived.evidence, "left_behind_share": -1.0 if still is None else still}
    if still is not None and still > 0.5:
        return Finding(verdict="partial", reason="a copy stands where it was", evidence=evidence, box=arrived.box)
    return arrived.model_copy(update={"evidence": evidence})


def _sought(pair: Pair, region: Region, tolerance: float) -> Sought | None:
    mask = pair.mask(region)
    box = mask_box(mask)
    if box is None:
        return None
    x1, y1, x2, y2 = box
    patch, lab = inset(mask, RIM_PX)[y1:y2, x1:x2], pair.before_lab[y1:y2, x1:x2]
    around = ring(mask)
    contrast = 1.0
    if around.any():
        background = np.median(pair.before_lab[around], axis=0)
        contrast = float((lab_distance(lab[patch], background) > tolerance).mean())
    return Sought(box, patch, lab, contrast)


def _best_sighting(pair: Pair, sought: Sought, centres: Mask, tolerance: float) -> Sighting | None:
    """The shift at which most of the object agrees, its box's centre in `centres` and its box in the image."""
    import cv2

    height, width = sought.patch.shape
    allowed = _corner_mask(centres, height, width)
    reach = mask_box(allowed)
    if reach is None:
        return None
    left, top, right, bottom = reach
    window = np.ascontiguousarray(pair.after_lab[top : bottom + height - 1, left : right + width - 1])
    weight = np.repeat(sought.patch[..., None].astype(np.float32), 3, axis=2)
    misfit = cv2.matchTemplate(window, np.ascontiguousarray(sought.lab), cv2.TM_SQDIFF, mask=weight)
    misfit = np.where(allowed[top:bottom, left:right], misfit, np.inf)
    best: Sighting | None = None
    for at in np.argsort(misfit, axis=None)[:8]:
        row, column = divmod(int(at), misfit.shape[1])
        if not np.isfinite(misfit[row, column]):
            break
        seen = window[row : row + height, column : column + width]
        share = float((lab_distance(seen, sought.lab) <= tolerance)[sought.patch].mean())
        if best is None or share > best.share:
            best = Sighting(share, (left + column - sought.box[0], top + row - sought.box[1]))
    return best


def _corner_mask(centres: Mask, height: int, width: int) -> Mask:
    """Where the top left corner of a box of this size may lie, for its centre to be in `centres`."""
    rows, columns = centres.shape
    shifted = np.zeros_like(centres)
    down, across = height // 2, width // 2
    shifted[: rows - down, : columns - across] = centres[down:, across:]
    shifted[max(rows - height + 1, 0) :] = False
    shifted[:, max(columns - width + 1, 0) :] = False
    return shifted


def _near_centre(pair: Pair, sought: Sought) -> Mask:
    """The few pixels around the object's own centre."""
    x1, y1, x2, y2 = sought.box
    near = np.zeros(pair.shape, dtype=bool)
    row, column = y1 + (y2 - y1) // 2, x1 + (x2 - x1) // 2
    near[max(row - NEAR_PX, 0) : row + NEAR_PX + 1, max(column - NEAR_PX, 0) : column + NEAR_PX + 1] = True
    return near


def _smear(pair: Pair, sought: Sought, sighting: Sighting, tolerance: float) -> float:
    """How much more of the surroundings shows the object's own colour than did in the source, -1..1."""
    colour = np.median(sought.lab[sought.patch], axis=0)
    shares = []
    for image, (dx, dy) in ((pair.before_lab, (0, 0)), (pair.after_lab, sighting.shift)):
        placed = _placed(pair, sought, (dx, dy))
        around = ring(placed)
        near = lab_distance(image[around], colour) <= tolerance
        shares.append(float(near.mean()) if near.size else 0.0)
    return shares[1] - shares[0]


def _share_left_behind(pair: Pair, sought: Sought, shift: tuple[int, int], tolerance: float) -> float | None:
    """Share of the object's old pixels that still show it where it doesn't stand now; None where it covers them."""
    old = _placed(pair, sought, (0, 0))
    uncovered = old & ~grown(_placed(pair, sought, shift), RIM_PX + 1)
    if uncovered.sum() < 0.2 * old.sum() or sought.contrast < MIN_CONTRAST:
        return None
    return float((pair.difference[uncovered] <= tolerance).mean())


def _placed(pair: Pair, sought: Sought, shift: tuple[int, int]) -> Mask:
    x1, y1, x2, y2 = sought.box
    dx, dy = shift
    placed = np.zeros(pair.shape, dtype=bool)
    placed[y1 + dy : y2 + dy, x1 + dx : x2 + dx] = sought.patch
    return placed


def _moved_box(pair: Pair, sought: Sought, sighting: Sighting) -> Box | None:
    return pair.box(_placed(pair, sought, sighting.shift))


def _shift(sighting: Sighting) -> dict[str, int]:
    return {"dx_px": sighting.shift[0], "dy_px": sighting.shift[1]}
