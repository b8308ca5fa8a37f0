"""Preservation checks: what must not change, what must not remain, and the canvas."""

from __future__ import annotations

import numpy as np

from editplan.evals.checkers.findings import Finding, graded, graded_down, unmeasured, worst
from editplan.evals.checkers.pair import Pair, inset, lab_distance, lab_of, ring
from editplan.evals.checkers.specs import CanvasKept, NoResidue, UnchangedInside, UnchangedOutside
from editplan.pixels.masks import Mask, grown

CLEAR_RING = 0.6
"""A surrounding of which less shows one colour says nothing about what must be behind the region."""


def check_unchanged_outside(spec: UnchangedOutside, pair: Pair) -> Finding:
    """The largest connected change and the sum of all changes outside a region, as shares of the image."""
    region = pair.mask(spec.region)
    outside = ~grown(region, spec.margin_px) if region.any() else np.ones(pair.shape, dtype=bool)
    if not outside.any():
        return unmeasured("the region covers the whole image")
    changed = pair.changed(outside, spec.tolerance)
    blob = largest_blob(changed)
    blob_share, changed_share = float(blob.sum() / blob.size), float(changed.sum() / changed.size)
    evidence = {
        "changed_share": changed_share,
        "changed_px": int(changed.sum()),
        "largest_blob_px": int(blob.sum()),
    }
    parts = [
        (graded_down(blob_share, spec.pass_blob, spec.fail_blob), "largest connected change"),
        (graded_down(changed_share, spec.pass_changed, spec.fail_changed), "sum of changes"),
    ]
    findings = [
        Finding(
            verdict=verdict,
            reason=f"{changed_share:.2%} of the image changed outside the region ({what} decides)",
            evidence=evidence,
            box=pair.box(blob),
        )
        for verdict, what in parts
    ]
    return worst(findings)


def check_unchanged_inside(spec: UnchangedInside, pair: Pair) -> Finding:
    """Share of a region's pixels that changed."""
    mask = inset(pair.mask(spec.region), spec.inset_px)
    if not mask.any():
        return unmeasured("the region is empty")
    changed = pair.changed(mask, spec.tolerance)
    share = float(changed.sum() / mask.sum())
    return Finding(
        verdict=graded_down(share, spec.pass_changed, spec.fail_changed),
        reason=f"{share:.1%} of the region changed",
        evidence={"changed_share": share, "changed_px": int(changed.sum())},
        box=pair.box(changed) or pair.box(mask),
    )


def check_no_residue(spec: NoResidue, pair: Pair) -> Finding:
    """Share of a vacated region that shows the colour of its surroundings.

    A textured surrounding widens the tolerance by its own spread (90th percentile); one without a colour of its
    own abstains.
    """
    mask = pair.mask(spec.region)
    if not mask.any():
        return unmeasured("the region is empty")
    background, tolerance = (lab_of(spec.background), spec.tolerance) if spec.background else (None, 0.0)
    if background is None:
        around = ring(mask)
        if not around.any():
            return unmeasured("the region has no surroundings")
        values = pair.before_lab[around]
        background = np.median(values, axis=0)
        spread = lab_distance(values, background)
        clear = float((spread <= 2 * spec.tolerance).mean())
        if clear < CLEAR_RING:
            return unmeasured("the surroundings have no colour of their own", clear_share=clear)
        tolerance = max(
            spec.tolerance, min(float(np.percentile(spread, 90)), 2 * spec.tolerance) + spec.tolerance / 2
        )
    left = mask & (lab_distance(pair.after_lab, background) > tolerance)
    share = 1.0 - float(left.sum() / mask.sum())
    return Finding(
        verdict=graded(share, spec.pass_share, spec.partial_share),
        reason=f"{share:.1%} of the region looks like its surroundings",
        evidence={"clean_share": share, "residue_px": int(left.sum()), "tolerance_delta_e": float(tolerance)},
        box=pair.box(left) or pair.box(mask),
    )


def check_canvas_kept(spec: CanvasKept, pair: Pair) -> Finding:
    """Size and aspect of the output as it came, before registration."""
    (height, width), (got_width, got_height) = pair.shape, pair.returned_size
    aspect_change = abs((got_width / got_height) / (width / height) - 1.0)
    same = (got_width, got_height) == (width, height)
    return Finding(
        verdict="pass" if same else "partial" if aspect_change <= spec.aspect_tolerance else "fail",
        reason=f"the output is {got_width} x {got_height}, the source {width} x {height}",
        evidence={"aspect_change": aspect_change, "width_px": got_width, "height_px": got_height},
    )


def largest_blob(mask: Mask) -> Mask:
    """The largest 8-connected part of a mask; empty for an empty one."""
    import cv2

    count, numbered, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    if count < 2:
        return np.zeros_like(mask)
    return np.asarray(numbered == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA])))
