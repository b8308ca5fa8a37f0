"""A goal must be something that a model can read."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from editplan.records import EditRequest, Media, Part

PART = Part(media=Media(sha256="0" * 64, width=4, height=4))


@pytest.mark.parametrize("goal", ["", "  \n", "\x00", "\u200b\u200b", "\u2028 \ufeff"])
def test_a_goal_without_a_visible_character_is_refused(goal: str) -> None:
    with pytest.raises(ValidationError, match="the goal is empty"):
        EditRequest(case_id="c", parts=(PART,), goal=goal)


def test_a_goal_of_undecodable_bytes_is_refused() -> None:
    with pytest.raises(ValidationError, match="UTF-8"):
        EditRequest(case_id="c", parts=(PART,), goal="red \udce9 square")


@pytest.mark.parametrize("goal", ["图", "🟥 → 🟦", "ضع المربع", "a"])
def test_goals_in_any_script_are_taken(goal: str) -> None:
    assert EditRequest(case_id="c", parts=(PART,), goal=goal).goal == goal
