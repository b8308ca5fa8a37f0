"""Small datasets in the published layouts, made anew for each test."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

VECTOR_TASKS = Path(__file__).parents[2] / "data" / "vectorbench" / "tasks"


def picture(path: Path, colour: tuple[int, int, int] = (255, 0, 0), side: int = 64) -> Path:
    """A white board with one square."""
    pixels = np.full((side, side, 3), 255, np.uint8)
    pixels[side // 4 : side // 2, side // 4 : side // 2] = colour
    path.parent.mkdir(parents=True, exist_ok=True)
    PIL.Image.fromarray(pixels).save(path)
    return path


def rigbench_tree(folder: Path, *extra: object) -> Path:
    """Three items: one without, two with demonstrations; further lines as given."""
    for name in ("maze", "truth", "a", "b", "query"):
        picture(folder / "images" / f"{name}.png", (255, 0, 0) if name != "truth" else (0, 0, 255))
    demos = [["images/a.png", "images/b.png"]]
    common = {"context_images": ["images/query.png"], "demos": demos, "ground_truth": "images/truth.png"}
    items: list[object] = [
        {
            "id": "maze-1",
            "subtask": "visual-spatial",
            "variant": "maze",
            "context_images": ["images/maze.png"],
            "instruction": "Change the red square to blue.",
            "ground_truth": "images/truth.png",
        },
        {"id": "rule-1", "subtask": "rule_transfer", "instruction": "Change the red square to green.", **common},
        {
            "id": "scene-1",
            "subtask": "scene temporal",
            "instruction": "Remove the square.",
            "hint": "h",
            **common,
        },
    ]
    path = folder / "items.jsonl"
    lines = [each if isinstance(each, str) else json.dumps(each) for each in (*items, *extra)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def wiseedit_tree(folder: Path, *, rows: list[dict[str, Any]] | None = None) -> Path:
    """Two subsets: Awareness_1 with two items, WiseEdit_Complex_2 with one of two images."""
    root = folder / "WiseEdit-Benchmark"
    for name in ("one", "two", "ref"):
        picture(root / "imgs" / f"{name}.png")
    plain = {"prompt": "Change the red square to blue.", "promptcn": "把杯子变成蓝色", "hint": "It is blue."}
    one = [{"idx": str(n), "input_1": "imgs/one.png", "ref": "", "knowledge": "declarative", **plain} for n in (1, 2)]
    two = [{"idx": "1", "input_1": "imgs/one.png", "input_2": "imgs/two.png", "ref": "imgs/ref.png", **plain}]
    write_csv(root / "WiseEdit" / "Awareness" / "Awareness_1" / "Awareness_1.csv", rows or one)
    write_csv(root / "WiseEdit-Complex" / "WiseEdit_Complex_2" / "WiseEdit_Complex_2.csv", two)
    return root


def write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    """As the published files are: UTF-8 with a byte order mark, CRLF."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def risebench_tree(folder: Path, *extra: dict[str, Any]) -> Path:
    """One temporal and one logical item, and further entries as given."""
    root = folder / "RISEBench"
    picture(root / "images" / "one.png")
    shared = {"instruction": "Change the red square to blue.", "image": "images/one.png", "reference": "It is blue."}
    items = [
        {"index": "temporal_1", "category": "temporal_reasoning", "subtask": "decay", **shared},
        {"index": "logical_1", "category": "logical_reasoning", **shared},
    ]
    root.mkdir(parents=True, exist_ok=True)
    (root / "data_total.json").write_text(json.dumps([*items, *extra]), encoding="utf-8")
    return root


def vectorbench_tree(folder: Path, count: int = 2) -> Path:
    """The first published tasks of the fixture."""
    root = folder / "tasks"
    root.mkdir(parents=True, exist_ok=True)
    for path in sorted(VECTOR_TASKS.glob("*.json"))[:count]:
        shutil.copy(path, root / path.name)
    return root


def paintbench_tree(folder: Path) -> Path:
    """Two recolouring problems."""
    root = folder / "paintbench"
    lines = []
    for number in (1, 2):
        picture(root / "recolor" / f"{number:03d}_input.png", (255, 0, 0))
        picture(root / "recolor" / f"{number:03d}_answer.png", (0, 0, 255))
        problem = {
            "category": "color_change",
            "task": "recolor",
            "mode": "explicit",
            "visual_condition": "plain",
            "problem_id": number,
            "instruction": "Change the red square to blue.",
        }
        lines.append(json.dumps(problem))
    (root / "problems.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return root
