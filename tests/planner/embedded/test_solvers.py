"""What the model finds in small scenes: every kind of goal, through prompts, crops and parsers."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from editplan.records import Plan

PlanOf = Callable[[np.ndarray, str], Awaitable[Plan]]
Sheets = Callable[..., Any]

RED, GREEN, BLUE, YELLOW = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)
BLACK, WHITE, GRAY, BROWN = (0, 0, 0), (255, 255, 255), (128, 128, 128), (139, 69, 19)


def _points(plan: Plan, size: tuple[int, int]) -> list[tuple[float, float]]:
    """All coordinates of the instruction, in pixels."""
    found = re.findall(r"\((-?[\d.]+)%, ?(-?[\d.]+)%\)", plan.instruction)
    return [(float(x) / 100 * size[0], float(y) / 100 * size[1]) for x, y in found]


def _near(point: tuple[float, float], x: float, y: float, reach: float = 3) -> bool:
    return abs(point[0] - x) <= reach and abs(point[1] - y) <= reach


def _well_formed(plan: Plan) -> None:
    assert plan.certain
    assert plan.instruction.endswith("Output only the edited image.")
    assert len(plan.instruction.split()) <= 180
    assert {o.kind for o in plan.obligations} == {"completion", "preservation"}
    known = {item.claim_id for item in plan.evidence}
    assert plan.transition is not None
    assert set(plan.transition.supporting_claim_ids) <= known


async def test_a_superlative_names_one_shape(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(1000, 800)
    for x, y, radius in ((150, 200, 60), (400, 300, 40), (700, 600, 54)):
        made.disc(x, y, radius, RED)
    made.disc(850, 150, 70, BLUE)
    plan = await plan_of(made.picture, "Remove the 2nd largest red circle.")
    _well_formed(plan)
    assert _near(_points(plan, (1000, 800))[0], 700, 600)
    assert plan.challenge.alternative_transition_id is not None


async def test_a_tie_is_uncertain(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet()
    made.disc(150, 200, 50, RED).disc(400, 300, 50, RED).disc(500, 500, 30, RED)
    plan = await plan_of(made.picture, "Remove the largest red circle.")
    assert not plan.certain
    assert any("same area" in doubt for doubt in plan.uncertainties)


async def test_tallies_are_removed_from_the_named_end(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(1024, 1024)
    for number in range(6):
        made.triangle(60, 120 + 150 * number, 40, BROWN)
    for x, y in ((400, 300), (700, 500), (500, 800), (800, 200)):
        made.disc(x, y, 50, GREEN)
    goal = (
        "The brown shapes arranged in a line on the left of the image are used as tallies. Remove tallies from the "
        "bottom so the number of tallies equals the number of green shapes."
    )
    plan = await plan_of(made.picture, goal)
    _well_formed(plan)
    assert sorted(round(y, -1) for _, y in _points(plan, (1024, 1024))) == pytest.approx([730, 880], abs=15)


async def test_a_legend_is_applied_once_and_not_in_a_chain(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(1024, 1024, (255, 165, 0))
    made.box(0, 874, 1024, 150, WHITE)
    for left, first, second in ((100, RED, BLUE), (600, BLUE, None)):
        for x, rgb in ((left, first), (left + 110, second or WHITE)):
            made.box(x, 920, 56, 56, BLACK).box(x + 4, 924, 48, 48, rgb)
        made.arrow(left + 60, 948, 46)
    for k in range(-18, 19):
        made.box(734 + k, 946 + k, 5, 5, (220, 60, 60)).box(734 + k, 946 - k, 5, 5, (220, 60, 60))
    made.disc(300, 300, 60, RED).disc(700, 300, 60, BLUE)
    goal = (
        "Apply the legend at the bottom of the image. Recolor shapes whose color points to a new color, and remove "
        "shapes whose color points to an X. Keep the legend in place."
    )
    plan = await plan_of(made.picture, goal)
    _well_formed(plan)
    recolour, remove = plan.instruction.split(". ")[:2]
    assert recolour.startswith("Recolor the shape at (29.")
    assert recolour.endswith("to blue (#0000FF)")
    assert remove.startswith("Remove the shape at (68.")


async def test_boxed_shapes_move_to_the_box_of_their_rank(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(1024, 600)
    for number, radius in enumerate((40, 20, 30)):
        made.frame(80 + 250 * number, 200, 150, 150, RED, 4).disc(155 + 250 * number, 275, radius, BLACK)
    goal = (
        "Rearrange the circle shapes left-to-right in increasing order of size, keeping each shape in the same "
        "position inside its box."
    )
    plan = await plan_of(made.picture, goal)
    _well_formed(plan)
    moves = re.findall(r"\(([\d.]+)%, [\d.]+%\) (left|right) by ([\d.]+)%", plan.instruction)
    assert [way for _, way, _ in moves] == ["left", "left", "right"]
    assert [float(x) * 10.24 for x, _, _ in moves] == pytest.approx([405, 655, 155], abs=3)
    assert [float(amount) * 10.24 for _, _, amount in moves] == pytest.approx([250, 250, 500], abs=0.6)


async def test_the_missing_shape_of_a_grid_is_copied(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(1024, 1024)
    for row in range(4):
        for column in range(5):
            if (row, column) == (2, 3):
                continue
            if column % 2:
                made.triangle(100 + 150 * column, 120 + 150 * row, 60, RED)
            else:
                made.box(70 + 150 * column, 90 + 150 * row, 60, 60, BLUE)
    plan = await plan_of(made.picture, "Fill in the missing shape in this 4×5 pattern.")
    _well_formed(plan)
    source, place = _points(plan, (1024, 1024))
    assert round((source[0] - 100) / 150) in (1, 3)
    assert _near(place, 550, 420, 1)


async def test_the_color_at_a_place_becomes_a_value(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(600, 600)
    made.disc(150, 150, 50, (18, 171, 52)).box(300, 300, 90, 90, RED)
    plan = await plan_of(made.picture, "Recolor the red shape to the color of the shape at (25.00%, 25.00%).")
    _well_formed(plan)
    assert plan.instruction.startswith("Recolor the red shape to green (#12AB34).")


async def test_the_only_empty_slot_is_found(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(700, 640)
    for number in range(4):
        made.frame(60 + 140 * number, 100, 100, 100)
        if number != 2:
            made.disc(110 + 140 * number, 150, 30, BLUE)
    made.triangle(300, 450, 60, RED)
    plan = await plan_of(made.picture, "Place the red triangle in the only empty slot.")
    _well_formed(plan)
    assert _near(_points(plan, (700, 640))[-1], 390, 150)


async def test_two_empty_slots_are_no_only_one(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(700, 640)
    made.frame(60, 100, 100, 100).frame(260, 100, 100, 100).triangle(300, 450, 60, RED)
    plan = await plan_of(made.picture, "Place the red triangle in the only empty slot.")
    assert not plan.certain


async def test_a_lettered_box_is_read(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(700, 640)
    for letter, x in (("A", 60), ("B", 280), ("C", 500)):
        made.text(letter, x + 45, 190).frame(x, 210, 120, 120)
    made.triangle(300, 500, 60, RED)
    plan = await plan_of(made.picture, "Move the red triangle into box C.")
    _well_formed(plan)
    assert _near(_points(plan, (700, 640))[-1], 560, 270)


async def test_a_count_is_written_into_the_empty_box(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(700, 640)
    made.frame(500, 60, 130, 110)
    for x, y in ((100, 100), (220, 330), (400, 480)):
        made.disc(x, y, 34, RED)
    made.disc(150, 520, 34, BLUE)
    plan = await plan_of(made.picture, "Count the red circles and write the number in the empty box.")
    _well_formed(plan)
    assert plan.instruction.startswith('Write "3" centered at (80.')


async def test_a_framed_legend_by_shape_recolours_shapes(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(700, 640)
    made.frame(60, 60, 210, 150)
    made.disc(100, 100, 18, GRAY).arrow(130, 100, 50).box(200, 82, 36, 36, RED)
    made.triangle(100, 170, 36, GRAY).arrow(130, 170, 50).box(200, 152, 36, 36, BLUE)
    made.disc(450, 150, 40, GRAY).triangle(500, 450, 70, GRAY)
    plan = await plan_of(made.picture, "Recolor the shapes as the legend says.")
    _well_formed(plan)
    assert re.search(r"\(64\.\d+%, 2\d\.\d+%\) to red \(#FF0000\)", plan.instruction)
    assert re.search(r"\(71\.\d+%, 7\d\.\d+%\) to blue \(#0000FF\)", plan.instruction)


async def test_the_odd_one_gets_a_ring(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(640, 640)
    for number in range(9):
        x, y = 120 + 200 * (number % 3), 120 + 200 * (number // 3)
        if number == 5:
            made.triangle(x, y, 70, RED)
        else:
            made.disc(x, y, 36, RED)
    plan = await plan_of(made.picture, "Draw a blue circle around the odd one out.")
    _well_formed(plan)
    assert _near(_points(plan, (640, 640))[0], 520, 320)


async def test_a_way_through_a_maze_crosses_no_wall(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(640, 640)
    made.frame(60, 60, 520, 520, BLACK, 7).box(60, 310, 380, 7, BLACK)
    made.disc(150, 190, 24, RED).triangle(150, 450, 44, BLUE)
    goal = "Draw a green line from the red circle to the blue triangle without crossing any wall."
    plan = await plan_of(made.picture, goal)
    _well_formed(plan)
    corners = _points(plan, (640, 640))
    assert max(x for x, _ in corners) > 445
    wall = (made.picture == 0).all(axis=-1)
    for (x1, y1), (x2, y2) in pairwise(corners):
        steps = np.linspace(0, 1, 400)
        assert not wall[
            np.rint(y1 + steps * (y2 - y1)).astype(int), np.rint(x1 + steps * (x2 - x1)).astype(int)
        ].any()


async def test_an_explicit_goal_passes_unchanged(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(640, 640)
    made.disc(200, 200, 50, RED).box(400, 400, 80, 60, BLUE)
    goal = "Rotate the blue rectangle by 30° clockwise about the center of the red circle."
    plan = await plan_of(made.picture, goal)
    _well_formed(plan)
    assert plan.instruction == f"{goal} Keep everything else exactly as it is. Output only the edited image."


async def test_an_explicit_goal_about_what_is_not_there_is_uncertain(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(640, 640)
    made.disc(200, 200, 50, RED)
    plan = await plan_of(made.picture, "Rotate the green star by 30° clockwise about its center.")
    assert not plan.certain
    assert any("green star" in doubt for doubt in plan.uncertainties)


async def test_sixty_shapes_fit_into_one_instruction(sheet: Sheets, plan_of: PlanOf) -> None:
    made = sheet(1024, 1024)
    made.frame(40, 40, 220, 150)
    made.disc(90, 80, 18, RED).arrow(120, 80, 50).box(195, 62, 36, 36, BLUE)
    made.disc(90, 150, 18, GREEN).arrow(120, 150, 50).box(195, 132, 36, 36, YELLOW)
    for number in range(60):
        rgb = RED if number % 2 else GREEN
        made.disc(80 + 95 * (number % 10), 300 + 120 * (number // 10), 24, rgb)
    plan = await plan_of(made.picture, "Apply the legend.")
    _well_formed(plan)
    assert len(_points(plan, (1024, 1024))) == 60
