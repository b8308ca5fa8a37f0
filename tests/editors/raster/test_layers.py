import numpy as np
import pytest
from PIL import Image, ImageDraw

from editplan.editors.raster.layers import stack_of
from editplan.editors.raster.program import carry_out
from editplan.recognition.finder import find_scene


def _soft() -> np.ndarray:
    canvas = Image.new("RGB", (1200, 800), (246, 243, 234))
    pen = ImageDraw.Draw(canvas)
    pen.ellipse((200, 200, 420, 420), fill=(229, 57, 53))
    pen.polygon([(700, 150), (900, 500), (600, 520)], fill=(30, 136, 229))
    pen.rectangle((80, 560, 380, 760), outline=(55, 71, 79), width=12)
    return np.array(canvas.resize((400, 267), Image.Resampling.LANCZOS))


def test_an_untouched_stack_renders_the_source(board) -> None:
    for source in (board.source, _soft()):
        stack = stack_of(find_scene(source), source)
        assert np.array_equal(stack.rendered(), source)


def test_exact_layers_compose_to_the_source(board) -> None:
    assert np.array_equal(stack_of(find_scene(board.source), board.source).composed(), board.source)


def test_removal_leaves_no_blurred_rim() -> None:
    result = carry_out(_soft(), "Remove the red circle.", unparsed="refuse")
    assert result.image is not None
    window = result.image[55:150, 55:150].astype(int)
    assert np.abs(window - (246, 243, 234)).max() <= 6


@pytest.mark.parametrize("instruction", ["Recolor the red circle to #008000.", "Move the red circle to (80%, 80%)."])
def test_pixels_far_from_the_change_are_the_sources(instruction: str) -> None:
    source = _soft()
    result = carry_out(source, instruction, unparsed="refuse")
    assert result.image is not None
    assert np.array_equal(result.image[:, 190:260], source[:, 190:260])
