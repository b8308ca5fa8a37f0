"""Plans for the packaged sample of PaintBench, carried out by the embedded editor."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from editplan.editors.raster.program import carry_out
from editplan.evals import suites
from editplan.evals.protocols.paintbench.metric import score
from editplan.records import Plan

SAMPLE = Path(suites.__file__).parent / "paintbench_sample"
PlanOf = Callable[[np.ndarray, str], Awaitable[Plan]]


def _picture(path: Path) -> np.ndarray:
    return np.asarray(PIL.Image.open(path).convert("RGB"))


@pytest.mark.parametrize(
    ("task", "least"),
    [
        ("legend", 0.95),
        ("counting", 0.95),
        ("comparison", 0.95),
        ("ordering", 0.93),
        ("pattern", 0.93),
        ("recolor", 0.95),
    ],
)
async def test_reasoning_tasks_are_solved(task: str, least: float, plan_of: PlanOf) -> None:
    path = next(iter(sorted((SAMPLE / task).glob("*_input.png"))))
    number = path.name[:3]
    goal = json.loads((SAMPLE / task / f"{number}.json").read_text(encoding="utf-8"))["instruction"]
    source, answer = _picture(path), _picture(SAMPLE / task / f"{number}_answer.png")
    plan = await plan_of(source, goal)
    assert plan.certain
    output = carry_out(source, plan.instruction, unparsed="refuse")
    assert score(source, answer, output.image)["mean_iou"] >= least
