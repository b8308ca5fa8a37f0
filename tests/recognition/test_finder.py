import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from editplan.recognition.finder import find_scene


def _striped(pattern: str) -> NDArray[np.uint8]:
    y, x = np.mgrid[:400, :500]
    place = {
        "straight": x + 0.4 * y,
        "waves": y + 12 * np.sin(x / 25),
        "zigzag": y + np.abs((x % 60) - 30),
    }[pattern]
    stripes = (place // 27).astype(int) % 2 == 0
    return np.where(stripes[..., None], (255, 0, 0), (255, 255, 255)).astype(np.uint8)


@pytest.mark.parametrize("pattern", ["straight", "waves", "zigzag"])
def test_the_background_behind_a_figure_continues_its_pattern(pattern: str) -> None:
    ground = _striped(pattern)
    canvas = Image.fromarray(ground)
    pen = ImageDraw.Draw(canvas)
    pen.ellipse((120, 90, 220, 190), fill=(0, 0, 255))
    pen.rectangle((330, 250, 420, 310), fill=(0, 128, 0))
    source = np.array(canvas)
    scene = find_scene(source)
    hidden = (source != ground).any(axis=2)
    assert sorted(scene.background.colours) == [(255, 0, 0), (255, 255, 255)]
    assert [shape.kind for shape in scene.shapes] == ["circle", "rectangle"]
    assert (scene.background.image != ground).any(axis=2)[hidden].mean() < 0.02
    assert (scene.background.image == source)[~hidden].all()


def test_a_panel_along_a_side_is_told_from_the_background() -> None:
    canvas = Image.new("RGB", (400, 300), (0, 0, 255))
    pen = ImageDraw.Draw(canvas)
    pen.rectangle((0, 0, 69, 299), fill=(255, 255, 255))
    pen.rectangle((20, 20, 50, 50), fill=(255, 0, 0), outline=(0, 0, 0), width=3)
    pen.ellipse((200, 100, 260, 160), fill=(255, 255, 0))
    scene = find_scene(np.array(canvas))
    assert [(panel.box, panel.side) for panel in scene.panels] == [((0, 0, 70, 300), "left")]
    assert scene.background.colours == ((0, 0, 255),)
    assert {shape.colour for shape in scene.shapes} == {"red", "yellow"}
    assert tuple(scene.background.image[35, 35]) == (255, 255, 255)


def test_a_shape_that_an_outline_crosses_is_one_shape() -> None:
    canvas = Image.new("RGB", (400, 300), (128, 128, 128))
    pen = ImageDraw.Draw(canvas)
    pen.ellipse((60, 60, 180, 180), fill=(255, 0, 0))
    pen.rectangle((120, 40, 300, 240), outline=(255, 255, 0), width=8)
    scene = find_scene(np.array(canvas))
    assert [(shape.kind, shape.parts) for shape in scene.shapes] == [("circle", 2)]
    assert scene.shapes[0].whole is not None
    assert [(outline.kind, outline.colour) for outline in scene.outlines] == [("rectangle", "yellow")]


def test_a_tilted_square_outline_gives_its_corners_and_interior() -> None:
    canvas = Image.new("RGB", (300, 300), "white")
    corners = [(150, 40), (260, 150), (150, 260), (40, 150)]
    ImageDraw.Draw(canvas).line([*corners, corners[0], corners[1]], fill="purple", width=6, joint="curve")
    (outline,) = find_scene(np.array(canvas)).outlines
    assert outline.kind == "square"
    assert outline.interior[150, 150]
    assert not outline.interior[45, 45]
    for corner in corners:
        assert min(np.hypot(x - corner[0], y - corner[1]) for x, y in outline.corners) < 4


def test_points_find_the_shape_under_or_near_them() -> None:
    canvas = Image.new("RGB", (200, 200), "white")
    ImageDraw.Draw(canvas).rectangle((50, 50, 99, 99), fill="green")
    scene = find_scene(np.array(canvas))
    assert scene.shape_at((75, 75)) is scene.shapes[0]
    assert scene.shape_at((101, 75)) is scene.shapes[0]
    assert scene.shape_at((150, 150)) is None


def test_a_photograph_has_no_shapes() -> None:
    from skimage import data

    scene = find_scene(data.chelsea())
    assert not scene.flat
    assert scene.shapes == ()
    assert (scene.background.image == data.chelsea()).all()


def test_noise_leaves_shapes_as_they_are() -> None:
    canvas = Image.new("RGB", (300, 200), (240, 240, 230))
    ImageDraw.Draw(canvas).ellipse((60, 50, 140, 130), fill=(30, 100, 220))
    noise = np.random.default_rng(3).normal(0, 2, (200, 300, 3))
    scene = find_scene(np.clip(np.array(canvas) + noise, 0, 255).astype(np.uint8))
    assert [(shape.kind, shape.colour) for shape in scene.shapes] == [("circle", "blue")]
