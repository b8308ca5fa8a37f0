"""An output is brought onto its source before it is compared; real changes stay changes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from skimage import data

from editplan.evals.checkers.checker import measured
from editplan.evals.checkers.regions import box_region
from editplan.evals.checkers.registration import register
from editplan.evals.checkers.specs import UnchangedOutside

Picture = np.ndarray


def photo() -> Picture:
    import cv2

    return np.asarray(cv2.resize(data.coffee(), (450, 300), interpolation=cv2.INTER_AREA))


def warped(zoom: float, dx: float, dy: float) -> Callable[[Picture], Picture]:
    import cv2

    def move(image: Picture) -> Picture:
        height, width = image.shape[:2]
        matrix = np.array([[zoom, 0, dx + (1 - zoom) * width / 2], [0, zoom, dy + (1 - zoom) * height / 2]])
        flags, border = cv2.INTER_CUBIC, cv2.BORDER_REFLECT
        return np.asarray(cv2.warpAffine(image, matrix, (width, height), flags=flags, borderMode=border))

    return move


def scaled(factor: float) -> Callable[[Picture], Picture]:
    import cv2

    return lambda image: np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))


@pytest.mark.parametrize(
    ("treat", "note"),
    [
        (lambda image: image, ""),
        (warped(1.0, 4, -3), "moved by"),
        (warped(1.015, 2, 1), "moved by"),
        (warped(0.985, -2, 3), "moved by"),
        (scaled(1.5), "scaled from 675 x 450"),
        (scaled(0.75), "scaled from 338 x 225"),
    ],
)
def test_a_shift_a_zoom_or_another_size_is_no_damage_and_hides_none(
    treat: Callable[[Picture], Picture], note: str
) -> None:
    source = photo()
    edited = source.copy()
    edited[100:150, 150:200] = (200, 30, 30)
    damaged = edited.copy()
    damaged[200:235, 10:45] = damaged[200:235, 300:335]
    spec = UnchangedOutside(region=box_region((0.3, 0.3, 0.48, 0.54)))
    clean, spoiled = register(source, treat(edited)), register(source, treat(damaged))
    assert measured(spec, clean).verdict == "pass"
    assert measured(spec, spoiled).verdict == "fail"
    assert clean.note.startswith(note)
    assert clean.returned_size == treat(edited).shape[1::-1]


def test_an_unrelated_picture_is_not_bent_into_place() -> None:
    source = photo()
    other = register(source, np.ascontiguousarray(source[::-1, ::-1]))
    found = measured(UnchangedOutside(region=box_region((0.3, 0.3, 0.5, 0.5))), other)
    assert found.verdict == "fail"
