"""Contracts: strict reading, with file and JSON path in every error."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from editplan.errors import DatasetError
from editplan.evals.contracts import CONTRACT_V3, load_contract

RED_BOX = {"kind": "colour_at", "region": {"shape": "box", "box": [0, 0, 0.5, 0.5]}, "colour": "#ff0000"}


def contract() -> dict[str, Any]:
    return {
        "schema_version": CONTRACT_V3,
        "case_id": "c1",
        "instruction": "Paint the box red.",
        "manual_facts": {"allowed_changes": ["colour of the box"], "important_entities": None},
        "criterion_groups": [
            {
                "role": " Required",
                "property": "SA",
                "atoms": [{"id": "a", "question_en": "The box is red.", "check": RED_BOX}],
            },
            {
                "role": "protected",
                "property": "Visual Quality",
                "atoms": [{"id": "b", "question_zh": "其他不变", "evidence_required": "the whole image"}],
            },
        ],
    }


def test_roles_and_properties_take_the_published_names() -> None:
    loaded = load_contract(contract())
    assert [group.role for group in loaded.criterion_groups] == ["required", "protected"]
    assert [group.property for group in loaded.criterion_groups] == ["semantic_accuracy", "visual_quality"]


def test_the_older_evidence_field_is_read() -> None:
    assert load_contract(contract()).criterion_groups[1].atoms[0].evidence_requirements == ("the whole image",)


def test_the_chinese_question_serves_where_there_is_no_english_one() -> None:
    assert [atom.question for _, atom in load_contract(contract()).atoms()] == ["The box is red.", "其他不变"]


def test_a_contract_survives_its_own_json() -> None:
    loaded = load_contract(contract())
    assert load_contract(json.loads(json.dumps(loaded.as_json()))) == loaded


def test_unknown_properties_and_fields_are_kept_and_warned_about() -> None:
    raw = contract()
    raw["criterion_groups"][1]["property"] = "Charm"
    raw["criterion_groups"][1]["atoms"][0]["chek"] = 1
    loaded = load_contract(raw)
    assert loaded.criterion_groups[1].property == "charm"
    assert [warning.partition(":")[0] for warning in loaded.warnings()] == [
        "$.criterion_groups[1].property",
        "$.criterion_groups[1].atoms[0]",
    ]
    assert "chek" in loaded.as_json()["criterion_groups"][1]["atoms"][0]


def broken(path: str) -> dict[str, Any]:
    """A contract with one fault, named by what it does."""
    raw = copy.deepcopy(contract())
    first, second = raw["criterion_groups"]
    check = first["atoms"][0]["check"] = copy.deepcopy(RED_BOX)
    match path:
        case "version":
            raw["schema_version"] = "v2"
        case "role":
            first["role"] = "optional"
        case "empty group":
            second["atoms"] = []
        case "no id":
            del second["atoms"][0]["id"]
        case "blank id":
            second["atoms"][0]["id"] = " "
        case "duplicate id":
            second["atoms"][0]["id"] = "a"
        case "one role":
            second["role"] = "required"
        case "no property":
            second["property"] = " "
        case "check colour":
            check["colour"] = "red"
        case "check kind":
            check["kind"] = "magic"
        case "check region":
            check["region"] = {"shape": "mask", "width": 2, "height": 2, "runs": [3]}
        case "nested check":
            first["atoms"][0]["check"] = {"kind": "any_of", "checks": [check, {"kind": "colour_at"}]}
    return raw


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("version", r"odd\.json: \$\.schema_version is 'v2'"),
        ("role", r"odd\.json: \$\.criterion_groups\[0\]\.role: .*found 'optional'"),
        ("empty group", r"\$\.criterion_groups\[1\]\.atoms: "),
        ("no id", r"\$\.criterion_groups\[1\]\.atoms\[0\]\.id: Field required"),
        ("blank id", r"\$\.criterion_groups\[1\]\.atoms\[0\]\.id: "),
        ("duplicate id", r"\[1\]\.atoms\[0\]\.id: duplicate atom id 'a', first at .*\[0\]\.atoms\[0\]\.id"),
        ("one role", r"\$\.criterion_groups has no protected group"),
        ("no property", r"\$\.criterion_groups\[1\]\.property: "),
        ("check colour", r"\$\.criterion_groups\[0\]\.atoms\[0\]\.check\.colour: .*found 'red'"),
        ("check kind", r"\.atoms\[0\]\.check: .*'magic'"),
        ("check region", r"\.atoms\[0\]\.check\.region: .*add up to 3 pixels, not to 2 x 2 = 4"),
        ("nested check", r"\.atoms\[0\]\.check\.checks\[1\]\.region: Field required"),
    ],
)
def test_a_fault_is_named_by_file_and_json_path(fault: str, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        load_contract(broken(fault), name="odd.json")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "is no JSON \\(line 1, column 2\\)"),
        (b"[]", r"\$ is a list"),
        (b"\xff\xfe", "is no UTF-8 text"),
    ],
)
def test_a_file_that_holds_no_object_is_an_error(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(content)
    with pytest.raises(DatasetError, match=message):
        load_contract(path)


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"none\.json: can't be read"):
        load_contract(tmp_path / "none.json")


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(json.dumps(contract()), encoding="utf-8-sig")
    assert load_contract(path) == load_contract(contract())
