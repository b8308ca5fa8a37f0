"""Attribution: what an output realises, from pixels alone."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from editplan.evals.attribution import Attribution, attribute, noise_levels
from editplan.evals.suites.puzzles.making import make_puzzle
from editplan.evals.suites.puzzles.puzzle import Footprint, Puzzle
from editplan.pixels.masks import disc

Picture = NDArray[np.uint8]
FAMILIES = ("recolour", "move", "count", "maze", "legend")


@cache
def puzzle(family: str) -> Puzzle:
    return make_puzzle(77, 1, family, "easy")


def attributed(family: str, output: Picture | None) -> Attribution:
    return attribute(puzzle(family).source, output, puzzle(family).transitions)


def stained(step: Footprint, *, radius: int = 13) -> Picture:
    """The transition with a stain away from it."""
    height, width = step.picture.shape[:2]
    output = step.picture.copy()
    spots = ((40, 40), (width - 40, 40), (40, height - 40), (width - 40, height - 40), (width // 2, height // 2))
    for spot in spots:
        stain = disc((width, height), spot, radius)
        if not (stain & step.editable).any():
            output[stain] = (90, 20, 160)
            return output
    raise AssertionError("no room for a stain")


@pytest.mark.parametrize("family", FAMILIES)
def test_each_drawn_transition_is_found_by_name(family: str) -> None:
    for step in puzzle(family).transitions:
        found = attributed(family, step.picture)
        assert (found.realised, found.transition) == ("valid" if step.admissible else "invalid", step.name)


@pytest.mark.parametrize("family", FAMILIES)
def test_damage_elsewhere_is_told_from_a_clean_answer(family: str) -> None:
    found = attributed(family, stained(puzzle(family).solutions[0]))
    assert found.realised == "valid_damaged"
    assert found.damage_px > 300


@pytest.mark.parametrize("family", FAMILIES[:3])
def test_shift_blur_noise_and_coding_don_t_change_what_was_drawn(family: str) -> None:
    random = np.random.default_rng(5)
    picture = puzzle(family).solutions[0].picture
    shifted = cv2.warpAffine(
        picture,
        np.array([[1, 0, 4], [0, 1, -3]], dtype=np.float32),
        picture.shape[1::-1],
        borderMode=cv2.BORDER_REPLICATE,
    )
    soft = cv2.GaussianBlur(shifted, (0, 0), 0.8)
    noisy = np.clip(np.rint(soft + random.normal(0, 4, soft.shape)), 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", noisy[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 80])
    output = np.ascontiguousarray(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)[..., ::-1])
    found = attributed(family, output)
    assert (found.realised, found.transition) == ("valid", puzzle(family).solutions[0].name)


def test_a_copy_and_another_picture_realise_nothing() -> None:
    assert attributed("move", puzzle("move").source).realised == "none"
    assert attributed("move", puzzle("maze").source).realised == "none"


def test_a_missing_output_is_no_output() -> None:
    assert attributed("move", None).realised == "no_output"


def test_an_object_in_no_enumerated_place_realises_nothing() -> None:
    step = puzzle("move").solutions[0]
    figure = next(f for f in step.source.figures if f not in step.target.figures)
    height, width = puzzle("move").source.shape[:2]
    astray = step.source.swapped((figure, figure.moved((width // 2, height // 2))))
    assert attributed("move", astray.picture).realised in ("none", "unsure")


def test_another_shade_of_the_named_colour_is_the_same_transition() -> None:
    from editplan.pixels.colours import PALETTE, parse_hex

    step = puzzle("recolour").solutions[0]
    new = next(f for f in step.target.figures if f not in step.source.figures)
    other = next(parse_hex(value) for value in PALETTE[new.paint.name] if parse_hex(value) != new.rgb)
    output = step.picture.copy()
    output[new.mask(step.source.size)] = other
    assert attributed("recolour", output).transition == step.name


def test_a_number_in_another_hand_is_read() -> None:
    step = puzzle("count").solutions[0]
    number = step.words.split('"')[1]
    output = puzzle("count").source.copy()
    rows, columns = np.nonzero(step.changed)
    spot = int(columns.min()), int(rows.max())
    cv2.putText(output, number, spot, cv2.FONT_HERSHEY_SIMPLEX, 1.6, (200, 30, 30), 5, cv2.LINE_AA)
    assert attributed("count", output).transition == step.name


def test_what_is_too_noisy_is_not_attributed() -> None:
    random = np.random.default_rng(1)
    picture = puzzle("move").solutions[0].picture
    output = np.clip(picture + random.normal(0, 40, picture.shape), 0, 255).astype(np.uint8)
    assert attributed("move", output).realised == "unsure"


@pytest.mark.parametrize("sigma", [3.0, 10.0])
def test_noise_is_measured_in_levels(sigma: float) -> None:
    random = np.random.default_rng(2)
    grey = np.repeat(random.normal(128, sigma, (200, 200, 1)), 3, axis=2).astype(np.uint8)
    assert noise_levels(grey) == pytest.approx(sigma, rel=0.1)
