"""The fixture of three tasks with all their published outputs, and a small task made here."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[4]
FIXTURE = ROOT / "tests" / "data" / "vectorbench"

SVG = 'xmlns="http://www.w3.org/2000/svg"'
INITIAL = (
    f'<svg {SVG} viewBox="0 0 220 140"><defs><linearGradient id="sky"><stop offset="0"/></linearGradient></defs>'
    '<rect id="wall" x="0" y="0" width="220" height="140" fill="url(#sky)"/>'
    '<circle id="sun" cx="61" cy="20" r="8" fill="#000000"/>'
    '<path id="wire" d="M8 24 C42 16 74 16 108 24" fill="none" stroke-width="2"/>'
    '<g id="sign"><rect id="board" x="10" y="10" width="30" height="20"/><text id="label">Open</text></g>'
    '<rect id="smudge" x="1" y="1" width="2" height="2"/></svg>'
)
TARGET = (
    INITIAL.replace('cx="61"', 'cx="50"')
    .replace("#000000", "#f59e0b")
    .replace("M8 24 C42 16 74 16 108 24", "M8 18 C42 10 74 10 108 18")
    .replace('<rect id="smudge" x="1" y="1" width="2" height="2"/>', '<line id="ray" x1="0" y1="0" x2="9" y2="9"/>')
)


def small_task(**changes: Any) -> dict[str, Any]:
    """A task with one repair of each kind that the corpus has; keyword arguments replace its fields."""
    return {
        "task_id": "small",
        "instruction": "Put the sun back.",
        "initial_svg": INITIAL,
        "target_svg": TARGET,
        "should_preserve": ["wall", "sign", "board", "label"],
        "expected_diff": [
            {"part": "sun", "attribute": "cx", "before": 61, "after": 50},
            {"part": "sun", "attribute": "fill", "before": "#000000", "after": "#f59e0b"},
            {
                "part": "wire",
                "attribute": "d",
                "before": "M8 24 C42 16 74 16 108 24",
                "after": "M8 18 C42 10 74 10 108 18",
            },
            {"part": "smudge", "attribute": "exists", "before": True, "after": False},
            {"part": "ray", "attribute": "exists", "before": False, "after": True},
        ],
        **changes,
    }


def read_rows(folder: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each row of scored outputs with its task."""
    tasks = {path.stem: json.loads(path.read_text("utf-8")) for path in (folder / "tasks").glob("*.json")}
    lines = (folder / "scored_outputs.jsonl").read_text("utf-8").splitlines()
    return [(tasks[row["task_id"]], row) for row in map(json.loads, lines)]


def shared_folder() -> Path | None:
    """The full set, where it is laid beside the project."""
    shared = Path(os.environ.get("EDITPLAN_SHARED") or ROOT.parent / "shared")
    folder = shared / "data" / "vectorbench"
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def rows() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The gate's rows: 102 outputs of three tasks."""
    return read_rows(FIXTURE)


@pytest.fixture
def task() -> dict[str, Any]:
    """The small task."""
    return small_task()
