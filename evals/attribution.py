"""Which transition an output realises, from pixels alone: no plan, no instruction, no judge is read.

An output is compared with the source and with every enumerated transition as the generator renders it. That
allows for what editors do without changing the meaning: a shift of some pixels (of all or of what was drawn), soft
edges, coding and sensor noise. Between clear cases the answer is `unsure`: it counts as an abstention.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from editplan.evals.checkers.checker import measured
from editplan.evals.checkers.gate import RELATED_SHARE, edges, related_share
from editplan.evals.checkers.pair import Lab, Pair, Picture, lab_distance
from editplan.evals.checkers.preservation import largest_blob
from editplan.evals.checkers.registration import register
from editplan.evals.checkers.specs import CheckSpec
from editplan.pixels.lab import srgb_to_lab
from editplan.pixels.masks import Mask, distance_outside, grown, mask_box
from editplan.records import Record

Realised = Literal["valid", "valid_damaged", "invalid", "none", "no_output", "unsure"]
"""A valid transition, clean or with damage elsewhere; an invalid one (solution-recovery error); none of them
(visual-execution error); no output; not to be told."""

REACH_PX = 6
"""How far from its exact place a transition may be drawn."""
SURE, DOUBTFUL = 0.75, 0.45
"""Share of every changed place that must look like the transition; below the second it isn't it."""
NEAR_DELTA_E = 22.0
"""How far a pixel may be from the transition's colour."""
APART_DELTA_E = 4.0
"""Pixels that a transition changes by less tell nothing."""
RIVAL = 1.25
"""A transition whose misfit is below this multiple of the best one's can't be told from it."""
DAMAGE_DELTA_E = 8.0
CLEAN_BLOB, DAMAGED_BLOB = 0.00025, 0.0006
"""Largest connected change outside the transition's reach, as a share of the picture: up to the first it is clean,
from the second it is damaged."""
BLUR_SIGMAS = (0.6, 1.0, 1.4, 1.8, 2.4)
"""Softness of outputs, in pixels, for which the source is softened before they are compared."""
LEAST_NOISE_DELTA_E = 0.3
"""Below this an output is compared as it is, from here on smoothed."""
MAX_NOISE_LEVELS = 16.0
"""An output with more noise than this (standard deviation, of 255) isn't attributed."""
_LEAST_PLACE_PX = 16


class Enumerated(Protocol):
    """A transition with its truth: `puzzles.Footprint`, or anything like it."""

    @property
    def name(self) -> str: ...

    @property
    def admissible(self) -> bool: ...

    @property
    def picture(self) -> Picture: ...

    @property
    def editable(self) -> Mask: ...

    @property
    def checks(self) -> tuple[CheckSpec, ...]: ...


class Attribution(Record):
    """What an output realises."""

    realised: Realised
    transition: str = ""
    """The name of the enumerated transition; empty where it is none."""
    share: float = 0.0
    """How much of the transition's least realised place looks like it, 0..1."""
    damage_px: int = 0
    """Largest connected change that the transition doesn't explain."""
    reason: str = ""


@dataclass(frozen=True)
class _Match:
    """How well one transition fits."""

    step: Enumerated
    share: float
    misfit: float
    """Mean difference (CIE76) around the changed places at the best shift."""
    unexplained_px: int


def attribute(
    source: Picture, output: Picture | None, transitions: Sequence[Enumerated], *, allow: int = REACH_PX
) -> Attribution:
    """The transition that an output (H x W x 3, uint8, any size; None = missing) realises.

    `allow` is the shift in pixels at which a transition still counts as drawn.
    """
    if output is None:
        return Attribution(realised="no_output", reason="there is no output")
    pair = register(source, output)
    noise = noise_levels(pair.after) - noise_levels(source)
    if noise > MAX_NOISE_LEVELS:
        return Attribution(realised="unsure", reason=f"too noisy to tell: {noise:.0f} levels of 255")
    reached = np.logical_or.reduce([step.editable for step in transitions])
    kept = edges(source) & ~reached
    related = related_share(kept, edges(pair.after)) if kept.any() else 1.0
    if related < RELATED_SHARE:
        return Attribution(realised="none", reason=f"another picture: {related:.0%} of the source's edges are left")
    calm = _calmed(pair)
    matches = [_match(step, pair, calm, allow) for step in transitions]
    return _decided(matches, pair)


