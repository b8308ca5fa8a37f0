"""The examples work as they stand, and are as short as they promise."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from editplan import EditAgent, Status
from editplan.calls.budget import CallBudget
from editplan.planner.conditions.registry import resolve_condition
from editplan.records import CallKind
from editplan.testing import ScriptedEditor, ScriptedModel, check_editor

EXAMPLES = Path(__file__).parents[1] / "examples"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def picture() -> np.ndarray:
    return np.full((48, 64, 3), 255, np.uint8)


@pytest.mark.parametrize("name", ["own_condition", "own_editor"])
def test_an_example_is_under_forty_lines(name: str) -> None:
    assert len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) < 40


def test_an_own_condition_is_found_by_its_name_and_counted(
    picture: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    condition = resolve_condition("own_condition:described")
    assert condition.budget == CallBudget(agent_calls=1, generations=1)
    editor = ScriptedEditor()
    with EditAgent(ScriptedModel(lambda ask: "A white page."), editor, condition=condition) as agent:
        result = agent.edit(picture, goal="Paint it red.")
    assert result.status is Status.OK
    assert editor.jobs[0].instruction == "Paint it red. The picture shows: A white page."
    assert (result.calls.logical(CallKind.AGENT), result.calls.logical(CallKind.GENERATION)) == (1, 1)


async def test_an_own_editor_keeps_the_rules_and_edits(picture: np.ndarray) -> None:
    painter = example("own_editor").Painter()
    await check_editor(painter)
    async with EditAgent(None, painter, condition="direct") as agent:
        result = await agent.aedit(picture, goal="Paint it red.")
        refused = await agent.aedit(picture, goal="Do something nice.")
    assert result.raw_image is not None
    assert result.raw_image.getpixel((5, 5)) == (255, 0, 0)
    assert refused.status is Status.REFUSED_INPUT
