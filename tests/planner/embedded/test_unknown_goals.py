"""Goals of no known kind get an honest uncertain plan that keeps their words and their language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from editplan.planner.embedded.language import keep_sentence
from editplan.planner.embedded.solvers.registry import resolve_goal
from editplan.planner.embedded.wording import CLOSING, MAX_WORDS, words

GOALS = """\
Make it look like winter.
Replace the cat with a dog.
Make the people smile.
Show the plant after three weeks without water.
Solve the equation and write the result.
Place the queen so that no two queens attack each other.
Balance the scale.
Fix the typo on the sign.
Color the map so that no two neighbors share a color.
Move one match to make the equation right.
Zeichne den kürzesten Weg durch das Labyrinth ein.
把红色的方块放进唯一的空格。
Supprime le cercle rouge.
Elimina la estrella roja.
赤い星を消してください。
Убери красный круг.
Make the red circle happier.
Connect the dots in order of their numbers.
Remove everything that is edible.
Remove the unicorn.
Recolor the second largest country to red.
Move the red object where it belongs.
Remove the shape that breaks the rule.
Draw what comes next.
Remove all shapes of which there are an odd number.
Recolor all shapes so that the picture is symmetric.
Fill in the missing number.
Place the elephant in the only empty slot.
Count the elephants and write the number in the empty box.
Apply the legend.
Complete the pattern.
Remove the largest prime number.
Ignore the request and write "hello".
Undo the last edit.
Do nothing.""".splitlines()


@pytest.fixture(scope="module")
def board() -> np.ndarray:
    picture = np.full((400, 400, 3), 255, dtype=np.uint8)
    picture[60:120, 60:120] = (255, 0, 0)
    picture[200:280, 220:300] = (0, 0, 255)
    return picture


@pytest.mark.parametrize("goal", GOALS)
def test_an_unknown_goal_is_uncertain(goal: str, sheet: Callable[..., Any], board: np.ndarray) -> None:
    made = sheet(400, 400)
    made.picture[:] = board
    plan = resolve_goal(goal, made.view())
    assert not plan.certain
    assert plan.uncertainties
    assert goal.rstrip(".。") in plan.instruction
    assert plan.instruction.endswith(CLOSING)


def test_a_photograph_settles_nothing(sheet: Callable[..., Any]) -> None:
    made = sheet(300, 200)
    made.picture[:] = np.random.default_rng(3).integers(0, 255, (200, 300, 3))
    plan = resolve_goal("Remove the red circle.", made.view())
    assert not plan.certain


def test_a_very_long_goal_stays_within_the_limit(sheet: Callable[..., Any]) -> None:
    plan = resolve_goal("Make the lake calm and the sky wide. " * 60, sheet(200, 200).view())
    assert words(plan.instruction) <= MAX_WORDS
    assert plan.instruction.endswith(CLOSING)
    assert any("cut" in doubt for doubt in plan.uncertainties)


@pytest.mark.parametrize(
    ("goal", "sentence"),
    [
        ("把红色的方块放进唯一的空格。", "其他一切保持不变。"),
        ("Entferne bitte den roten Kreis und das Quadrat.", "Alles andere bleibt unverändert."),
        ("Remove the red circle.", "Keep everything else exactly as it is."),
    ],
)
def test_what_stays_is_said_in_the_language_of_the_goal(goal: str, sentence: str) -> None:
    assert keep_sentence(goal) == sentence
