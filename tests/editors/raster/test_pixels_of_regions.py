"""Blending, gradients and point operations inside an outline."""

import numpy as np
import pytest

INSIDE = "all pixels inside the purple outlined polygon"
GROUND = 240


@pytest.mark.parametrize(
    ("instruction", "value"),
    [
        (f"Add 10 to each RGB channel of {INSIDE}, clamping each channel to [0, 255]. Keep the outline.", (250,) * 3),
        (f"Add 40 to each RGB channel of {INSIDE}, clamping each channel to [0, 255]. Keep the outline.", (255,) * 3),
        (f"Subtract 33 from each RGB channel of {INSIDE}, clamping each channel to [0, 255].", (207,) * 3),
        (f"Invert the colors of {INSIDE}. Keep the outline as is.", (15,) * 3),
        (f"Blend the color red (#FF0000) at 50% opacity over {INSIDE}. Keep the outline as is.", (248, 120, 120)),
        ("Inside the polygon with the purple outline, mix in #FF0000 at an opacity of 50 percent; the outline stays.",
         (248, 120, 120)),
    ],
)  # fmt: skip
def test_every_pixel_inside_takes_the_value(board, edit, instruction: str, value: tuple[int, int, int]) -> None:
    assert np.array_equal(edit(instruction), board.painted(value, "purple box"))


def test_grayscale_is_the_luminance_of_bt_601(board, edit) -> None:
    result = edit("Convert the yellow star to grayscale (luminance = 0.299R + 0.587G + 0.114B).")
    value = round(0.299 * 255 + 0.587 * 225 + 0.114 * 50)
    assert np.array_equal(result, board.painted((value,) * 3, "yellow star"))


def test_a_gradient_runs_linearly_between_the_edges(board, edit) -> None:
    result = edit(
        "Apply a linear RGB gradient from black (#000000) at the left edge to red (#FF0000) at the right edge of the "
        "interior of the purple outlined region. Recolor only background pixels; keep the outline as is."
    )
    row = result[370, 435:566, 0].astype(int)
    assert (np.diff(row) >= 0).all()
    assert abs(int(result[370, 500, 0]) - 128) <= 2
    assert not (result != board.source).any(axis=2)[~board.masks["purple box"]].any()


def test_shapes_of_one_region_are_copied_to_the_same_places_of_another(edit, board) -> None:
    placed = edit("Move the yellow star into the purple box.")
    from editplan.editors.raster.program import carry_out

    for words in (
        "Copy the shapes (ignoring background) in the left outlined square into the right outlined square, "
        "maintaining the exact shape positions.",
        "Whatever shapes are in the outlined square on the left should also appear, in the same places, in the "
        "outlined square on the right.",
    ):
        result = carry_out(placed, words, unparsed="refuse")
        assert result.image is not None, result.refusal
        assert np.array_equal(result.image[300:441, 620:761][5:-5, 5:-5], placed[300:441, 430:571][5:-5, 5:-5])


def test_a_crop_fills_the_canvas_with_the_region(edit, board) -> None:
    placed = edit("Recolor all pixels inside the purple outlined square to #0000FF.")
    from editplan.editors.raster.program import carry_out

    result = carry_out(
        placed,
        "Crop to the interior of the purple outlined region. Scale to fill the canvas using nearest-neighbor "
        "interpolation.",
        unparsed="refuse",
    )
    assert result.image is not None, result.refusal
    assert result.image.shape == placed.shape
    assert (result.image == (0, 0, 255)).all(axis=2).mean() > 0.8
    assert not (result.image == (128, 0, 128)).all(axis=2).any()
