"""In refuse mode nothing wrong is done; in literal mode what is understood is done, with a note."""

import numpy as np
import pytest

from editplan.editors.raster.program import carry_out

REFUSED = {
    "Remove the red shape.": "ungrounded",
    "Remove the hexagon.": "ungrounded",
    "Remove the purple shape.": "ungrounded",
    "Remove the largest shape.": "unparsed",
    "Make it nicer.": "unparsed",
    "Remove the red circle unless it is red.": "ungrounded",
    "Recolor the red circle to the color that comes next.": "unparsed",
    "If there is a star, remove the red circle.": "unparsed",
    "Remove two of the shapes.": "unparsed",
    "Remove the star to the left of the circle.": "unparsed",
    "Remove half of the shapes.": "unparsed",
    "Remove the red circle's right half.": "unparsed",
    "Don't remove the star.": "unparsed",
    "Remove the star. Actually, don't.": "unparsed",
    "Draw a red circle.": "unparsed",
    "Lighten the star.": "unparsed",
    "Rotate the star by 40 degrees.": "unparsed",
    "Move the star.": "unparsed",
    "Enlarge the star by 150%.": "unparsed",
    "Put the star into the outlined box.": "ungrounded",
    "Remove all shapes inside the purple outline.": "ungrounded",
    "Keep everything else exactly as it is. Output only the edited image.": "unparsed",
    "": "unparsed",
}


@pytest.mark.parametrize("instruction", REFUSED)
def test_what_is_not_understood_is_refused(board, instruction: str) -> None:
    result = carry_out(board.source, instruction, unparsed="refuse")
    assert result.image is None
    assert result.refusal is not None
    assert result.refusal.category == REFUSED[instruction]


def test_the_refusal_names_the_clause(board) -> None:
    result = carry_out(board.source, "Remove the star. Remove the tallest shape.", unparsed="refuse")
    assert result.refusal is not None
    assert result.refusal.clause == "Remove the tallest shape"
    assert "tallest" in result.refusal.reason


def test_literal_mode_leaves_superlatives_out_and_says_so(board) -> None:
    result = carry_out(board.source, "Remove the largest star.", unparsed="literal")
    assert result.image is not None
    assert np.array_equal(result.image, board.without("yellow star"))
    assert any("largest" in note for note in result.notes)


def test_literal_mode_takes_the_first_of_several_in_reading_order(board) -> None:
    result = carry_out(board.source, "Remove the red shape.", unparsed="literal")
    assert result.image is not None
    assert np.array_equal(result.image, board.without("red circle"))


def test_literal_mode_does_what_it_can_of_several_clauses(board) -> None:
    result = carry_out(board.source, "Apply the legend. Remove the star.", unparsed="literal")
    assert result.image is not None
    assert np.array_equal(result.image, board.without("yellow star"))
    assert any("legend" in note for note in result.notes)


@pytest.mark.parametrize(
    "instruction", ["Solve the puzzle.", "Remove the hexagon.", "", "Output only the edited image."]
)
def test_literal_mode_never_returns_the_source(board, instruction: str) -> None:
    result = carry_out(board.source, instruction, unparsed="literal")
    assert result.image is None
    assert result.refusal is not None
