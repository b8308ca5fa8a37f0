"""Marks and paths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from editplan.evals.checkers.checker import measured
from editplan.evals.checkers.regions import mask_region
from editplan.evals.checkers.registration import register
from editplan.evals.checkers.specs import PathConnects, RegionMarked

RED = (220, 30, 30)


def with_ring(image: np.ndarray, x: int, y: int, radius: int, colour: tuple[int, int, int] = RED) -> np.ndarray:
    import cv2

    return cv2.circle(image.copy(), (x, y), radius, colour, 3, cv2.LINE_AA)


def with_cross(image: np.ndarray, x: int, y: int, arm: int) -> np.ndarray:
    import cv2

    marked = cv2.line(image.copy(), (x - arm, y - arm), (x + arm, y + arm), RED, 3)
    return cv2.line(marked, (x - arm, y + arm), (x + arm, y - arm), RED, 3)


def test_a_ring_or_a_cross_singles_out_one_thing(scene: Any, finding: Any) -> None:
    spec = RegionMarked(
        region=scene.square.region, others=(scene.disc.region, scene.triangle.region), colour="#dc1e1e"
    )
    image = scene.draw()
    verdicts = {
        "ring": finding(spec, with_ring(image, 170, 55, 30)).verdict,
        "cross": finding(spec, with_cross(image, 170, 55, 14)).verdict,
        "wrong thing": finding(spec, with_ring(image, 50, 50, 26)).verdict,
        "both": finding(spec, with_ring(with_ring(image, 50, 50, 26), 170, 55, 30)).verdict,
        "around all": finding(spec, with_ring(image, 110, 90, 160)).verdict,
        "nothing": finding(spec, image).verdict,
        "wrong colour": finding(spec, with_ring(image, 170, 55, 30, (20, 20, 20))).verdict,
    }
    assert verdicts == {
        "ring": "pass",
        "cross": "pass",
        "wrong thing": "fail",
        "both": "fail",
        "around all": "fail",
        "nothing": "fail",
        "wrong colour": "partial",
    }


def test_a_ring_with_a_gap_still_marks(scene: Any, finding: Any) -> None:
    import cv2

    marked = cv2.ellipse(scene.draw(), (170, 55), (30, 30), 0, 20, 350, RED, 3, cv2.LINE_AA)
    assert finding(RegionMarked(region=scene.square.region), marked).verdict == "pass"


def test_a_mark_around_half_the_picture_points_at_nothing(scene: Any, finding: Any) -> None:
    spec = RegionMarked(region=scene.square.region)
    assert finding(spec, with_ring(scene.draw(), 130, 90, 85)).verdict == "partial"


WALL = slice(60, 100), slice(118, 122)


def corridor() -> tuple[np.ndarray, PathConnects]:
    """A hall with a wall in its middle, open below; start on the left, end on the right."""
    image = np.full((160, 240, 3), 240, dtype=np.uint8)
    image[WALL] = 20
    free = np.ones(image.shape[:2], dtype=bool)
    free[WALL] = False
    start, end = np.zeros_like(free), np.zeros_like(free)
    start[76:84, 16:24], end[76:84, 216:224] = True, True
    spec = PathConnects(start=mask_region(start), end=mask_region(end), free=mask_region(free))
    return image, spec


def path(image: np.ndarray, *corners: tuple[int, int]) -> np.ndarray:
    import cv2

    return cv2.polylines(image.copy(), [np.array(corners, dtype=np.int32)], False, RED, 3)


AROUND = ((20, 80), (100, 80), (100, 130), (140, 130), (140, 80), (220, 80))


def path_verdict(after: np.ndarray, **options: Any) -> Any:
    image, spec = corridor()
    return measured(spec.model_copy(update=options), register(image, after))


def test_a_path_around_the_wall_passes() -> None:
    assert path_verdict(path(corridor()[0], *AROUND)).verdict == "pass"


def test_a_path_through_the_wall_fails_and_says_so() -> None:
    found = path_verdict(path(corridor()[0], (20, 80), (220, 80)))
    assert (found.verdict, found.reason) == ("fail", "the line crosses a wall")


@pytest.mark.parametrize(("gap_px", "verdict"), [(0, "fail"), (4, "pass")])
def test_a_gap_of_two_pixels_breaks_a_path_unless_it_is_allowed(gap_px: int, verdict: str) -> None:
    image = corridor()[0]
    drawn = path(image, *AROUND)
    drawn[:, 60:62] = image[:, 60:62]
    assert path_verdict(drawn, gap_px=gap_px).verdict == verdict


def test_a_route_that_stops_short_or_was_never_drawn_fails() -> None:
    image = corridor()[0]
    assert path_verdict(path(image, *AROUND[:-1])).verdict == "fail"
    assert path_verdict(image).reason == "no line was drawn"


def test_a_line_in_the_wrong_colour_is_no_path() -> None:
    assert path_verdict(path(corridor()[0], *AROUND), colour="#1e1edc").verdict == "fail"
