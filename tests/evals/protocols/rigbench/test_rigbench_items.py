"""Items, subtasks, variants and the order in which an item is shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from editplan.errors import DatasetError
from editplan.evals.protocols.rigbench import SUBTASKS, RigItem, Subtask, assemble, import_outputs, read_items
from editplan.evals.protocols.rigbench.assembly import ImageBlock, TextBlock, goal
from editplan.evals.protocols.rigbench.subtasks import default_variant, variant_instruction, variants


def entry(name: str = "a", **more: Any) -> dict[str, Any]:
    base = {"id": name, "subtask": "rule_transfer", "context_images": ["q.png"], "ground_truth": "y.png"}
    return {**base, "demos": [["d1.png", "e1.png"], [["d2.png"], ["e2.png"]]], **more}


def write(tmp_path: Path, *lines: Any) -> Path:
    path = tmp_path / "items.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def read_one(tmp_path: Path, line: dict[str, Any]) -> RigItem:
    loaded = read_items(write(tmp_path, line))
    assert loaded.faults == ()
    return loaded.items[0]


def test_the_published_sizes_add_up() -> None:
    assert len(SUBTASKS) == 11
    assert sum(facts.n for facts in SUBTASKS.values()) == 2000
    common = [facts for facts in SUBTASKS.values() if facts.common]
    assert (len(common), sum(facts.n for facts in common)) == (9, 1632)
    assert sum(facts.n for facts in common if facts.open_ended) == 310
    assert all(facts.n <= facts.pool for facts in SUBTASKS.values())


def test_there_are_thirty_six_different_variants() -> None:
    assert len(variants()) == 36
    assert len(set(variants().values())) == 36
    with pytest.raises(DatasetError, match="'labyrinth' is not among"):
        variant_instruction("labyrinth")


def test_subtasks_with_one_variant_need_not_name_it(tmp_path: Path) -> None:
    assert default_variant(Subtask.RULE_TRANSFER, 1) == default_variant(Subtask.GEOMETRIC_ANALOGY, 1) == "single_pair"
    assert default_variant(Subtask.RULE_TRANSFER, 3) == "grid_rule"
    assert default_variant(Subtask.VISUAL_SPATIAL, 0) is None
    assert read_one(tmp_path, entry()).instruction == variants()["grid_rule"]
    assert read_one(tmp_path, entry(instruction="Do it.")).instruction == "Do it."
    loaded = read_items(write(tmp_path, entry(subtask="visual-spatial")))
    assert "several variants" in loaded.faults[0].problem


def shown(item: RigItem) -> list[str]:
    return [
        block.text if isinstance(block, TextBlock) else f"<{block.role} {block.path.name}>"
        for block in assemble(item)
    ]


def test_the_published_order(tmp_path: Path) -> None:
    item = read_one(tmp_path, entry(instruction="Apply the rule.", hint="Grids only."))
    assert shown(item) == [
        "The following 2 examples show an input and the output that belongs to it.",
        "Example 1 input:",
        "<demo_in d1.png>",
        "Example 1 output:",
        "<demo_out e1.png>",
        "Example 2 input:",
        "<demo_in d2.png>",
        "Example 2 output:",
        "<demo_out e2.png>",
        "That was the last example. The test input follows:",
        "<canvas q.png>",
        "Apply the rule.",
        "Task description: Grids only.",
    ]
    assert goal(item) == "Apply the rule.\nTask description: Grids only."


def test_without_demonstrations_only_images_and_instruction_are_shown(tmp_path: Path) -> None:
    images = [f"{n}.png" for n in range(6)]
    item = read_one(tmp_path, entry(subtask="abstract_concept", demos=[], context_images=images))
    assert shown(item)[:-1] == [f"<reference {n}.png>" for n in range(6)]


def test_the_ground_truth_is_never_shown(tmp_path: Path) -> None:
    for subtask in ("rule_transfer", "matrix_reasoning"):
        item = read_one(tmp_path, entry(subtask=subtask))
        paths = [block.path for block in assemble(item) if isinstance(block, ImageBlock)]
        assert item.ground_truth not in paths


def test_columns_can_be_mapped(tmp_path: Path) -> None:
    line = {
        "uid": 7,
        "task": "Geometric Analogy",
        "images": ["q.png"],
        "pairs": [["a.png", "b.png"]],
        "answer": "y.png",
    }
    names = {"id": "uid", "subtask": "task", "context_images": "images", "demos": "pairs", "ground_truth": "answer"}
    loaded = read_items(write(tmp_path, line), names)
    assert loaded.faults == ()
    assert loaded.items[0].id == "7"
    with pytest.raises(DatasetError, match=r"unknown fields \['truth'\]"):
        read_items(write(tmp_path, line), {"truth": "answer"})


def test_broken_lines_are_faults_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        entry("a"),
        '{"id": "b", ',
        "[1]",
        entry("c", subtask="juggling"),
        entry("d", context_images=["../../q.png"]),
        entry("e", demos=[["only.png"]]),
        entry("f", ground_truth=None),
        entry("../g"),
        entry("h", context_images=[]),
        entry("i", context_images=[3]),
        entry("a"),
        entry("图一"),
    )
    loaded = read_items(path)
    assert [item.id for item in loaded.items] == ["a", "图一"]
    assert [fault.where for fault in loaded.faults] == [f"items.jsonl:{n}" for n in range(2, 12)]
    told = [fault.problem for fault in loaded.faults]
    for problem, part in zip(
        told,
        (
            "no JSON",
            "an object is expected",
            "'juggling' is not among",
            "leaves the dataset folder",
            "a pair [input, output]",
            "'ground_truth' is missing",
            "plain file name",
            "'context_images' is empty",
            "must be text",
            "id appears twice",
        ),
        strict=True,
    ):
        assert part in problem
    with pytest.raises(DatasetError, match="no such file"):
        read_items(tmp_path / "nothing.jsonl")


def test_preflight_of_outputs(tmp_path: Path) -> None:
    items = read_items(write(tmp_path, entry("a"), entry("b"))).items
    folder = tmp_path / "outputs"
    folder.mkdir()
    for name in ("a.png", "a.webp", "c.png"):
        Image.new("RGB", (4, 4)).save(folder / name)
    flight = import_outputs(folder, items)
    assert flight.missing == ("b",)
    assert [path.name for path in flight.extra] == ["c.png"]
    assert [double.item for double in flight.duplicates] == ["a"]