@dataclass(frozen=True, eq=False)
class _Calm:
    """A pair of which both images are smoothed alike, as far as the output's noise asks for."""

    pair: Pair
    tolerance: float
    """From which difference (CIE76) a pixel counts as changed."""


def _calmed(pair: Pair) -> _Calm:
    """The pair with the source softened as the output is, and both smoothed where the output is noisy.

    The noise is the typical difference beyond a common one: a repainted ground is none, coding artefacts are.
    """
    before = _as_soft(pair.before, pair.after)
    calm = pair if before is pair.before else Pair(before, pair.after, pair.returned_size, pair.note, pair.seen)
    change = pair.after_lab - pair.before_lab
    noise = float(np.median(lab_distance(change, np.median(change[::4, ::4].reshape(-1, 3), axis=0))))
    if noise < LEAST_NOISE_DELTA_E:
        return _Calm(calm, DAMAGE_DELTA_E)
    before, after = (np.asarray(cv2.GaussianBlur(image, (0, 0), 1.6), np.uint8) for image in (before, pair.after))
    return _Calm(Pair(before, after, pair.returned_size, pair.note, pair.seen), DAMAGE_DELTA_E + noise)


def _as_soft(source: Picture, output: Picture) -> Picture:
    """The source blurred by the amount under which most of its edges agree best with the output's."""
    at = edges(source)
    if not at.any():
        return source

    def gap(image: Picture) -> float:
        return float(np.minimum(cv2.absdiff(image[at], output[at]), 48).mean())

    softer = [np.asarray(cv2.GaussianBlur(source, (0, 0), sigma), np.uint8) for sigma in BLUR_SIGMAS]
    return min((source, *softer), key=gap)


def _decided(matches: Sequence[_Match], pair: Pair) -> Attribution:
    """The transition that fits and leaves the least unexplained, or the reason why there is none."""
    fitting = [match for match in matches if match.share >= SURE]
    if not fitting:
        closest = max(matches, key=lambda match: match.share)
        return Attribution(
            realised="unsure" if closest.share >= DOUBTFUL else "none",
            share=closest.share,
            reason=f"nearest is {closest.step.name}, realised by {closest.share:.0%}",
        )
    size = pair.before.shape[0] * pair.before.shape[1]
    least = min(match.unexplained_px for match in fitting)
    explaining = [match for match in fitting if match.unexplained_px <= least + CLEAN_BLOB * size]
    best = min(explaining, key=lambda match: match.misfit)
    for rival in explaining:
        if rival.step.admissible != best.step.admissible and rival.misfit < RIVAL * best.misfit:
            return _found("unsure", best, f"{rival.step.name} fits as well")
    if not best.step.admissible:
        return _found("invalid", best, "an inadmissible transition was drawn")
    damage = best.unexplained_px / size
    if damage <= CLEAN_BLOB:
        return _found("valid", best, "an admissible transition was drawn, and nothing else changed")
    if damage < DAMAGED_BLOB:
        return _found("unsure", best, "a small change elsewhere may be noise or damage")
    return _found("valid_damaged", best, "an admissible transition was drawn, and something else changed")


def _found(realised: Realised, match: _Match, reason: str) -> Attribution:
    return Attribution(
        realised=realised,
        transition=match.step.name,
        share=match.share,
        damage_px=match.unexplained_px,
        reason=reason,
    )


def _match(step: Enumerated, pair: Pair, calm: _Calm, allow: int) -> _Match:
    share, misfit = _drawn(step, pair, allow)
    if share < SURE and step.checks and all(measured(check, pair).verdict == "pass" for check in step.checks):
        share = 1.0
    outside = np.asarray(~grown(step.editable, 2))
    unexplained = int(largest_blob(calm.pair.changed(outside, calm.tolerance)).sum()) if share >= SURE else 0
    return _Match(step, share, misfit, unexplained)


