"""Mark checks: a region is singled out, a drawn line joins two places."""

from __future__ import annotations

import numpy as np

from editplan.evals.checkers.findings import Finding, graded_down, unmeasured
from editplan.evals.checkers.pair import Pair, lab_distance, lab_of
from editplan.evals.checkers.specs import PathConnects, RegionMarked
from editplan.evals.checkers.topology import joining
from editplan.pixels.masks import Mask, grown, without_holes

INK_DELTA_E = 10.0
"""Change from which a pixel counts as newly drawn."""
MIN_MARK_PX = 12
ENCLOSED = 0.6
"""Share of a region that a closed mark must hold, or its hull where it isn't quite closed."""
STRUCK = 0.05
"""Share of a region that strokes inside it must cover."""
WIDE = 9.0
"""A mark that holds more than this many times the region points at no one thing."""
REACH_PX = 4
"""How near a line's end must come to its place."""


def check_region_marked(spec: RegionMarked, pair: Pair) -> Finding:
    """New strokes hold the region and none of the others."""
    target = pair.mask(spec.region)
    if not target.any():
        return unmeasured("the region is empty")
    everywhere = np.ones(pair.shape, dtype=bool)
    marks = [mark for mark in _parts(pair.changed(everywhere, INK_DELTA_E)) if mark.sum() >= MIN_MARK_PX]
    hits = [mark for mark in marks if _holds(mark, target)]
    wrong = sum(any(_holds(mark, pair.mask(other)) for mark in marks) for other in spec.others)
    evidence: dict[str, float | int | str | bool] = {"marks": len(marks), "hits": len(hits), "others_marked": wrong}
    if not hits or wrong:
        reason = f"{wrong} other places are marked" if wrong else "nothing new marks the region"
        return Finding(verdict="fail", reason=reason, evidence=evidence, box=pair.box(target))
    mark = np.logical_or.reduce(hits)
    wide = float(without_holes(mark).sum() / target.sum())
    evidence["mark_to_region"] = wide
    fitting = _colour_share(pair, mark, spec.colour, spec.tolerance)
    if fitting is not None:
        evidence["colour_share"] = fitting
    narrow_enough = wide <= WIDE or bool(spec.others)
    return Finding(
        verdict="pass" if narrow_enough and (fitting is None or fitting >= 0.5) else "partial",
        reason="the region is marked",
        evidence=evidence,
        box=pair.box(mark),
    )


def check_path_connects(spec: PathConnects, pair: Pair) -> Finding:
    """A new line joins two places without a gap, and still does so when what lies on walls is taken away."""
    ink = pair.difference > INK_DELTA_E
    if spec.colour:
        ink &= lab_distance(pair.after_lab, lab_of(spec.colour)) <= spec.tolerance
    ink = np.asarray(ink)
    start, end = (grown(pair.mask(place), REACH_PX) for place in (spec.start, spec.end))
    free = pair.mask(spec.free) | start | end
    line = joining(ink, (start, end), None, spec.gap_px)
    if line is None:
        reason = "the drawn line doesn't join start and end" if ink.any() else "no line was drawn"
        return Finding(verdict="fail", reason=reason, evidence={"ink_px": int(ink.sum())}, box=pair.box(ink))
    outside = float((line & ~free).sum() / line.sum())
    evidence = {"ink_px": int(line.sum()), "outside_share": outside}
    if joining(ink, (start, end), np.asarray(free), spec.gap_px) is None:
        return Finding(
            verdict="fail",
            reason="the line crosses a wall",
            evidence=evidence,
            box=pair.box(np.asarray(line & ~free)),
        )
    return Finding(
        verdict=graded_down(outside, spec.pass_outside, spec.fail_outside),
        reason=f"the line joins start and end, {outside:.1%} of it outside the free way",
        evidence=evidence,
        box=pair.box(line),
    )


def _holds(mark: Mask, region: Mask) -> bool:
    """Whether a mark fills, strikes or encloses a region."""
    size = region.sum()
    if not size:
        return False
    if (mark & region).sum() >= STRUCK * size or (without_holes(mark) & region).sum() >= ENCLOSED * size:
        return True
    hull = _hull(mark)
    return bool((hull & region).sum() >= ENCLOSED * size and mark.sum() <= 0.5 * hull.sum())


def _hull(mask: Mask) -> Mask:
    import cv2

    rows, columns = np.nonzero(mask)
    corners = cv2.convexHull(np.stack([columns, rows], axis=1).astype(np.int32))
    canvas = np.zeros(mask.shape, dtype=np.uint8)
    cv2.fillConvexPoly(canvas, corners, 1)
    return canvas.astype(bool)


def _parts(mask: Mask) -> list[Mask]:
    import cv2

    count, numbered = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    return [np.asarray(numbered == number) for number in range(1, min(count, 200))]


def _colour_share(pair: Pair, mark: Mask, colour: str | None, tolerance: float) -> float | None:
    """Share of a mark in the wanted colour; its soft rim counts neither way."""
    if colour is None:
        return None
    strong = mark & (pair.difference > 2 * INK_DELTA_E)
    if not strong.any():
        return 0.0
    return float((lab_distance(pair.after_lab[strong], lab_of(colour)) <= tolerance).mean())
