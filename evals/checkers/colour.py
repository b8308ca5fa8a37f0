"""Colour checks: a region shows a colour; a region is filled evenly."""

from __future__ import annotations

import numpy as np

from editplan.evals.checkers.findings import Finding, graded, graded_down, unmeasured
from editplan.evals.checkers.pair import Pair, inset, lab_distance, lab_of
from editplan.evals.checkers.specs import ColourAt, ColourEven


def check_colour_at(spec: ColourAt, pair: Pair) -> Finding:
    """Share of the region's pixels within the tolerance of the colour."""
    mask = inset(pair.mask(spec.region), spec.inset_px)
    if not mask.any():
        return unmeasured("the region is empty")
    distance = lab_distance(pair.after_lab[mask], lab_of(spec.colour))
    share = float((distance <= spec.tolerance).mean())
    evidence = {"share": share, "median_delta_e": float(np.median(distance)), "pixels": int(mask.sum())}
    return Finding(
        verdict=graded(share, spec.pass_share, spec.partial_share),
        reason=f"{share:.1%} of the region shows {spec.colour}",
        evidence=evidence,
        box=pair.box(mask),
    )


def check_colour_even(spec: ColourEven, pair: Pair) -> Finding:
    """Mean CIE76 distance of the region's pixels from their median colour."""
    mask = inset(pair.mask(spec.region), spec.inset_px)
    if not mask.any():
        return unmeasured("the region is empty")
    values = pair.after_lab[mask]
    spread = float(lab_distance(values, np.median(values, axis=0)).mean())
    return Finding(
        verdict=graded_down(spread, spec.pass_spread, spec.fail_spread),
        reason=f"the fill spreads {spread:.1f} around its median colour",
        evidence={"spread_delta_e": spread, "pixels": int(mask.sum())},
        box=pair.box(mask),
    )
