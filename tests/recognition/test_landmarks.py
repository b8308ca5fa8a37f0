import math

import pytest

from editplan.pixels.geometry import distance
from editplan.recognition.finder import find_scene


@pytest.mark.parametrize("turn", [0, 40, 155, 290])
def test_the_tip_of_an_arrow_is_where_it_points(figure, turn: float) -> None:
    shape = find_scene(figure("arrow", 70, turn)).shapes[0]
    true = (160 + 70 * math.cos(math.radians(turn)), 120 + 70 * math.sin(math.radians(turn)))
    assert distance(shape.landmarks["tip"], true) < 2


@pytest.mark.parametrize("turn", [0, 75, 200])
def test_the_corners_of_a_triangle_are_named_by_their_angle(figure, turn: float) -> None:
    shape = find_scene(figure("triangle", 80, turn)).shapes[0]
    cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    for name, (x, y) in {"30-degree vertex": (0.9, 0.6), "90-degree vertex": (-0.9, 0.6)}.items():
        true = (160 + 80 * (x * cosine - y * sine), 120 + 80 * (x * sine + y * cosine))
        assert distance(shape.landmarks[name], true) < 2.5


def test_the_pointy_tip_of_a_heart_is_its_lowest_point(figure) -> None:
    shape = find_scene(figure("heart", 60)).shapes[0]
    assert distance(shape.landmarks["pointy tip"], (160, 120 + 60 * 17 / 16)) < 2


def test_a_semicircle_has_the_middles_of_arc_and_diameter(figure) -> None:
    shape = find_scene(figure("semicircle", 60)).shapes[0]
    assert distance(shape.landmarks["arc midpoint"], (160, 60)) < 2
    assert distance(shape.landmarks["diameter midpoint"], (160, 120)) < 2


def test_box_landmarks_lie_on_the_outer_pixel_edges(figure) -> None:
    shape = find_scene(figure("rectangle", 50)).shapes[0]
    x1, y1, x2, y2 = shape.box
    assert shape.landmarks["bottom-right corner"] == (x2, y2)
    assert shape.landmarks["left edge midpoint"] == (x1, (y1 + y2) / 2)
    assert shape.landmarks["center"] == shape.middle


def test_the_centre_of_a_star_is_the_centre_of_its_tips(figure) -> None:
    shape = find_scene(figure("star", 60, 21)).shapes[0]
    assert distance(shape.landmarks["center"], (160, 120)) < 1
