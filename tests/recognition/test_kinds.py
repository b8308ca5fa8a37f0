import numpy as np
import pytest
from PIL import Image, ImageDraw

from editplan.recognition.finder import find_scene
from editplan.recognition.kinds import KINDS

TURNING = ("triangle", "hexagon", "star", "heart", "arrow", "semicircle", "circle", "pentagon")
UPRIGHT = ("cross", "rectangle", "square", "diamond")


@pytest.mark.parametrize("radius", [14, 30, 80])
@pytest.mark.parametrize("kind", TURNING)
def test_a_figure_is_known_at_every_turn(figure, kind: str, radius: float) -> None:
    for turn in (0, 33, 118, 250):
        shapes = find_scene(figure(kind, radius, turn)).shapes
        assert [shape.kind for shape in shapes] == [kind], turn


@pytest.mark.parametrize("kind", UPRIGHT)
def test_an_upright_figure_is_known(figure, kind: str) -> None:
    for radius in (14, 40, 90):
        assert [shape.kind for shape in find_scene(figure(kind, radius)).shapes] == [kind]


@pytest.mark.parametrize("kind", [*TURNING, *UPRIGHT])
def test_blurred_edges_change_neither_kind_nor_number(figure, kind: str) -> None:
    scene = find_scene(figure(kind, 45, 0, supersample=4))
    assert [(shape.kind, shape.colour) for shape in scene.shapes] == [(kind, "black")]


def test_a_ring_is_no_outline_and_a_thin_circle_is() -> None:
    canvas = Image.new("RGB", (300, 150), "white")
    pen = ImageDraw.Draw(canvas)
    pen.ellipse((20, 20, 120, 120), outline="red", width=18)
    pen.ellipse((170, 20, 270, 120), outline="blue", width=3)
    scene = find_scene(np.array(canvas))
    assert [(shape.kind, shape.colour) for shape in scene.shapes] == [("ring", "red")]
    assert [(outline.kind, outline.colour) for outline in scene.outlines] == [("circle", "blue")]


def test_every_named_kind_is_listed(figure) -> None:
    for kind in (*TURNING, *UPRIGHT, "ring", "cloud", "ellipse"):
        assert kind in KINDS
