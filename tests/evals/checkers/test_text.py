"""Reading digits and capitals, or saying that they can't be read."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from editplan.evals.checkers.checker import measured
from editplan.evals.checkers.pair import Pair
from editplan.evals.checkers.regions import box_region
from editplan.evals.checkers.specs import TextEquals

PAPER = np.full((80, 240, 3), 235, dtype=np.uint8)


def written(text: str, size: int, face: str) -> np.ndarray:
    import cv2
    from PIL import Image, ImageDraw, ImageFont

    if face == "default":
        page = Image.fromarray(PAPER)
        ImageDraw.Draw(page).text((10, 12), text, fill=(30, 30, 60), font=ImageFont.load_default(size=size))
        return np.asarray(page)
    number = {"simplex": cv2.FONT_HERSHEY_SIMPLEX, "duplex": cv2.FONT_HERSHEY_DUPLEX}[face]
    return cv2.putText(PAPER.copy(), text, (10, 60), number, size / 22, (30, 30, 60), max(1, size // 12), cv2.LINE_AA)


def verdict(after: np.ndarray, text: str, before: np.ndarray = PAPER) -> str:
    spec = TextEquals(region=box_region((0, 0, 1, 1)), text=text)
    return measured(spec, Pair(before, after, (240, 80))).verdict


@pytest.mark.parametrize(("face", "size"), [("default", 24), ("simplex", 24), ("duplex", 40)])
def test_every_digit_is_read_and_none_for_another(face: str, size: int) -> None:
    for shown, wanted in itertools.product("0123456789", "0135678"):
        expected = "pass" if shown == wanted else "fail"
        assert verdict(written(shown, size, face), wanted) == expected, (shown, wanted)


@pytest.mark.parametrize("text", ["12", "407", "EXIT", "A7", "NORTH"])
@pytest.mark.parametrize("face", ["default", "simplex"])
def test_words_and_numbers_are_read(text: str, face: str) -> None:
    assert verdict(written(text, 30, face), text) == "pass"
    assert verdict(written(text, 30, face), text[:-1] + "3") == "fail"


def test_noise_does_not_change_the_reading() -> None:
    noisy = written("58", 36, "default") + np.random.default_rng(0).normal(0, 6, PAPER.shape)
    assert verdict(np.clip(noisy, 0, 255).astype(np.uint8), "58") == "pass"


def test_an_empty_region_fails() -> None:
    assert verdict(PAPER, "7") == "fail"


def test_unreadable_ink_abstains() -> None:
    scribble = PAPER.copy()
    scribble[30:50, 20:200:3] = 0
    scribble[34:36, 20:200] = 0
    assert verdict(scribble, "7") == "abstain"


def test_signs_that_the_reader_does_not_know_abstain() -> None:
    assert verdict(written("7", 30, "default"), "左") == "abstain"


def test_a_frame_that_was_there_is_no_writing() -> None:
    framed = PAPER.copy()
    framed[:3], framed[-3:], framed[:, :3], framed[:, -3:] = 0, 0, 0, 0
    after = np.minimum(written("6", 40, "default"), framed)
    assert verdict(after, "6", before=framed) == "pass"
