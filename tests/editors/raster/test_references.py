"""Ways to name figures; removal and recolouring show what was meant."""

import numpy as np
import pytest

BLUE = (0, 0, 255)
REMOVALS = {
    "Remove the red circle.": ("red circle",),
    "Delete all red shapes.": ("red circle", "red square"),
    "Erase both red shapes, please.": ("red circle", "red square"),
    "Please remove every square.": ("blue square", "red square"),
    "Remove the red circle and the blue square.": ("red circle", "blue square"),
    "Remove the red circle, the blue square and the yellow star.": ("red circle", "blue square", "yellow star"),
    "Remove all the squares and the yellow star.": ("blue square", "red square", "yellow star"),
    "Get rid of the blue circle but keep the blue square.": ("blue circle",),
    "Remove all blue shapes. Leave the blue square as it is.": ("blue circle",),
    "Remove the blue shapes, but not the square.": ("blue circle",),
    "Take the green triangle out of the picture.": ("green triangle",),
    "I want the green triangle removed.": ("green triangle",),
    "The green triangle must vanish. Everything else stays.": ("green triangle",),
    "Remove the shape in the top-left corner.": ("red circle",),
    "Remove the circle on the left.": ("red circle",),
    "Remove the rightmost red shape.": ("red square",),
    "Remove the second square from the right.": ("blue square",),
    "Remove the red shape nearest to (90%, 10%).": ("red square",),
    "Remove the shape at (12.5%, 16.7%).": ("red circle",),
    "Remove the shapes at (12.5%, 16.7%), (35.6%, 17.5%) and (36%, 50%).": (
        "red circle",
        "blue square",
        "blue circle",
    ),
}
KEEPING = {
    "Remove all shapes except the yellow star.": ("yellow star",),
    "Remove all shapes other than circles.": ("red circle", "blue circle"),
    "Delete each shape that is not a circle.": ("red circle", "blue circle"),
    "Remove all non-blue shapes.": ("blue circle", "blue square"),
    "Keep only the yellow star; delete all the others.": ("yellow star",),
    "Remove all shapes except the one at (12.5%, 16.7%).": ("red circle",),
    "Remove all shapes that are neither red nor blue.": ("red circle", "red square", "blue circle", "blue square"),
}
RECOLOURS = {
    "Change the color of the red circle to #0000FF.": ("red circle",),
    "Change the red circle's color to #0000FF.": ("red circle",),
    "The red circle should be #0000FF.": ("red circle",),
    "The red circle turns #0000FF, everything else stays the same.": ("red circle",),
    "Recolor all red and green shapes to #0000FF.": ("red circle", "red square", "green triangle"),
    "Paint all shapes #0000FF except circles.": ("blue square", "green triangle", "red square", "yellow star"),
    "Do not change the circles. Recolor all other shapes to #0000FF.": (
        "blue square", "green triangle", "red square", "yellow star",
    ),
    "Fill the box with the purple outline with #0000FF.": ("purple box",),
    "Flood the inside of the purple frame with #0000FF.": ("purple box",),
    "Recolor all background pixels inside the left outlined square to #0000FF. Keep the outline.": ("purple box",),
}  # fmt: skip


@pytest.mark.parametrize("instruction", REMOVALS)
def test_what_is_named_goes(board, edit, instruction: str) -> None:
    assert np.array_equal(edit(instruction), board.without(*REMOVALS[instruction]))


@pytest.mark.parametrize("instruction", KEEPING)
def test_what_is_excepted_stays(board, edit, instruction: str) -> None:
    assert np.array_equal(edit(instruction), board.only(*KEEPING[instruction]))


@pytest.mark.parametrize("instruction", RECOLOURS)
def test_what_is_named_takes_the_colour(board, edit, instruction: str) -> None:
    assert np.array_equal(edit(instruction), board.painted(BLUE, *RECOLOURS[instruction]))


@pytest.mark.parametrize(
    "instruction",
    ["Recolor the star to the color of the green triangle.", "Give the star the color of the shape at (65%, 18%)."],
)
def test_a_colour_is_taken_from_another_shape(board, edit, instruction: str) -> None:
    assert np.array_equal(edit(instruction), board.painted((60, 170, 70), "yellow star"))


def test_all_references_mean_the_source_picture(board, edit) -> None:
    result = edit("Recolor the red circle to #0000FF. Recolor all shapes that are blue to #FFFFFF.")
    expected = board.painted((255, 255, 255), "blue circle", "blue square")
    expected[board.masks["red circle"]] = (0, 0, 255)
    assert np.array_equal(result, expected)
