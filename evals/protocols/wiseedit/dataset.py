"""The items of a WiseEdit tree."""

from __future__ import annotations

import json
from pathlib import Path

from editplan.errors import DatasetError
from editplan.evals.protocols.preflight import ItemFault, Loaded, inside
from editplan.evals.protocols.wiseedit.csvfile import Row, read_table
from editplan.evals.protocols.wiseedit.layout import Category, Language, Metric, Subset, judged_metrics, subsets
from editplan.records import Record

_OWN_COLUMNS = ("idx", "prompt", "promptcn", "hint", "ref")


class WiseEditItem(Record):
    """One case, in both languages."""

    idx: str
    subset: str
    category: Category
    inputs: tuple[Path, ...]
    prompt_en: str
    prompt_cn: str
    hint: str | None
    references: tuple[Path, ...]
    groups: dict[str, str]
    """The dataset's further columns (knowledge type, domain, ...), for tables."""

    @property
    def id(self) -> str:
        """`<subset>/<idx>`."""
        return f"{self.subset}/{self.idx}"

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """What is judged of it."""
        return judged_metrics(self.subset)

    def prompt(self, language: Language) -> str:
        """The instruction that an editor gets."""
        return self.prompt_cn if language == "cn" else self.prompt_en


def read_items(dataset_dir: str | Path) -> Loaded[WiseEditItem]:
    """All usable items of a tree; a broken CSV file costs its subset, a broken row itself.

    Image paths are relative to the dataset's root; they may be absent (the published fixtures have none), but
    may not leave it.
    """
    root = Path(dataset_dir)
    items: list[WiseEditItem] = []
    faults: list[ItemFault] = []
    for subset in subsets(root):
        where = str(subset.csv_path.relative_to(root))
        try:
            table = read_table(subset.csv_path, ("idx", "prompt"))
        except DatasetError as error:
            faults.append(ItemFault(item=f"{subset.name}/*", where=where, problem=str(error)))
            continue
        for row in table.rows:
            try:
                items.append(_item(root, subset, row))
            except DatasetError as error:
                faults.append(
                    ItemFault(item=f"{subset.name}/{row.idx}", where=f"{where}:{row.line}", problem=str(error))
                )
    return Loaded[WiseEditItem](items=tuple(items), faults=tuple(faults))


def _item(root: Path, subset: Subset, row: Row) -> WiseEditItem:
    cells = row.cells
    if not row.idx:
        raise DatasetError("'idx' is empty")
    if "/" in row.idx or "\\" in row.idx or row.idx in (".", ".."):
        raise DatasetError(f"idx {row.idx!r} must be a plain file name")
    if not cells["prompt"].strip():
        raise DatasetError("'prompt' is empty")
    return WiseEditItem(
        idx=row.idx,
        subset=subset.name,
        category=subset.category,
        inputs=tuple(inside(root, path) for path in _input_paths(subset, cells)),
        prompt_en=cells["prompt"],
        prompt_cn=cells.get("promptcn", ""),
        hint=cells.get("hint", "").strip() or None,
        references=tuple(inside(root, path) for path in reference_paths(cells.get("ref", ""))),
        groups={
            name: text
            for name, text in cells.items()
            if name not in _OWN_COLUMNS and not name.startswith("input_") and "_score_" not in name
        },
    )


def _input_paths(subset: Subset, cells: dict[str, str]) -> list[str]:
    if subset.n_inputs is None:
        names = [name for name in cells if name.startswith("input_")]
    else:
        names = [f"input_{number}" for number in range(1, subset.n_inputs + 1)]
    return [path for name in names if (path := cells.get(name, "").strip())]


def reference_paths(cell: str) -> list[str]:
    """The reference images of a row: a JSON list or string, else split at `|` or `;`, else one path."""
    text = cell.strip()
    if not text:
        return []
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        separator = next((mark for mark in "|;" if mark in text), None)
        parts = text.split(separator) if separator else [text]
        return [part.strip() for part in parts if part.strip()] or [text]
    if isinstance(value, list):
        return [path for part in value if (path := str(part).strip())]
    # A bare number or object is no path: the published script drops it too.
    return [value.strip()] if isinstance(value, str) and value.strip() else []
