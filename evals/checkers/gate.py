"""The computed quality gate: is there an output that can be judged at all? A merely wrong edit passes."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from editplan.evals.checkers.pair import Pair
from editplan.evals.checkers.registration import register
from editplan.evals.contracts import Contract
from editplan.evals.verdicts import GateVerdict
from editplan.pixels.masks import Mask, distance_outside

Absence = Literal["missing", "undecodable"]

BLANK_SHARE = 0.9995
BLANK_LEVELS = 6
"""An output is blank where this share of its pixels lies within so many levels of its median colour."""
RELATED_SHARE = 0.4
RELATED_PX = 3.0
"""Least share of the source's edge pixels that must have an edge of the output so near."""
FAINTEST = 30.0
"""Least gradient of an edge (sum of both Sobel components of 8-bit levels)."""
DENSE, SPARSE = 0.03, 0.01
"""Shares of the pixels that may be steep enough to start an edge, in a plain and in a textured picture."""
MIN_EDGE_PX = 40
"""A source with fewer edge pixels outside the editable region can't be told apart from other pictures."""


def gate(contract: Contract, before: NDArray[np.uint8], after: NDArray[np.uint8] | Absence) -> GateVerdict:
    """The gate of one output: missing, undecodable, blank or unrelated to its source fails."""
    if isinstance(after, str):
        return _absent(after)
    return gate_pair(contract, register(before, after))


def gate_pair(contract: Contract, pair: Pair) -> GateVerdict:
    """The gate of an output that is already registered to its source."""
    blank = blank_share(pair.after)
    if blank >= BLANK_SHARE:
        evidence: dict[str, float | int | str | bool] = {"one_colour_share": blank}
        if contract.allows_blank:
            return GateVerdict(status="pass", reason="blank, which this contract allows", evidence=evidence)
        return GateVerdict(status="fail", reason="the output is blank", evidence=evidence)
    editable = pair.mask(contract.editable) if contract.editable else np.zeros(pair.shape, dtype=bool)
    source = edges(pair.before) & ~editable
    if source.sum() < MIN_EDGE_PX:
        return GateVerdict(
            status="pass",
            reason="the source has too few edges to tell pictures apart",
            evidence={"source_edge_px": int(source.sum())},
        )
    share = related_share(source, edges(pair.after))
    related = share >= RELATED_SHARE
    return GateVerdict(
        status="pass" if related else "fail",
        reason="" if related else "the output shows another picture",
        evidence={"related_share": share, "source_edge_px": int(source.sum())},
    )


def blank_share(image: NDArray[np.uint8]) -> float:
    """Share of an image's pixels that show its median colour (of every third row and column)."""
    import cv2

    colour = np.median(image[::3, ::3].reshape(-1, 3), axis=0)
    low, high = np.ceil(colour - BLANK_LEVELS), np.floor(colour + BLANK_LEVELS)
    return float(cv2.countNonZero(cv2.inRange(image, low, high)) / (image.shape[0] * image.shape[1]))


def edges(image: NDArray[np.uint8]) -> Mask:
    """The strongest edges of an image, by the channel that shows each best.

    The threshold follows the image: dense texture and photographs give no more edges than drawings do (else every
    picture would lie near every other), noise gives none, and a darker or softer copy keeps its edges.
    """
    import cv2

    soft = cv2.GaussianBlur(image, (0, 0), 1.2)
    across, down = (cv2.Sobel(soft, cv2.CV_16S, dx, dy) for dx, dy in ((1, 0), (0, 1)))
    strength = np.abs(across) + np.abs(down)
    best = np.argmax(strength, axis=-1)[..., None]
    across, down, strength = (np.take_along_axis(part, best, axis=-1)[..., 0] for part in (across, down, strength))
    common, rare, typical = np.quantile(strength, [1 - DENSE, 1 - SPARSE, 0.5])
    high = max(FAINTEST, float(common), min(4.0 * float(typical), float(rare)))
    found = cv2.Canny(np.ascontiguousarray(across), np.ascontiguousarray(down), 0.4 * high, high)
    return np.asarray(found > 0)


def related_share(source: Mask, output: Mask) -> float:
    """Share of the source's edge pixels with an edge of the output within `RELATED_PX`."""
    if not output.any():
        return 0.0
    return float((distance_outside(output)[source] <= RELATED_PX).mean())


def _absent(after: Absence) -> GateVerdict:
    reason = "there is no output" if after == "missing" else "the output is no readable image"
    return GateVerdict(status="fail", reason=reason)
