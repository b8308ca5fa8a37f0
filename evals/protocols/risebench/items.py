"""RISEBench's `data_total.json`, and the same layout in the larger release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from editplan.errors import DatasetError
from editplan.evals.plain_json import strict_json
from editplan.evals.protocols.preflight import ItemFault, Loaded, inside
from editplan.records import Record

Mode = Literal["official", "strict"]

HYBRID = "hybrid_reasoning"
LOGICAL = "logical_reasoning"
CATEGORIES = ("temporal_reasoning", "causal_reasoning", "spatial_reasoning", LOGICAL)
LARGER_RELEASE_CATEGORIES = ("counterfactual_reasoning", HYBRID)


class RiseItem(Record):
    """One case."""

    index: str
    category: str
    """Of the outputs' folder and the tables; `hybrid_reasoning` for one of several turns."""
    logical: bool
    """Judged by 0 or 1 in two dimensions."""
    subtask: str
    instruction: str
    images: tuple[Path, ...]
    reference_text: str | None
    reference_image: Path | None
    consistency_image: Path | None
    """What the output is compared with, where that isn't the first image."""
    reasoning_needs_input: bool
    reasoning_without_request: bool
    consistency_free: bool
    """No demand that the rest stay as it was."""
    official_consistency_free: bool
    """As the published script's weights read it: a missing flag is NaN, and counts as true, as soon as
    any item of the file has one."""


def read_items(data_json: str | Path, image_root: str | Path | None = None) -> Loaded[RiseItem]:
    """The usable items of a file and the faults of the others.

    Image paths are relative to `image_root`, the file's folder by default. Raises `DatasetError` if the file is
    no JSON list.
    """
    path = Path(data_json)
    root = Path(image_root) if image_root is not None else path.parent
    entries = _entries(path)
    flagged = any(isinstance(entry, dict) and "consistency_free" in entry for entry in entries)
    items: dict[str, RiseItem] = {}
    faults = []
    for number, entry in enumerate(entries):
        name = str(entry.get("index", "?")) if isinstance(entry, dict) else "?"
        try:
            item = _item(entry, root, flagged)
            if item.index in items:
                raise DatasetError("index appears twice")
            items[item.index] = item
        except DatasetError as error:
            faults.append(ItemFault(item=name, where=f"{path.name}:$[{number}]", problem=str(error)))
    return Loaded[RiseItem](items=tuple(items.values()), faults=tuple(faults))


def _entries(path: Path) -> list[Any]:
    try:
        entries = strict_json(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise DatasetError(f"{path}: no such file") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise DatasetError(f"{path}: no JSON: {error}") from error
    except DatasetError as error:
        raise DatasetError(f"{path}: {error}") from error
    if not isinstance(entries, list):
        raise DatasetError(f"{path}: a list of items is expected, not {type(entries).__name__}")
    return entries


def _item(entry: Any, root: Path, flagged: bool) -> RiseItem:
    if not isinstance(entry, dict):
        raise DatasetError(f"an object is expected, not {type(entry).__name__}")
    categories, several_turns = _categories(entry)
    index = str(entry.get("index", "")).strip()
    if not index or "/" in index or "\\" in index or index in (".", ".."):
        raise DatasetError(f"'index' must be a plain file name, not {index!r}")
    images = entry.get("image")
    images = [images] if isinstance(images, str) else images
    if not isinstance(images, list) or not images:
        raise DatasetError("'image' must be a path or a list of paths")
    reference = _text(entry, "reference_txt") or _text(entry, "reference")
    picture = _text(entry, "reference_img")
    if reference is None and picture is None:
        raise DatasetError("none of 'reference', 'reference_txt', 'reference_img' is there")
    comparison = _text(entry, "consistency_img")
    return RiseItem(
        index=index,
        category=HYBRID if several_turns else categories[0],
        logical=LOGICAL in categories,
        subtask=_text(entry, "subtask") or _text(entry, "task_type") or "",
        instruction=_instruction(entry),
        images=tuple(inside(root, str(image)) for image in images),
        reference_text=reference,
        reference_image=inside(root, picture) if picture else None,
        consistency_image=inside(root, comparison) if comparison else None,
        reasoning_needs_input=bool(entry.get("reasoning_img")),
        reasoning_without_request="reasoning_wo_ins" in entry,
        consistency_free=bool(entry.get("consistency_free")),
        official_consistency_free=flagged and bool(entry.get("consistency_free", True)),
    )


def _categories(entry: dict[str, Any]) -> tuple[list[str], bool]:
    value = entry.get("category")
    categories = [value] if isinstance(value, str) else value
    known = (*CATEGORIES, *LARGER_RELEASE_CATEGORIES)
    if not isinstance(categories, list) or not categories or not set(categories) <= set(known):
        raise DatasetError(f"'category' must be among {list(known)}, not {value!r}")
    return categories, bool(entry.get("multi_turn")) or len(categories) > 1


def _instruction(entry: dict[str, Any]) -> str:
    value = entry.get("instruction")
    if isinstance(value, list) and value:
        return "\n".join(f"{number}. {step}" for number, step in enumerate(value, start=1))
    if isinstance(value, str) and value.strip():
        return value
    raise DatasetError("'instruction' is missing or empty")


def _text(entry: dict[str, Any], key: str) -> str | None:
    value = entry.get(key)
    return value.strip() or None if isinstance(value, str) else None
