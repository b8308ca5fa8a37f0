"""Parts, boxes, containment, order, links; what joins is told from what a wall, a gap or an end keeps apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from editplan.evals.checkers.checker import measured
from editplan.evals.checkers.findings import Finding
from editplan.evals.checkers.regions import box_region, mask_region
from editplan.evals.checkers.registration import register
from editplan.evals.checkers.specs import PathConnects
from editplan.evals.checkers.topology_specs import BoxAt, Contained, Linked, Ordered, PartCount

WIDTH, HEIGHT = 240, 160
PAPER, RED, BLUE, GREEN, INK = (240, 238, 232), (205, 40, 40), (40, 70, 200), (40, 150, 70), (25, 25, 30)
EVERYWHERE = box_region((0.0, 0.0, 1.0, 1.0))


def hexed(colour: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def paper() -> np.ndarray:
    return np.full((HEIGHT, WIDTH, 3), PAPER, dtype=np.uint8)


def squares(*places: tuple[int, int, tuple[int, int, int]], side: int = 20) -> np.ndarray:
    image = paper()
    for x, y, colour in places:
        image[y : y + side, x : x + side] = colour
    return image


def found(spec: Any, after: np.ndarray) -> Finding:
    return measured(spec, register(paper(), after))


def box(x1: float, y1: float, x2: float, y2: float) -> tuple[float, float, float, float]:
    return x1 / WIDTH, y1 / HEIGHT, x2 / WIDTH, y2 / HEIGHT


@pytest.mark.parametrize(("drawn", "verdict"), [(3, "pass"), (2, "fail"), (4, "fail"), (0, "fail")])
def test_parts_of_a_colour_are_counted(drawn: int, verdict: str) -> None:
    image = squares(*[(20 + 40 * at, 30, RED) for at in range(drawn)], (20, 100, BLUE))
    assert found(PartCount(region=EVERYWHERE, colour=hexed(RED), count=3), image).verdict == verdict


def test_a_speck_leaves_a_count_open_only_where_it_could_decide_it() -> None:
    image = squares((20, 30, RED), (80, 30, RED))
    image[100:104, 100:104] = RED
    spec = PartCount(region=EVERYWHERE, colour=hexed(RED), count=3)
    assert found(spec, image).verdict == "abstain"
    assert found(spec.model_copy(update={"count": 2}), image).verdict == "abstain"
    assert found(spec.model_copy(update={"count": 5}), image).verdict == "fail"


def test_holes_tell_a_ring_from_a_disc() -> None:
    import cv2

    disc = cv2.circle(paper(), (120, 80), 40, RED, -1)
    ring = cv2.circle(paper(), (120, 80), 40, RED, 8)
    spec = PartCount(region=EVERYWHERE, colour=hexed(RED), count=1, holes=1)
    assert (found(spec, ring).verdict, found(spec, disc).verdict) == ("pass", "fail")
    split = ring.copy()
    split[:, 118:122] = PAPER
    assert found(spec.model_copy(update={"count": 2}), split).evidence["holes"] == 0


@pytest.mark.parametrize(("shift", "verdict"), [(0, "pass"), (2, "partial"), (8, "partial"), (30, "fail")])
def test_a_box_is_compared_by_its_overlap(shift: int, verdict: str) -> None:
    image = squares((100 + shift, 60, RED), side=24)
    spec = BoxAt(region=EVERYWHERE, colour=hexed(RED), box=box(100, 60, 124, 84))
    assert found(spec, image).verdict == verdict


def test_containment_needs_a_closed_outline() -> None:
    import cv2

    def scene(x: int, *, closed: bool) -> np.ndarray:
        image = cv2.rectangle(paper(), (80, 40), (160, 120), INK, 3)
        if not closed:
            image[38:44, 100:110] = PAPER
        image[70:90, x : x + 20] = RED
        return image

    spec = Contained(region=EVERYWHERE, colour=hexed(RED), outline=hexed(INK))
    verdicts = [found(spec, scene(x, closed=closed)).verdict for x, closed in ((110, True), (110, False), (20, True))]
    assert verdicts == ["pass", "fail", "fail"]
    placed = Contained(region=EVERYWHERE, colour=hexed(RED), place=box_region(box(100, 60, 140, 100)))
    assert found(placed, squares((110, 70, RED))).verdict == "pass"
    assert found(placed, squares((123, 70, RED))).verdict == "partial"


def test_containment_wants_exactly_one_container() -> None:
    with pytest.raises(ValidationError, match="either a place or the colour of an outline"):
        Contained(region=EVERYWHERE, colour=hexed(RED))


@pytest.mark.parametrize(
    ("direction", "verdict"), [("right", "pass"), ("left", "fail"), ("down", "pass"), ("up", "fail")]
)
def test_order_is_read_in_the_direction(direction: str, verdict: str) -> None:
    image = squares((20, 10, RED), (90, 60, GREEN), (170, 110, BLUE))
    spec = Ordered(region=EVERYWHERE, colours=tuple(map(hexed, (RED, GREEN, BLUE))), direction=direction)
    assert found(spec, image).verdict == verdict


def test_a_part_too_many_or_too_few_is_another_order_and_a_tie_is_none() -> None:
    spec = Ordered(region=EVERYWHERE, colours=(hexed(RED), hexed(BLUE)))
    assert found(spec, squares((20, 60, RED), (90, 60, BLUE), (150, 60, RED))).verdict == "fail"
    assert found(spec, squares((20, 60, RED))).verdict == "fail"
    assert found(spec, squares((100, 20, RED), (100, 80, BLUE))).verdict == "abstain"


START, END = box_region(box(16, 76, 24, 84)), box_region(box(216, 76, 224, 84))


def line(*corners: tuple[int, int], width: int = 4) -> np.ndarray:
    import cv2

    return cv2.polylines(paper(), [np.array(corners, dtype=np.int32)], False, RED, width)


def linked(image: np.ndarray, **options: Any) -> Finding:
    return found(Linked(start=START, end=END, colour=hexed(RED), **options), image)


def test_a_link_is_seen_and_a_gap_of_two_pixels_breaks_it() -> None:
    whole = line((20, 80), (220, 80))
    cut = whole.copy()
    cut[:, 100:102] = PAPER
    assert linked(whole).verdict == "pass"
    assert (linked(cut).verdict, linked(cut).reason) == ("fail", "the link has a gap")
    assert linked(cut, gap_px=2).verdict == "pass"
    wider = whole.copy()
    wider[:, 100:104] = PAPER
    assert linked(wider, gap_px=2).verdict == "fail"


def test_a_disconnected_route_says_where_it_ends() -> None:
    assert linked(line((20, 80), (180, 80))).reason == "the link doesn't reach its end"
    assert linked(paper()).reason == f"nothing shows {hexed(RED)}"


def test_a_link_that_had_to_be_cut_fails_while_it_is_there() -> None:
    whole = line((20, 80), (220, 80))
    cut = whole.copy()
    cut[:, 100:110] = PAPER
    assert (linked(whole, linked=False).verdict, linked(cut, linked=False).verdict) == ("fail", "pass")


def hall(thickness: int) -> Any:
    """Everything but a wall across the middle that leaves a way below."""
    free = np.ones((HEIGHT, WIDTH), dtype=bool)
    free[:120, 118 : 118 + thickness] = False
    return mask_region(free)


@pytest.mark.parametrize("thickness", [2, 4, 6, 8])
def test_a_path_that_crosses_a_wall_fails_however_thin_the_wall_and_wide_the_allowed_gap(thickness: int) -> None:
    around = ((20, 80), (80, 80), (80, 140), (160, 140), (160, 80), (220, 80))
    for gap_px in (0, 4, 8):
        spec = Linked(start=START, end=END, colour=hexed(RED), free=hall(thickness), gap_px=gap_px)
        assert found(spec, line((20, 80), (220, 80))).reason == "the link leaves the free way"
        assert found(spec, line(*around)).verdict == "pass"
        drawn = PathConnects(start=START, end=END, free=hall(thickness), gap_px=gap_px)
        assert found(drawn, line((20, 80), (220, 80))).reason == "the line crosses a wall"
        assert found(drawn, line(*around)).verdict == "pass"


def test_one_crossing_in_a_long_way_is_enough() -> None:
    corners = [(20, 80)]
    for at in range(5):
        x = 30 + 14 * at
        corners += [(x, 20), (x, 150)] if at % 2 else [(x, 150), (x, 20)]
    detour = line(*corners, (220, 80))
    spec = PathConnects(start=START, end=END, free=hall(6), gap_px=8)
    assert found(spec, detour).verdict == "fail"
