"""Similarity outside the allowed region: structure, colour and edges of an output that was rendered anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from editplan.evals.checkers.findings import Finding, graded, graded_down, unmeasured, worst
from editplan.evals.checkers.pair import Pair, Picture
from editplan.evals.checkers.specs import SimilarOutside
from editplan.pixels.masks import Mask, distance_outside, grown

SIGMA_PX = 1.5
WINDOW_PX = 11
"""The Gaussian window of SSIM (Wang et al. 2004, section III.B)."""
C1, C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
SOFT_PX = 1.5
"""Blur under which colours are compared, so that grain isn't a difference."""
PARTNER_PX = 2.5
"""How near an edge pixel's partner must lie."""
MIN_EDGE_PX = 40
"""With fewer edge pixels outside the region edges say nothing."""

Grey = NDArray[np.float32]


def check_similar_outside(spec: SimilarOutside, pair: Pair) -> Finding:
    """The worst of masked SSIM, mean colour difference and unmatched edges outside a region."""
    outside = _outside(spec, pair)
    if not outside.any():
        return unmeasured("the region covers the whole image")
    ssim = masked_ssim(pair.before, pair.after, outside)
    delta = float(_soft_difference(pair)[outside].mean())
    apart = unmatched_edges(pair.before, pair.after, outside)
    evidence = {"ssim": ssim, "mean_delta_e": delta, "unmatched_edge_share": -1.0 if apart is None else apart}
    parts = [
        (graded(ssim, spec.pass_ssim, spec.fail_ssim), f"structure {ssim:.3f} (SSIM)"),
        (graded_down(delta, spec.pass_delta_e, spec.fail_delta_e), f"mean colour difference {delta:.1f}"),
    ]
    if apart is not None:
        parts.append((graded_down(apart, spec.pass_edges, spec.fail_edges), f"{apart:.1%} of the edges differ"))
    findings = [
        Finding(verdict=verdict, reason=f"outside the region: {what}", evidence=evidence) for verdict, what in parts
    ]
    return worst(findings)


def ssim_map(before: Picture, after: Picture) -> Grey:
    """SSIM of the luma of two pictures at every pixel, H x W (Wang et al. 2004, equation 13)."""
    import cv2

    def mean(values: Grey) -> Grey:
        blurred = cv2.GaussianBlur(values, (WINDOW_PX, WINDOW_PX), SIGMA_PX, borderType=cv2.BORDER_REFLECT)
        return np.asarray(blurred, dtype=np.float32)

    first, second = (cv2.cvtColor(image, cv2.COLOR_RGB2GRAY).astype(np.float32) for image in (before, after))
    mu1, mu2 = mean(first), mean(second)
    var1, var2 = mean(first * first) - mu1 * mu1, mean(second * second) - mu2 * mu2
    covariance = mean(first * second) - mu1 * mu2
    value = ((2 * mu1 * mu2 + C1) * (2 * covariance + C2)) / ((mu1**2 + mu2**2 + C1) * (var1 + var2 + C2))
    return np.asarray(value, dtype=np.float32)


def masked_ssim(before: Picture, after: Picture, where: Mask) -> float:
    """Mean SSIM over the pixels whose whole window lies in `where`; over all of `where` if there is none."""
    deep = distance_outside(~where) > WINDOW_PX // 2 if not where.all() else where
    return float(ssim_map(before, after)[deep if deep.any() else where].mean())


def unmatched_edges(before: Picture, after: Picture, where: Mask) -> float | None:
    """Share of the edge pixels of either picture in `where` without an edge of the other near them."""
    from editplan.evals.checkers.gate import edges

    first, second = edges(before), edges(after)
    alone = total = 0
    for own, other in ((first, second), (second, first)):
        inside = own & where
        total += int(inside.sum())
        alone += int((distance_outside(other)[inside] > PARTNER_PX).sum()) if other.any() else int(inside.sum())
    return alone / total if total >= MIN_EDGE_PX else None


def _outside(spec: SimilarOutside, pair: Pair) -> Mask:
    region = pair.mask(spec.region)
    outside = ~grown(region, spec.margin_px) if region.any() else np.ones(pair.shape, dtype=bool)
    return np.asarray(outside if pair.seen is None else outside & pair.seen)


def _soft_difference(pair: Pair) -> NDArray[np.float32]:
    """CIE76 of both pictures after a slight blur."""
    import cv2

    first, second = (cv2.GaussianBlur(lab, (0, 0), SOFT_PX) for lab in (pair.before_lab, pair.after_lab))
    return np.asarray(np.sqrt(((first - second) ** 2).sum(axis=-1)), dtype=np.float32)
