"""The model as a vision model: what it reads, what it answers to each prompt, and what it declares."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from editplan.errors import ConfigError
from editplan.planner.agent import EditAgent
from editplan.planner.embedded.model import EmbeddedVisionModel
from editplan.planner.schemas import ANSWER, CHOICE, CRITIQUE, GROUNDING, INSTRUCTION, VERIFICATION, plan_schema
from editplan.planner.variants import VARIANTS
from editplan.protocols import VisionModel
from editplan.records import Ask, Part, PartRole, Reply
from editplan.store import ImageStore

GOAL = "Remove the 2nd largest red circle."
Sheets = Callable[..., Any]


@pytest.fixture
def scene(sheet: Sheets) -> tuple[Part, ImageStore]:
    made, store = sheet(800, 600), ImageStore()
    made.disc(150, 200, 60, (255, 0, 0)).disc(400, 300, 40, (255, 0, 0)).disc(650, 400, 52, (255, 0, 0))
    return Part(media=store.add_array(made.picture), label="Image 1"), store


def _ask(schema: dict[str, Any] | None, *parts: Part, goal: str = GOAL, extra: str = "", task: str = "t") -> Ask:
    keys = ", ".join(f"`{key}`" for key in (schema or {}).get("properties", {}))
    text = f"{extra}\n<goal>\n{goal}\n</goal>\n\nAnswer with one JSON object with the keys {keys}, and nothing else."
    return Ask(task=task, prompt_id="t/v1@0", text=text, parts=parts, json_schema=schema)


async def _answer(ask: Ask, store: ImageStore) -> dict[str, Any]:
    reply = await EmbeddedVisionModel().ask(ask, store)
    value = json.loads(reply.text)
    assert isinstance(value, dict)
    return value


def test_it_is_a_vision_model() -> None:
    assert isinstance(EmbeddedVisionModel(), VisionModel)
    assert EmbeddedVisionModel().id == "embedded"
    assert EmbeddedVisionModel(max_side_px=256).id == "embedded?max_side_px=256"
    assert EmbeddedVisionModel(max_side_px=256).manifest()["max_side_px"] == 256


def test_a_side_that_shows_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="max_side_px"):
        EmbeddedVisionModel(max_side_px=8)


@pytest.mark.parametrize("name", sorted(VARIANTS))
async def test_plans_have_the_keys_that_are_asked_for(name: str, scene: tuple[Part, ImageStore]) -> None:
    part, store = scene
    schema = plan_schema(VARIANTS[name])
    extra = "`candidate_transitions`, exactly one" if not VARIANTS[name].contrast and "one" in name else ""
    value = await _answer(_ask(schema, part, extra=extra), store)
    assert list(value) == list(schema["properties"])
    allowed = set(schema["properties"]["candidate_transitions"]["items"]["properties"])
    assert all(set(each) <= allowed for each in value["candidate_transitions"])
    if "preserve" not in allowed:
        assert "Keep" not in value["compiled_instruction"]


@pytest.mark.parametrize("schema", [INSTRUCTION, ANSWER, GROUNDING, CRITIQUE, VERIFICATION, CHOICE])
async def test_every_form_is_answered(schema: dict[str, Any], scene: tuple[Part, ImageStore]) -> None:
    part, store = scene
    results = [
        part.model_copy(update={"role": PartRole.OUTPUT, "label": f"Image {n}: result {s}"})
        for n, s in ((2, "A"), (3, "B"))
    ]
    extra = "<specification>\nthe circle is gone\n</specification>\n<obligations>\n1. it is gone\n</obligations>"
    value = await _answer(_ask(schema, part, *results, extra=extra), store)
    assert list(value) == list(schema["properties"])


async def test_a_form_that_it_does_not_know_gets_an_honest_answer(scene: tuple[Part, ImageStore]) -> None:
    part, store = scene
    schema = {"type": "object", "properties": {"poem": {"type": "string"}}}
    assert "no way to answer" in (await _answer(_ask(schema, part), store))["poem"]


async def test_without_a_picture_words_are_only_put_in_order() -> None:
    value = await _answer(_ask(INSTRUCTION), ImageStore())
    assert value["instruction"] == f"{GOAL} Keep everything else exactly as it is. Output only the edited image."


async def test_equal_asks_get_equal_answers(scene: tuple[Part, ImageStore]) -> None:
    part, store = scene
    ask = _ask(plan_schema(), part)
    assert await EmbeddedVisionModel().ask(ask, store) == await EmbeddedVisionModel().ask(ask, store)


async def test_usage_counts_what_was_seen(scene: tuple[Part, ImageStore]) -> None:
    part, store = scene
    reply: Reply = await EmbeddedVisionModel().ask(_ask(plan_schema(), part), store)
    assert reply.usage.images_in == 1
    assert reply.usage.image_pixels == 512 * 384
    assert reply.usage.tokens_out == -(-len(reply.text) // 4)


async def test_the_role_and_box_of_a_part_are_not_read(scene: tuple[Part, ImageStore]) -> None:
    part, store = scene
    disguised = part.model_copy(update={"role": PartRole.REFERENCE, "box": (0.1, 0.1, 0.2, 0.2)})
    one = await EmbeddedVisionModel().ask(_ask(plan_schema(), part), store)
    other = await EmbeddedVisionModel().ask(_ask(plan_schema(), disguised), store)
    assert one.text == other.text


async def test_one_look_is_coarser_than_crops(sheet: Sheets) -> None:
    made = sheet(1024, 1024)
    for row in range(3):
        for column in range(4):
            if (row, column) != (1, 2):
                made.box(101 + 211 * column, 103 + 301 * row, 90, 90, (255, 0, 0))
    goal, (x, y) = "Fill in the missing shape in this 3×4 pattern.", (101 + 211 * 2 + 45, 103 + 301 + 45)

    async def miss(condition: str) -> float:
        planned = await EditAgent(planner=EmbeddedVisionModel(), editor=None, condition=condition).aplan(
            made.picture, goal=goal
        )
        text = planned.outcome.instruction or ""
        place = text.split("to (")[1].split(")")[0].replace("%", "")
        across, down = (float(value) / 100 * 1024 for value in place.split(","))
        return abs(across - x) + abs(down - y)

    assert await miss("plan") < 1
    assert await miss("generic_rewrite") >= await miss("plan")
