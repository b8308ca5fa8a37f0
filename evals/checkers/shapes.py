"""Shape checks: a given shape was drawn, an outline was kept, so many objects are there."""

from __future__ import annotations

import numpy as np

from editplan.evals.checkers.findings import Finding, graded, unmeasured
from editplan.evals.checkers.pair import Pair, lab_distance, lab_of, ring
from editplan.evals.checkers.specs import ObjectCount, ShapeAt, SilhouetteKept
from editplan.pixels.masks import Mask, grown, mask_box, without_holes

SPECK = 0.2
ONE_FROM, ONE_TO = 0.5, 1.6
"""Blobs below SPECK of an object's area are noise; between ONE_FROM and ONE_TO they are one object."""


def check_shape_at(spec: ShapeAt, pair: Pair) -> Finding:
    """Overlap (IoU) of what was newly painted in the colour with the shape that was to be drawn."""
    shape = pair.mask(spec.shape)
    if not shape.any():
        return unmeasured("the shape is empty")
    coloured = lab_distance(pair.after_lab, lab_of(spec.colour)) <= spec.tolerance
    fresh = coloured & (pair.difference > spec.tolerance)
    if spec.area is not None:
        area = pair.mask(spec.area)
        shape = _best_place(shape, fresh & area, area)
    drawn = (fresh | (coloured & shape)) & _window(shape)
    overlap = iou(drawn, shape)
    return Finding(
        verdict=graded(overlap, spec.pass_iou, spec.partial_iou),
        reason=f"what was drawn in {spec.colour} overlaps the shape by {overlap:.2f}",
        evidence={"iou": overlap, "drawn_px": int(drawn.sum()), "shape_px": int(shape.sum())},
        box=pair.box(drawn) or pair.box(shape),
    )


def check_silhouette_kept(spec: SilhouetteKept, pair: Pair) -> Finding:
    """Overlap (IoU) of an object's outline before and after.

    Inside the old outline a pixel belongs to the object unless it shows the surrounding colour of its image;
    outside it belongs to the object if it changed to something else than that colour.
    """
    mask = pair.mask(spec.region)
    around = ring(mask) if mask.any() else mask
    if not around.any():
        return unmeasured("the region is empty or fills the image")
    old, new = (np.median(image[around], axis=0) for image in (pair.before_lab, pair.after_lab))
    distinct = lab_distance(pair.after_lab, new) > spec.tolerance
    inside = mask & distinct
    hidden = float((lab_distance(pair.before_lab[mask], old) <= spec.tolerance).mean())
    if hidden > 0.2:
        return unmeasured("the object hardly differs from its surroundings", hidden_share=hidden)
    outside = ~grown(mask, 1) & _window(mask)
    grew = pair.changed(outside, spec.tolerance) & distinct
    overlap = iou(inside | grew, mask)
    return Finding(
        verdict=graded(overlap, spec.pass_iou, spec.partial_iou),
        reason=f"the outline overlaps the old one by {overlap:.2f}",
        evidence={"iou": overlap, "grown_px": int(grew.sum()), "lost_px": int((mask & ~inside).sum())},
        box=pair.box(mask),
    )


def check_object_count(spec: ObjectCount, pair: Pair) -> Finding:
    """Blobs of one colour in a region; blobs of an odd size make the count uncertain."""
    import cv2

    height, width = pair.shape
    one = spec.area * height * width
    coloured = lab_distance(pair.after_lab, lab_of(spec.colour)) <= spec.tolerance
    members = pair.mask(spec.region) & without_holes(coloured)
    _, _, stats, _ = cv2.connectedComponentsWithStats(members.astype(np.uint8), connectivity=8)
    areas = stats[1:, cv2.CC_STAT_AREA] / one
    sure = int(((areas >= ONE_FROM) & (areas <= ONE_TO)).sum())
    odd = areas[((areas >= SPECK) & (areas < ONE_FROM)) | (areas > ONE_TO)]
    most = sure + int(np.ceil(odd).sum())
    evidence = {"counted": sure, "uncertain": int(odd.size), "at_most": most, "wanted": spec.count}
    if odd.size and sure <= spec.count <= most:
        return unmeasured("blobs of an odd size leave the count open", **evidence)
    return Finding(
        verdict="pass" if sure == spec.count and not odd.size else "fail",
        reason=f"{sure} objects of {spec.colour} are there, {spec.count} are wanted",
        evidence=evidence,
        box=pair.box(members),
    )


def iou(first: Mask, second: Mask) -> float:
    """Intersection over union; 1 for two empty masks."""
    union = int((first | second).sum())
    return float((first & second).sum() / union) if union else 1.0


def _window(mask: Mask) -> Mask:
    """The surroundings in which a stroke too much still counts: a quarter of the size, at least 6 px."""
    box = mask_box(mask)
    size = max(box[2] - box[0], box[3] - box[1]) if box else 0
    return grown(mask, max(6.0, 0.25 * size)) if box else mask


def _best_place(shape: Mask, drawn: Mask, area: Mask) -> Mask:
    """The shape, shifted within `area` to where it covers most of what was drawn."""
    import cv2

    box, reach = mask_box(shape), mask_box(area)
    if box is None or reach is None:
        return shape
    patch = shape[box[1] : box[3], box[0] : box[2]]
    window = drawn[reach[1] : reach[3], reach[0] : reach[2]]
    if patch.shape[0] > window.shape[0] or patch.shape[1] > window.shape[1]:
        return shape
    # A drawn pixel under the patch counts for it, one in its box but beside it against it.
    kernel = np.where(patch, 1.0, -1.0).astype(np.float32)
    score = cv2.matchTemplate(window.astype(np.float32), kernel, cv2.TM_CCORR)
    row, column = divmod(int(np.argmax(score)), score.shape[1])
    placed = np.zeros_like(shape)
    top, left = reach[1] + row, reach[0] + column
    placed[top : top + patch.shape[0], left : left + patch.shape[1]] = patch
    return placed