def _drawn(step: Enumerated, pair: Pair, allow: int) -> tuple[float, float]:
    """Over the connected places that a transition changes: the least share that looks like it at its best shift, and
    the mean misfit."""
    places = _places(np.asarray((step.picture != pair.before).any(axis=-1)))
    if not places:
        return 0.0, float("inf")
    least, misfits = 1.0, []
    for place in places:
        share, misfit = _place(place, step.picture, pair, allow)
        misfits.append(misfit)
        least = min(least, share)
        if least < DOUBTFUL:
            break
    return least, float(np.mean(misfits))


def _places(changed: Mask) -> list[Mask]:
    """The connected parts of a change; what lies within four pixels belongs together, specks belong nowhere."""
    count, numbered = cv2.connectedComponents(grown(changed, 2).astype(np.uint8), connectivity=8)
    parts = [np.asarray(changed & (numbered == number)) for number in range(1, count)]
    return [part for part in parts if part.sum() >= _LEAST_PLACE_PX]


def _place(place: Mask, target: Picture, pair: Pair, allow: int) -> tuple[float, float]:
    """How a place was drawn: the share of its core that has the target's colour rather than the source's, and the
    mean difference from the target around it; both at the shift where the share is best."""
    window = _window(place, allow + 3)
    after, before, wanted = (_soft_lab(image[window]) for image in (pair.after, pair.before, target))
    rows, columns = np.nonzero(_core(place[window]) & (lab_distance(wanted, before) > APART_DELTA_E))
    if not rows.size:
        return 0.0, float("inf")
    old, new = before[rows, columns], wanted[rows, columns]
    best, at = -1.0, (0, 0)
    for dy, dx in _shifts(allow):
        spots = np.clip(rows + dy, 0, after.shape[0] - 1), np.clip(columns + dx, 0, after.shape[1] - 1)
        seen = after[spots]
        to_new = lab_distance(seen, new)
        share = float(((to_new < lab_distance(seen, old)) & (to_new < NEAR_DELTA_E)).mean())
        if share > best:
            best, at = share, (dy, dx)
        if best > 0.98:
            break
    return best, _misfit(after, wanted, at)


def _misfit(after: Lab, wanted: Lab, near: tuple[int, int]) -> float:
    """The least mean difference of a window from the target, at a shift and around it."""
    gaps = []
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            shifted = np.roll(after, (-near[0] - dy, -near[1] - dx), axis=(0, 1))
            gaps.append(float(np.minimum(lab_distance(shifted, wanted), 2 * NEAR_DELTA_E).mean()))
    return min(gaps)


def _window(place: Mask, pad: int) -> tuple[slice, slice]:
    """Rows and columns of a place with a rim."""
    box = mask_box(place)
    assert box is not None, "places hold pixels"
    x1, y1, x2, y2 = box
    return slice(max(y1 - pad, 0), y2 + pad), slice(max(x1 - pad, 0), x2 + pad)


def _core(place: Mask) -> Mask:
    """A place without its soft rim of two pixels; thin strokes keep their middle."""
    depth = distance_outside(np.asarray(~place))
    for rim in (2.0, 1.0):
        core = np.asarray(depth > rim)
        if core.sum() >= max(0.3 * place.sum(), _LEAST_PLACE_PX):
            return core
    return place


def _shifts(allow: int) -> list[tuple[int, int]]:
    """Shifts up to `allow` pixels each way in steps of two, the smallest first."""
    steps = range(-allow, allow + 1, 2)
    return sorted(((dy, dx) for dy in steps for dx in steps), key=lambda shift: shift[0] ** 2 + shift[1] ** 2)


def _soft_lab(image: Picture) -> Lab:
    """Lab of a slightly blurred image, so that noise averages out."""
    return srgb_to_lab(np.asarray(cv2.GaussianBlur(np.ascontiguousarray(image), (0, 0), 1.2), dtype=np.uint8))


def noise_levels(image: NDArray[np.uint8]) -> float:
    """The standard deviation of an image's noise in levels of 255.

    From the median absolute response of a mask that flat and sloping areas leave at 0 (Immerkaer 1996), so that edges
    of drawings don't count.
    """
    mask = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], dtype=np.float32)
    grey = cv2.cvtColor(np.ascontiguousarray(image), cv2.COLOR_RGB2GRAY).astype(np.float32)
    response = np.abs(cv2.filter2D(grey, -1, mask))
    return float(np.median(response) / 0.6745 / 6.0)
