"""Confusion matrix of attribution on scripted outputs.

Every transition of `puzzles` cases is drawn with distortions that editors add (shift of the drawn part or of the
picture, blur, JPEG, colour noise) in rising strength; admissible ones also with damage elsewhere, and copies and
unrelated pictures stand for outputs that realise nothing.

    python benchmarks/attribution.py --cases 60 --seed 11
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from editplan.evals.attribution import Realised, attribute
from editplan.evals.suites.puzzles.puzzle import Footprint, Puzzle
from editplan.evals.suites.puzzles.suite import PuzzleOptions, PuzzleSuite

Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Distortion:
    """What is done to a drawn output."""

    name: str
    part_shift_px: int = 0
    """Of what the transition adds; what it takes away stays in place."""
    whole_shift_px: int = 0
    blur_sigma: float = 0.0
    jpeg_quality: int = 0
    noise_levels: float = 0.0


LEVELS = (
    Distortion("exact"),
    Distortion("mild", part_shift_px=2, blur_sigma=0.6, jpeg_quality=90, noise_levels=2),
    Distortion("part shifted 6 px", part_shift_px=6),
    Distortion("picture shifted 6 px", whole_shift_px=6),
    Distortion("blur 1.5", blur_sigma=1.5),
    Distortion("JPEG 50", jpeg_quality=50),
    Distortion("noise 8", noise_levels=8),
    Distortion("stated limit", part_shift_px=4, whole_shift_px=3, blur_sigma=1.0, jpeg_quality=60, noise_levels=6),
    Distortion("beyond", part_shift_px=6, whole_shift_px=6, blur_sigma=2.5, jpeg_quality=25, noise_levels=14),
)
"""The claim of 95% right or abstained is made for all but the last."""


@dataclass(frozen=True, eq=False)
class Scripted:
    """An output of known truth."""

    truth: Realised
    transition: str
    picture: Picture | None


def scripted(
    puzzle: Puzzle, other: Picture, random: np.random.Generator, distortion: Distortion
) -> Iterator[Scripted]:
    """All scripted outputs of one case."""
    for step in puzzle.transitions:
        drawn = shifted_part(puzzle.source, step, distortion.part_shift_px, random)
        yield Scripted("valid" if step.admissible else "invalid", step.name, distorted(drawn, random, distortion))
        if step.admissible:
            stained = damaged(drawn, step, random)
            yield Scripted("valid_damaged", step.name, distorted(stained, random, distortion))
    yield Scripted("none", "", distorted(puzzle.source, random, distortion))
    yield Scripted("none", "", distorted(other, random, distortion))
    yield Scripted("no_output", "", None)


def shifted_part(source: Picture, step: Footprint, limit: int, random: np.random.Generator) -> Picture:
    """The transition with all that it adds moved by up to `limit` pixels each way."""
    if not limit or step.source.size != step.target.size:
        return step.picture
    dx, dy = (int(value) for value in random.integers(-limit, limit + 1, size=2))
    added = [thing for thing in step.target.things if thing not in step.source.things]
    kept = step.target.without(*added)
    layer = step.target.mask(*added)
    moved = np.roll(layer, (dy, dx), axis=(0, 1))
    result = kept.picture.copy()
    rows, columns = np.nonzero(moved)
    back = (rows - dy) % layer.shape[0], (columns - dx) % layer.shape[1]
    result[rows, columns] = step.picture[back]
    return result


def damaged(picture: Picture, step: Footprint, random: np.random.Generator) -> Picture:
    """A round stain of 24 px somewhere outside the transition's reach."""
    height, width = picture.shape[:2]
    result = picture.copy()
    while True:
        x, y = int(random.integers(20, width - 20)), int(random.integers(20, height - 20))
        stain = np.zeros((height, width), dtype=np.uint8)
        cv2.circle(stain, (x, y), 12, 1, -1)
        if not (stain.astype(bool) & step.editable).any():
            break
    colour = (picture[y, x].astype(int) + np.array([90, 128, 60])) % 256
    result[stain.astype(bool)] = colour
    return result


def distorted(picture: Picture, random: np.random.Generator, distortion: Distortion) -> Picture:
    """The picture after shift, blur, noise and JPEG."""
    limit = distortion.whole_shift_px
    if limit:
        dx, dy = (float(value) for value in random.integers(-limit, limit + 1, size=2))
        size = (picture.shape[1], picture.shape[0])
        matrix = np.array([[1, 0, dx], [0, 1, dy]], dtype=np.float32)
        picture = np.asarray(cv2.warpAffine(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)
    if distortion.blur_sigma:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), distortion.blur_sigma), dtype=np.uint8)
    if distortion.noise_levels:
        noise = random.normal(0, distortion.noise_levels, picture.shape)
        picture = np.clip(np.rint(picture + noise), 0, 255).astype(np.uint8)
    if distortion.jpeg_quality:
        _, data = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, distortion.jpeg_quality])
        picture = np.ascontiguousarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1])
    return picture


def confusion(cases: int, seed: int, distortion: Distortion) -> Counter[tuple[str, str]]:
    """How often each truth was called what; a right kind with the wrong transition is called `wrong_transition`."""
    suite = PuzzleSuite(PuzzleOptions(count=cases, seed=seed))
    random = np.random.default_rng(seed)
    counts: Counter[tuple[str, str]] = Counter()
    previous = suite.puzzle(cases - 1).source
    for puzzle in suite.puzzles():
        for item in scripted(puzzle, previous, random, distortion):
            found = attribute(puzzle.source, item.picture, puzzle.transitions)
            right_step = found.transition == item.transition or found.realised != item.truth
            counts[item.truth, found.realised if right_step else "wrong_transition"] += 1
        previous = puzzle.source
    return counts


def right_or_abstained(counts: Counter[tuple[str, str]]) -> float:
    """Share of outputs that were called what they are, or `unsure`."""
    good = sum(n for (truth, called), n in counts.items() if called in (truth, "unsure"))
    return good / counts.total()


def main() -> None:
    """Prints one matrix for each level of distortion."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    for distortion in LEVELS:
        counts = confusion(options.cases, options.seed, distortion)
        unsure = sum(n for (_, called), n in counts.items() if called == "unsure") / counts.total()
        print(f"{distortion.name}: {right_or_abstained(counts):.1%} right or abstained ({unsure:.1%} abstained)")
        for truth in ("valid", "valid_damaged", "invalid", "none", "no_output"):
            row = {called: n for (of, called), n in sorted(counts.items()) if of == truth}
            print(f"  {truth:14}", "  ".join(f"{called} {n}" for called, n in row.items()))


if __name__ == "__main__":
    main()
