"""The published layout: reading it item by item, and writing it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from editplan.errors import DatasetError, StoreError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.judges.checkers import CheckersJudge
from editplan.evals.judging import JudgeTask
from editplan.evals.suites import resolve_suite
from editplan.evals.suites.export import export_suite
from editplan.evals.suites.names import file_slug
from editplan.evals.suites.puzzles.suite import PuzzleSuite
from editplan.images import encode_png
from editplan.store import ImageStore

ATOM = {"id": "a", "question_en": "Is it red?", "pass_criteria": "It is red."}


def contract(case_id: str) -> dict[str, Any]:
    return {
        "schema_version": "solveedit.atomic_contract.v3",
        "case_id": case_id,
        "intended_final_state": "The box is red.",
        "reasoning_profile": {"dependency_regime": "SD", "domain": "games & puzzles"},
        "criterion_groups": [
            {"role": "required", "property": "semantic_accuracy", "atoms": [ATOM]},
            {"role": "protected", "property": "visual_quality", "atoms": [{**ATOM, "id": "b"}]},
        ],
    }


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """An empty dataset with one picture."""
    from PIL import Image

    (tmp_path / "contracts").mkdir()
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "one.png").write_bytes(encode_png(Image.new("RGB", (40, 30), "white")))
    return tmp_path


def write(dataset: Path, *lines: str | dict[str, Any], contracts: bool = True) -> Path:
    manifest = dataset / "manifest.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    manifest.write_text("\n".join(texts) + "\n", encoding="utf-8")
    for line in lines:
        if contracts and isinstance(line, dict) and isinstance(line.get("case_id"), str):
            path = dataset / "contracts" / f"{file_slug(line['case_id'])}.json"
            path.write_text(json.dumps(contract(line["case_id"])), encoding="utf-8")
    return manifest


def record(case_id: str = "one", **changes: Any) -> dict[str, Any]:
    return {
        "uid": case_id,
        "case_id": case_id,
        "input_image": "images/one.png",
        "instruction": "Paint the box red.",
        **changes,
    }


def read(manifest: Path) -> list[Case | InvalidCase]:
    return list(resolve_suite(f"solveedit:{manifest}").cases(ImageStore()))


def only_error(manifest: Path) -> str:
    (item,) = read(manifest)
    assert isinstance(item, InvalidCase)
    assert "\n" not in item.error
    return item.error


def test_a_record_gives_the_condition_picture_and_goal_and_the_evaluator_the_rest(dataset: Path) -> None:
    (case,) = read(write(dataset, record()))
    assert isinstance(case, Case)
    assert case.request.goal == "Paint the box red."
    assert (case.regime, case.domain) == ("SD", "games & puzzles")
    assert case.oracle is not None
    assert case.oracle.final_state == "The box is red."
    assert "red." not in case.request.model_dump_json().replace("Paint the box red.", "")


@pytest.mark.parametrize(
    ("planted", "path"),
    [
        ({"contract_path": "contracts/one.json"}, r"forbidden_key:\$\.contract_path"),
        ({"meta": {"list": [{}, {"Manual_Facts": 1}]}}, r"forbidden_key:\$\.meta\.list\[1\]\.Manual_Facts"),
        ({"extra": {"dependency_regime": "RD"}}, r"forbidden_key:\$\.extra\.dependency_regime"),
        ({"reference_image": None}, r"forbidden_key:\$\.reference_image"),
    ],
)
def test_a_planted_field_of_the_evaluation_is_refused_with_its_path(
    dataset: Path, planted: dict[str, Any], path: str
) -> None:
    manifest = write(dataset, record(**planted), record("two"))
    first, second = read(manifest)
    assert isinstance(first, InvalidCase)
    with pytest.raises(AssertionError, match=path):
        raise AssertionError(first.error)
    assert isinstance(second, Case)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"uid": "x", ', "line 1: is no JSON (column 14)"),
        ("[1, 2]", "line 1: is a JSON list; an object is expected"),
        ("\udcff", "is no"),
        (record(instruction="  "), "$.instruction is '  '; text that is not blank is expected"),
        ({"uid": "x", "case_id": "x", "instruction": "Go."}, "$.input_image is missing"),
        (record(case_id=7), "$.case_id is 7; text that is not blank is expected"),
        (record(input_image="../one.png"), "'../one.png' leaves the dataset folder"),
        (record(input_image="/etc/hosts"), "must be relative"),
        (record(input_image="images/none.png"), "image 'images/none.png' is not in"),
    ],
)
def test_a_bad_line_is_one_precise_error(dataset: Path, line: str | dict[str, Any], message: str) -> None:
    if line == "\udcff":
        manifest = write(dataset, "{}")
        manifest.write_bytes(b"\xff\xfe{}\n")
    else:
        manifest = write(dataset, line)
    assert message in only_error(manifest)


def test_a_link_out_of_the_folder_is_refused(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.png"
    outside.write_bytes((dataset / "images" / "one.png").read_bytes())
    (dataset / "images" / "link.png").symlink_to(outside)
    assert "leaves the dataset folder" in only_error(write(dataset, record(input_image="images/link.png")))


def test_a_broken_picture_costs_its_case_only(dataset: Path) -> None:
    (dataset / "images" / "text.png").write_text("no picture")
    first, second = read(write(dataset, record("bad", input_image="images/text.png"), record("good")))
    assert isinstance(first, InvalidCase)
    assert "is no picture" in first.error
    assert isinstance(second, Case)


def test_the_second_of_two_equal_ids_is_refused(dataset: Path) -> None:
    first, second = read(write(dataset, record(), record()))
    assert isinstance(first, Case)
    assert isinstance(second, InvalidCase)
    assert "case id 'one' was given in line 1 already" in second.error
    assert second.case_id == "line 2"


def test_ids_of_any_script_and_with_any_sign_keep_their_own_contracts(dataset: Path) -> None:
    ids = ["图一", "图二", "a/b", "a:b", "../x"]
    items = read(write(dataset, *(record(case_id) for case_id in ids)))
    assert [item.case_id for item in items if isinstance(item, Case)] == ids
    assert [item.contract.case_id for item in items if isinstance(item, Case) and item.contract] == ids


def test_a_contract_with_a_duplicate_atom_id_costs_its_case_only(dataset: Path) -> None:
    manifest = write(dataset, record("bad"), record("good"))
    broken = contract("bad")
    broken["criterion_groups"][1]["atoms"][0]["id"] = "a"
    (dataset / "contracts" / "bad.json").write_text(json.dumps(broken))
    first, second = read(manifest)
    assert isinstance(first, InvalidCase)
    assert "duplicate atom id 'a'" in first.error
    assert isinstance(second, Case)


def test_a_missing_contract_says_where_it_was_looked_for(dataset: Path) -> None:
    assert "one.json is expected in" in only_error(write(dataset, record(), contracts=False))


def test_the_contract_of_another_case_is_refused(dataset: Path) -> None:
    manifest = write(dataset, record())
    (dataset / "contracts" / "one.json").write_text(json.dumps(contract("two")))
    assert "$.case_id is 'two', but the manifest's is 'one'" in only_error(manifest)


def test_an_empty_or_missing_manifest_is_an_error_of_the_suite(dataset: Path) -> None:
    empty = dataset / "empty.jsonl"
    empty.write_text("\n")
    with pytest.raises(DatasetError, match="holds no item"):
        read(empty)
    with pytest.raises(DatasetError, match="no such file"):
        read(dataset / "none.jsonl")


async def test_an_exported_suite_reads_back_to_equal_cases_and_scores(tmp_path: Path) -> None:
    suite = resolve_suite("puzzles?count=4&seed=3&difficulty=easy")
    assert isinstance(suite, PuzzleSuite)
    exported = export_suite(suite, tmp_path / "out")
    assert (exported.n_cases, exported.left_out) == (4, ())
    images = ImageStore()
    ours = [case for case in suite.cases(images) if isinstance(case, Case)]
    theirs = list(resolve_suite(f"solveedit:{exported.manifest}").cases(images))
    for puzzle, before, after in zip(suite.puzzles(), ours, theirs, strict=True):
        assert isinstance(after, Case)
        assert after.model_copy(update={"contract": None}) == before.model_copy(update={"contract": None})
        output = images.add_array(puzzle.errors[0].picture)
        verdicts = [await judged(case, output, images) for case in (before, after)]
        assert verdicts[0] == verdicts[1]
    manifest = exported.manifest.read_text(encoding="utf-8")
    assert all(
        set(json.loads(line)) <= {"uid", "case_id", "input_image", "instruction", "language"}
        for line in manifest.splitlines()
    )


async def judged(case: Case, output: Any, images: ImageStore) -> Any:
    task = JudgeTask(source=case.request.parts, output=output, goal=case.request.goal, contract=case.contract)
    return await CheckersJudge().judge(task, images)


def test_an_export_never_writes_into_a_used_folder(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(StoreError, match="is not empty"):
        export_suite(resolve_suite("puzzles?count=1"), tmp_path)


def test_what_has_no_contract_is_left_out_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"nothing to export: .*it has no contract"):
        export_suite(resolve_suite("paintbench:sample?tasks=removal"), tmp_path / "out")


def test_pictures_are_exported_bit_for_bit(tmp_path: Path) -> None:
    suite = resolve_suite("puzzles?count=1&seed=4")
    assert isinstance(suite, PuzzleSuite)
    images = ImageStore()
    (case,) = resolve_suite(f"solveedit:{export_suite(suite, tmp_path / 'out').manifest}").cases(images)
    assert isinstance(case, Case)
    assert np.array_equal(images[case.request.parts[0].media.sha256].array(), suite.puzzle(0).source)
