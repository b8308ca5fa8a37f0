"""Goal, crop labels, noun phrases, and the words of explicit instructions."""

from __future__ import annotations

import pytest

from editplan.planner.embedded.question import read_crop_label, read_goal
from editplan.planner.embedded.references import describe
from editplan.planner.embedded.solvers.registry import solver_for
from editplan.planner.embedded.vocabulary import leaves_open, unknown_words
from editplan.records import Ask


def test_the_goal_stands_between_its_markers() -> None:
    text = "Fill in <b>.\n<goal>\nRemove the red star.\n</goal>\nAnswer."
    assert read_goal(Ask(task="inspect", prompt_id="x", text=text)) == "Remove the red star."


def test_a_text_without_markers_has_no_goal() -> None:
    assert read_goal(Ask(task="inspect", prompt_id="x", text="Remove the red star.")) == ""


def test_a_crop_label_gives_the_place() -> None:
    label = read_crop_label("Image 3: crop of image 1 (query q2), left 20.0-45.5%, top 10.0-30.0%")
    assert label is not None
    assert (label.image, label.query_id) == (1, "q2")
    assert (label.left, label.top, label.right, label.bottom) == pytest.approx((0.2, 0.1, 0.455, 0.3))


def test_the_label_of_a_whole_picture_is_no_crop_label() -> None:
    assert read_crop_label("Image 1") is None


@pytest.mark.parametrize(
    ("phrase", "colour", "kind", "plural"),
    [
        ("the red star", "red", "star", False),
        ("jet black rings", "jet black", "ring", True),
        ("white shape", "white", None, False),
        ("heart shapes", None, "heart", True),
        ("grey discs", "gray", "circle", True),
    ],
)
def test_noun_phrases_name_colour_and_kind(phrase: str, colour: str | None, kind: str | None, plural: bool) -> None:
    found = describe(phrase)
    assert found is not None
    assert (found.colour, found.kind, found.plural) == (colour, kind, plural)


@pytest.mark.parametrize("phrase", ["the happy star", "the red unicorn", "the"])
def test_a_phrase_with_another_word_is_not_read(phrase: str) -> None:
    assert describe(phrase) is None


def test_words_outside_the_vocabulary_are_named() -> None:
    assert unknown_words("Remove the edible shapes.") == ("edible",)
    assert unknown_words("Remove all shapes except the red ring at (10.00%, 20.00%).") == ()


@pytest.mark.parametrize("goal", ["Remove the shape with the most corners.", "Put it in the only empty slot."])
def test_goals_that_leave_something_open_are_seen(goal: str) -> None:
    assert leaves_open(goal)


def test_at_most_is_an_amount() -> None:
    goal = (
        "Color all pixels within a Euclidean distance of at most 2.9% image width from any pixel in the star to blue."
    )
    assert not leaves_open(goal)


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("Remove the 3rd largest white ring.", "comparison"),
        ("Remove the tallest arrow.", "comparison"),
        ("Recolor all shapes except the star to the color of the shape at (45.66%, 45.51%).", "dropper"),
        ("Fill in the missing shapes in this 10×10 pattern.", "pattern"),
        ("Fill in the missing shape in this circular pattern of 9 shapes.", "pattern"),
        ("Apply the legend at the left of the image. Recolor shapes whose color points to a new color.", "legend"),
        ("Use the legend to recolor the shapes of the picture.", "framed legend"),
        ("Draw an orange circle around the odd one out.", "odd one out"),
        ("Place the red star in the only empty slot.", "placing"),
        ("Move the red star into box B.", "placing"),
        ("How many red stars are there? Write the number in the empty box.", "counting"),
        ("Remove the red star.", "named"),
        ("The red star should be blue instead.", "named"),
        ("Rotate the red star by 30° clockwise about its center.", "explicit"),
    ],
)
def test_each_kind_of_goal_has_its_solver(goal: str, name: str) -> None:
    solver = solver_for(goal)
    assert solver is not None
    assert solver.name == name
