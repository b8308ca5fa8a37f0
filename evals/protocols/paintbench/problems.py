"""The tree of PaintBench: `<root>/<task>/<NNN>_input.png`, `<NNN>_answer.png`, `<NNN>.json` and `problems.jsonl`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from editplan.errors import DatasetError
from editplan.evals.cases import Regime
from editplan.evals.plain_json import strict_json
from editplan.evals.protocols.preflight import ItemFault, Loaded, existing
from editplan.records import Record

CATEGORIES: dict[str, tuple[str, ...]] = {
    "geometric_transformation": ("translation", "rotation", "reflection", "scaling", "shearing"),
    "structural_manipulation": ("construction", "removal", "copying", "border", "cropping"),
    "color_change": ("recolor", "flood_fill", "blending", "gradient", "point_operations"),
    "symbolic_reasoning": ("comparison", "ordering", "pattern", "counting", "legend"),
}
"""The scored categories; a problem of another one (the `preservation` split) stays outside the score."""

CATEGORY_OF = {task: category for category, tasks in CATEGORIES.items() for task in tasks}

_SCENE_DEPENDENT = {
    ("recolor", "dropper"),
    ("translation", "align"),
    ("scaling", "match"),
}
_SCENE_DEPENDENT_TASKS = {"comparison", "counting", "ordering"}
_RULE_DEPENDENT_TASKS = {"legend", "pattern"}
_TEXT_FIELDS = ("task", "mode", "category", "visual_condition", "instruction")


class PaintProblem(Record):
    """One problem, without the generator's facts: those are the answer and stay in the answer's file."""

    id: str
    """`<task>/<NNN>`."""
    task: str
    mode: str
    category: str
    visual_condition: str
    instruction: str
    input_path: Path
    answer_path: Path
    facts_path: Path
    """Read by `facts` for the oracle and for `as_worded` only."""

    @property
    def regime(self) -> Regime:
        """Our label of the information that fixes the edit."""
        return regime_of(self.task, self.mode)


def regime_of(task: str, mode: str) -> Regime:
    """The regime of a task: RD if it applies a depicted rule, SD if it needs a fact of the scene, else IS."""
    if task in _RULE_DEPENDENT_TASKS:
        return "RD"
    if task in _SCENE_DEPENDENT_TASKS or (task, mode) in _SCENE_DEPENDENT:
        return "SD"
    return "IS"


def load_problems(root: str | Path) -> Iterator[PaintProblem]:
    """Yield the problems of a tree in its own order; `DatasetError` if any of them is unusable."""
    yield from read_problems(root).strictly()


def read_problems(root: str | Path) -> Loaded[PaintProblem]:
    """The usable problems of a tree and the faults of the others.

    `problems.jsonl` lists them; a tree without it is walked by its `NNN.json` files. Raises `DatasetError`
    if the folder holds neither.
    """
    folder = Path(root)
    if not folder.is_dir():
        raise DatasetError(f"{folder}: no such folder; a PaintBench tree has one folder a task")
    listing = folder / "problems.jsonl"
    entries = list(_listed(listing) if listing.is_file() else _walked(folder))
    if not entries:
        raise DatasetError(f"{folder}: neither problems.jsonl nor <task>/<NNN>.json; is this a PaintBench tree?")
    problems: dict[str, PaintProblem] = {}
    faults: list[ItemFault] = []
    for where, entry in entries:
        try:
            problem = _problem(folder, entry)
            if problem.id in problems:
                raise DatasetError("listed twice")
            problems[problem.id] = problem
        except DatasetError as error:
            faults.append(ItemFault(item=_name(entry), where=where, problem=str(error)))
    return Loaded[PaintProblem](items=tuple(problems.values()), faults=tuple(faults))


def _listed(listing: Path) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(listing.read_text(encoding="utf-8-sig").splitlines(), start=1):
        if line.strip():
            yield f"{listing.name}:{number}", _parsed(line)


def _walked(folder: Path) -> Iterator[tuple[str, Any]]:
    for path in sorted(folder.glob("*/[0-9]*.json")):
        facts = _parsed(path.read_text(encoding="utf-8-sig"))
        if isinstance(facts, dict):
            facts.setdefault("problem_id", path.stem)
        yield str(path.relative_to(folder)), facts


def _parsed(text: str) -> Any:
    try:
        return strict_json(text)
    except json.JSONDecodeError as error:
        return DatasetError(f"no JSON: {error}")
    except DatasetError as error:
        return error


def _name(entry: Any) -> str:
    if isinstance(entry, dict):
        return f"{entry.get('task', '?')}/{entry.get('problem_id', '?')}"
    return "?"


def _problem(root: Path, entry: Any) -> PaintProblem:
    if isinstance(entry, DatasetError):
        raise entry
    if not isinstance(entry, dict):
        raise DatasetError(f"an object is expected, not {type(entry).__name__}")
    task = entry.get("task")
    entry = {"mode": "default", "category": CATEGORY_OF.get(str(task), task), **entry}
    for field in _TEXT_FIELDS:
        if not isinstance(entry.get(field), str) or not entry[field].strip():
            raise DatasetError(f"{field!r} is missing or no text")
    number = str(entry.get("problem_id", ""))
    if not number.isdecimal():
        raise DatasetError(f"'problem_id' must be a number, not {number!r}")
    stem = f"{entry['task']}/{int(number):03d}"
    return PaintProblem(
        id=stem,
        input_path=existing(root, f"{stem}_input.png"),
        answer_path=existing(root, f"{stem}_answer.png"),
        facts_path=root / f"{stem}.json",
        **{field: entry[field] for field in _TEXT_FIELDS},
    )
