"""The packaged sample, one problem a task, by its own instructions."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import editplan.evals.suites
from editplan.editors.raster.program import carry_out
from editplan.pixels.lab import cie76

SAMPLE = Path(editplan.evals.suites.__file__).parent / "paintbench_sample"
BARS = {
    "recolor": 0.97, "removal": 0.97, "flood_fill": 0.97, "border": 0.97, "blending": 0.97, "point_operations": 0.97,
    "copying": 0.97, "translation": 0.97, "construction": 0.9, "gradient": 0.93, "cropping": 0.9, "shearing": 0.9,
    "scaling": 0.9,
}  # fmt: skip


def _problems() -> dict[str, tuple[int, str]]:
    rows = [json.loads(line) for line in (SAMPLE / "problems.jsonl").read_text().splitlines()]
    return {row["task"]: (row["problem_id"], row["instruction"]) for row in rows}


@pytest.mark.parametrize("task", BARS)
def test_explicit_tasks_are_done_as_asked(task: str) -> None:
    number, instruction = _problems()[task]
    source, answer = (
        np.array(Image.open(SAMPLE / task / f"{number:03d}_{part}.png").convert("RGB"))
        for part in ("input", "answer")
    )
    result = carry_out(source, instruction, unparsed="refuse")
    assert result.image is not None, result.refusal
    changed = (source != answer).any(axis=2)
    right = cie76(result.image, answer) <= 5
    overlap = (right & changed).sum() / (changed | ~right).sum()
    assert overlap >= BARS[task]


@pytest.mark.parametrize("task", ["comparison", "ordering", "pattern", "legend", "counting"])
def test_tasks_that_need_reasoning_are_refused(task: str) -> None:
    number, instruction = _problems()[task]
    source = np.array(Image.open(SAMPLE / task / f"{number:03d}_input.png").convert("RGB"))
    assert carry_out(source, instruction, unparsed="refuse").image is None
