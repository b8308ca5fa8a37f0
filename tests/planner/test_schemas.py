"""Schemas that every provider's strict mode takes, in the order of thinking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from editplan.planner import schemas
from editplan.planner.inspections import read_inspection
from editplan.planner.plans import plan_keys, read_plan
from editplan.planner.reading import Reader
from editplan.planner.variants import VARIANTS

ALL = {
    "inspection": schemas.inspection_schema(),
    "inspection without preservation": schemas.inspection_schema(preservation=False),
    **{f"plan:{name}": schemas.plan_schema(variant) for name, variant in VARIANTS.items()},
    "instruction": schemas.INSTRUCTION,
    "answer": schemas.ANSWER,
    "description": schemas.DESCRIPTION,
    "grounding": schemas.GROUNDING,
    "critique": schemas.CRITIQUE,
    "verification": schemas.VERIFICATION,
    "choice": schemas.CHOICE,
}
ALLOWED = {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf"}


def _nodes(schema: Any) -> Iterator[dict[str, Any]]:
    yield schema
    for child in [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]:
        yield from _nodes(child)
    if "items" in schema:
        yield from _nodes(schema["items"])


@pytest.mark.parametrize("name", ALL)
def test_it_is_legal_in_strict_mode(name: str) -> None:
    for node in _nodes(ALL[name]):
        assert set(node) <= ALLOWED
        if node.get("type") == "object":
            assert node["required"] == list(node["properties"])
            assert node["additionalProperties"] is False
        if node.get("type") == "array":
            assert isinstance(node["items"], dict)


@pytest.mark.parametrize("name", VARIANTS)
def test_seen_comes_before_chosen_and_the_instruction_last(name: str) -> None:
    order = list(ALL[f"plan:{name}"]["properties"])
    assert order[0] == "evidence_ledger"
    assert order.index("candidate_transitions") < order.index("selected_transition_id")
    assert order[-1] == "compiled_instruction"
    assert set(order) == set(plan_keys(VARIANTS[name]))


def _example(schema: dict[str, Any]) -> Any:
    """The smallest value that a schema allows, lists with one entry."""
    if "anyOf" in schema:
        return _example(schema["anyOf"][0])
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "object":
        return {key: _example(each) for key, each in schema["properties"].items()}
    if schema["type"] == "array":
        return [0.1, 0.2, 0.3, 0.4] if schema["items"] == {"type": "number"} else [_example(schema["items"])]
    return {"string": "x", "integer": 1, "number": 0.5}[schema["type"]]


@pytest.mark.parametrize("name", VARIANTS)
def test_what_a_schema_allows_is_read_without_a_note(name: str) -> None:
    reader = Reader()
    read_plan(_example(ALL[f"plan:{name}"]), reader, VARIANTS[name])
    assert (reader.notes, reader.problems) == ([], [])


def test_an_inspection_by_the_schema_is_read_without_a_note() -> None:
    reader = Reader()
    read_inspection(_example(ALL["inspection"]), reader)
    assert (reader.notes, reader.problems) == ([], [])


def test_schemas_are_hashed() -> None:
    hashes = schemas.schema_hashes()
    assert set(hashes) >= {"inspect", "resolve", "choose"}
    assert hashes["resolve"] != hashes["resolve_no_contrast"]
