"""Topology checks: parts, holes, boxes, containment, order and connection of what shows one colour."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from editplan.evals.checkers.findings import Finding, graded, unmeasured
from editplan.evals.checkers.pair import Pair, lab_distance, lab_of
from editplan.evals.checkers.topology_specs import BoxAt, Contained, Linked, Ordered, PartCount
from editplan.pixels.masks import Mask, grown, without_holes

SAME_PLACE_PX = 2.0
"""Parts whose centres are nearer than this along the direction have no order."""

Labels = NDArray[np.int32]


@dataclass(frozen=True)
class Parts:
    """The connected parts of one colour; 8-connected, as drawn strokes are."""

    sure: tuple[Mask, ...]
    unsure: int
    """Specks between half of the least size and the least size."""

    @property
    def all(self) -> Mask | None:
        """The union of the sure parts; None where there is none."""
        return np.asarray(np.logical_or.reduce(self.sure)) if self.sure else None


def check_part_count(spec: PartCount, pair: Pair) -> Finding:
    """Connected parts of one colour, and the holes in them."""
    area = pair.mask(spec.region)
    parts = parts_of(_coloured(pair, spec.colour, spec.tolerance) & area, spec.min_px)
    whole = parts.all
    holes = hole_count(whole, spec.min_px) if whole is not None else 0
    evidence: dict[str, float | int | str | bool] = {
        "counted": len(parts.sure),
        "uncertain": parts.unsure,
        "wanted": spec.count,
        "holes": holes,
    }
    counted = len(parts.sure)
    if parts.unsure and counted <= spec.count <= counted + parts.unsure:
        return unmeasured("specks of an uncertain size leave the count open", **evidence)
    holed = spec.holes is None or holes == spec.holes
    reason = f"{counted} parts of {spec.colour}, {spec.count} are wanted"
    if spec.holes is not None:
        reason += f"; {holes} holes, {spec.holes} are wanted"
    return Finding(
        verdict="pass" if counted == spec.count and holed else "fail",
        reason=reason,
        evidence=evidence,
        box=pair.box(whole if whole is not None else area),
    )


def check_box_at(spec: BoxAt, pair: Pair) -> Finding:
    """Overlap of the box around what shows the colour with the box that is wanted."""
    area = pair.mask(spec.region)
    whole = parts_of(_coloured(pair, spec.colour, spec.tolerance) & area, spec.min_px).all
    found = pair.box(whole) if whole is not None else None
    if found is None:
        return Finding(
            verdict="fail", reason=f"nothing shows {spec.colour}", evidence={"iou": 0.0}, box=pair.box(area)
        )
    overlap = box_iou(found, spec.box)
    return Finding(
        verdict=graded(overlap, spec.pass_iou, spec.partial_iou),
        reason=f"the box around {spec.colour} overlaps the wanted one by {overlap:.2f}",
        evidence={"iou": overlap},
        box=found,
    )


def check_contained(spec: Contained, pair: Pair) -> Finding:
    """Share of what shows the colour that lies inside the place or the closed outline."""
    area = pair.mask(spec.region)
    whole = parts_of(_coloured(pair, spec.colour, spec.tolerance) & area, spec.min_px).all
    if whole is None:
        return Finding(
            verdict="fail", reason=f"nothing shows {spec.colour}", evidence={"inside_share": 0.0}, box=pair.box(area)
        )
    if spec.place is not None:
        container = pair.mask(spec.place)
    else:
        assert spec.outline is not None, "the spec holds one of both"
        container = enclosed(_coloured(pair, spec.outline, spec.tolerance))
    inside = float((whole & container).sum() / whole.sum())
    return Finding(
        verdict=graded(inside, spec.pass_share, spec.partial_share),
        reason=f"{inside:.1%} of what shows {spec.colour} lies inside",
        evidence={"inside_share": inside, "container_px": int(container.sum())},
        box=pair.box(np.asarray(whole & ~container)) or pair.box(whole),
    )


def check_ordered(spec: Ordered, pair: Pair) -> Finding:
    """The colours of all parts, read in the direction, against the wanted sequence."""
    area = pair.mask(spec.region)
    placed: list[tuple[float, str]] = []
    unsure = 0
    for colour in dict.fromkeys(spec.colours):
        parts = parts_of(_coloured(pair, colour, spec.tolerance) & area, spec.min_px)
        unsure += parts.unsure
        placed += [(_along(part, spec), colour) for part in parts.sure]
    placed.sort()
    seen = [colour for _, colour in placed]
    evidence: dict[str, float | int | str | bool] = {"parts": len(seen), "uncertain": unsure, "seen": " ".join(seen)}
    if unsure and len(seen) < len(spec.colours):
        return unmeasured("specks of an uncertain size may be parts", **evidence)
    near = [
        (first, second)
        for first, second in pairwise(placed)
        if second[0] - first[0] < SAME_PLACE_PX and first[1] != second[1]
    ]
    if near and sorted(seen) == sorted(spec.colours):
        return unmeasured("two parts stand at the same place along the direction", **evidence)
    return Finding(
        verdict="pass" if tuple(seen) == spec.colours else "fail",
        reason=f"{len(seen)} parts, {'in' if tuple(seen) == spec.colours else 'not in'} the wanted order",
        evidence=evidence,
        box=pair.box(area),
    )


def check_linked(spec: Linked, pair: Pair) -> Finding:
    """Whether pixels of the colour join the two places."""
    ink = _coloured(pair, spec.colour, spec.tolerance)
    start, end = (grown(pair.mask(place), spec.reach_px) for place in (spec.start, spec.end))
    free = None if spec.free is None else np.asarray(pair.mask(spec.free) | start | end)
    link = joining(ink, (start, end), free, spec.gap_px)
    joined = link is not None
    shown = ink if link is None else link
    evidence = {"linked": joined, "ink_px": int(ink.sum())}
    if joined == spec.linked:
        reason = "the two places are linked" if joined else "nothing links the two places"
        return Finding(verdict="pass", reason=reason, evidence=evidence, box=pair.box(shown))
    reason = "the two places are still linked" if joined else _why_open(ink, (start, end), free, spec)
    return Finding(verdict="fail", reason=reason, evidence=evidence, box=pair.box(shown))


def parts_of(mask: Mask, min_px: int) -> Parts:
    """The 8-connected parts of a mask, those below half of `min_px` left out."""
    import cv2

    count, numbered, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    areas = [int(stats[number, cv2.CC_STAT_AREA]) for number in range(1, count)]
    sure = tuple(np.asarray(numbered == number) for number, area in enumerate(areas, 1) if area >= min_px)
    return Parts(sure, sum(min_px / 2 <= area < min_px for area in areas))


def hole_count(mask: Mask, min_px: int) -> int:
    """Holes of at least `min_px` in a mask; 4-connected, the counterpart of 8-connected parts."""
    import cv2

    holes = (without_holes(mask) & ~mask).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(holes, connectivity=4)
    return sum(int(stats[number, cv2.CC_STAT_AREA]) >= min_px for number in range(1, count))


def enclosed(outline: Mask) -> Mask:
    """What a closed outline encloses, the outline itself left out; nothing where it is open."""
    return np.asarray(without_holes(outline) & ~outline)


def joining(ink: Mask, places: tuple[Mask, Mask], free: Mask | None, gap_px: int) -> Mask | None:
    """The ink of the one connected stroke that touches both places; None where there is none.

    Gaps are bridged inside `free` only: a wall that is thinner than the gap still parts what it parts.
    """
    import cv2

    kept = ink if free is None else np.asarray(ink & free)
    bridged = grown(kept, (gap_px + 1) // 2) if gap_px and kept.any() else kept
    if free is not None:
        bridged = np.asarray(bridged & free)
    _, numbered = cv2.connectedComponents(bridged.astype(np.uint8), connectivity=8)
    first, second = (set(np.unique(numbered[place])) - {0} for place in places)
    both = first & second
    return np.asarray(np.isin(numbered, list(both)) & kept) if both else None


def box_iou(first: tuple[float, float, float, float], second: tuple[float, float, float, float]) -> float:
    """Intersection over union of two boxes [x1, y1, x2, y2] of one unit."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    shared = max(0.0, width) * max(0.0, height)
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (first, second))
    return shared / (areas - shared) if areas > shared else 0.0


def _coloured(pair: Pair, colour: str, tolerance: float) -> Mask:
    return np.asarray(lab_distance(pair.after_lab, lab_of(colour)) <= tolerance)


def _along(part: Mask, spec: Ordered) -> float:
    """The centre of a part along the direction."""
    rows, columns = np.nonzero(part)
    place = float(columns.mean() if spec.direction in ("right", "left") else rows.mean())
    return place if spec.direction in ("right", "down") else -place


def _why_open(ink: Mask, places: tuple[Mask, Mask], free: Mask | None, spec: Linked) -> str:
    """What keeps the two places apart."""
    if not ink.any():
        return f"nothing shows {spec.colour}"
    for place, name in zip(places, ("start", "end"), strict=True):
        if not (ink & place).any():
            return f"the link doesn't reach its {name}"
    if free is not None and joining(ink, places, None, spec.gap_px) is not None:
        return "the link leaves the free way"
    return "the link has a gap"
