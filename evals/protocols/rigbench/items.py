"""RIG-Bench's items, from JSON lines; the published column names aren't known, so a table maps them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from editplan.errors import DatasetError
from editplan.evals.plain_json import strict_json
from editplan.evals.protocols.preflight import ItemFault, Loaded, Preflight, inside, preflight
from editplan.evals.protocols.rigbench.subtasks import (
    SUBTASKS,
    Family,
    Subtask,
    default_variant,
    variant_instruction,
)
from editplan.records import Record

COLUMNS: Mapping[str, str] = {
    name: name
    for name in (
        "id",
        "subtask",
        "variant",
        "context_images",
        "demos",
        "instruction",
        "hint",
        "ground_truth",
    )
}
"""Our field -> column of the file."""

OUTPUT_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")


class Demonstration(Record):
    """One example of what is to be done."""

    inputs: tuple[Path, ...]
    outputs: tuple[Path, ...]


class RigItem(Record):
    """One case: context images, demonstrations, an instruction, and the image that answers it."""

    id: str
    subtask: Subtask
    variant: str | None
    context_images: tuple[Path, ...]
    demos: tuple[Demonstration, ...]
    instruction: str
    hint: str | None
    ground_truth: Path
    """For the judge only."""

    @property
    def family(self) -> Family:
        """The subtask's family."""
        return SUBTASKS[self.subtask].family


def read_items(items_file: str | Path, columns: Mapping[str, str] | None = None) -> Loaded[RigItem]:
    """The usable items of a JSONL file and the faults of the others.

    `columns` overrides where our fields are found, e.g. `{"ground_truth": "answer_image"}`. Image paths are
    relative to the file's folder. An item without an instruction gets its variant's. Raises `DatasetError` for
    an unknown field in `columns` or a missing file.
    """
    path = Path(items_file)
    unknown = sorted(set(columns or {}) - set(COLUMNS))
    if unknown:
        raise DatasetError(f"columns: unknown fields {unknown}; known are {sorted(COLUMNS)}")
    names = {**COLUMNS, **(columns or {})}
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError as error:
        raise DatasetError(f"{path}: no such file") from error
    items: dict[str, RigItem] = {}
    faults = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        entry: dict[str, Any] = {}
        try:
            entry = _entry(line, names)
            item = _item(entry, path.parent)
            if item.id in items:
                raise DatasetError("id appears twice")
            items[item.id] = item
        except DatasetError as error:
            name = str(entry.get("id", "?"))
            faults.append(ItemFault(item=name, where=f"{path.name}:{number}", problem=str(error)))
    return Loaded[RigItem](items=tuple(items.values()), faults=tuple(faults))


def import_outputs(root: str | Path, items: Iterable[RigItem]) -> Preflight:
    """Find one output an item, `<root>/<id>.<png|jpg|jpeg|webp>`."""
    folder = Path(root)
    candidates = {item.id: tuple(folder / f"{item.id}{suffix}" for suffix in OUTPUT_SUFFIXES) for item in items}
    return preflight(folder, candidates, searched=(folder,))


def _entry(line: str, names: Mapping[str, str]) -> dict[str, Any]:
    try:
        value = strict_json(line)
    except json.JSONDecodeError as error:
        raise DatasetError(f"no JSON: {error}") from error
    if not isinstance(value, dict):
        raise DatasetError(f"an object is expected, not {type(value).__name__}")
    return {field: value[column] for field, column in names.items() if value.get(column) is not None}


def _item(entry: dict[str, Any], root: Path) -> RigItem:
    name = _text(entry, "id")
    if name is None or "/" in name or "\\" in name or name in (".", ".."):
        raise DatasetError(f"'id' must be a plain file name, not {entry.get('id')!r}")
    subtask = _subtask(entry)
    demos = tuple(_demo(pair, root) for pair in _list(entry, "demos"))
    context = _paths(_list(entry, "context_images"), root)
    if not context:
        raise DatasetError("'context_images' is empty")
    truth = _text(entry, "ground_truth")
    if truth is None:
        raise DatasetError("'ground_truth' is missing")
    variant = _text(entry, "variant") or default_variant(subtask, len(demos))
    return RigItem(
        id=name,
        subtask=subtask,
        variant=variant,
        context_images=context,
        demos=demos,
        instruction=_text(entry, "instruction") or _default_instruction(variant, subtask),
        hint=_text(entry, "hint"),
        ground_truth=inside(root, truth),
    )


def _subtask(entry: dict[str, Any]) -> Subtask:
    name = (_text(entry, "subtask") or "").lower().replace("-", "_").replace(" ", "_")
    if name not in set(Subtask):
        raise DatasetError(f"'subtask' {entry.get('subtask')!r} is not among {', '.join(Subtask)}")
    return Subtask(name)


def _default_instruction(variant: str | None, subtask: Subtask) -> str:
    if variant is None:
        raise DatasetError(f"{subtask} has several variants: give 'instruction' or 'variant'")
    return variant_instruction(variant)


def _demo(pair: Any, root: Path) -> Demonstration:
    if not isinstance(pair, list) or len(pair) != 2:
        raise DatasetError(f"a demonstration is a pair [input, output], not {pair!r}")
    inputs, outputs = (_paths(side if isinstance(side, list) else [side], root) for side in pair)
    if not inputs or not outputs:
        raise DatasetError("a demonstration has an empty side")
    return Demonstration(inputs=inputs, outputs=outputs)


def _paths(values: list[Any], root: Path) -> tuple[Path, ...]:
    if not all(isinstance(value, str) for value in values):
        raise DatasetError(f"image paths must be text, not {values!r}")
    return tuple(inside(root, value) for value in values)


def _list(entry: dict[str, Any], field: str) -> list[Any]:
    value = entry.get(field, [])
    if not isinstance(value, list):
        raise DatasetError(f"{field!r} must be a list, not {type(value).__name__}")
    return value


def _text(entry: dict[str, Any], field: str) -> str | None:
    value = entry.get(field)
    if value is None or isinstance(value, int):
        return None if value is None else str(value)
    if not isinstance(value, str):
        raise DatasetError(f"{field!r} must be text, not {type(value).__name__}")
    return value.strip() or None
