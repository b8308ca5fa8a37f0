"""WiseEdit's tables (arXiv 2512.00387): the published statistics to the last digit, and ours with every case in N."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from editplan.evals.official.rows import Arm, ArmRow, PublishedTable, bracketed, plain
from editplan.evals.protocols.carried import item_in
from editplan.evals.protocols.wiseedit.csvfile import read_table, write_table
from editplan.evals.protocols.wiseedit.dataset import WiseEditItem
from editplan.evals.protocols.wiseedit.layout import BASIC, Language, Metric, Subset
from editplan.evals.protocols.wiseedit.official import official_tables, write_tables
from editplan.evals.protocols.wiseedit.report import report_lines
from editplan.evals.protocols.wiseedit.scores import score_path, write_scores
from editplan.evals.protocols.wiseedit.strict import strict_tables

_MODEL = "arm"


def figures(arm: Arm) -> dict[str, Any]:
    """`official` by the published columns, `lines` as the script prints them, and the `strict` cells and averages.

    The published statistics read files, so the arm's scores are written in that form first. An arm that supports no
    case has none.
    """
    rows = [row for row in arm.rows if row.ending != "unsupported"]
    if not rows:
        return {}
    missing = {_place(row) for row in rows if row.ending == "missing_output"}
    with tempfile.TemporaryDirectory() as folder:
        dataset, scores = Path(folder) / "dataset", Path(folder) / "scores"
        write_score_files(rows, dataset, scores, _MODEL)
        published = official_tables(dataset, scores, _MODEL)
        strict = strict_tables(dataset, scores, _MODEL, missing)
    return {
        "official": published,
        "lines": [line.model_dump(mode="json") for line in report_lines(published)],
        "strict": strict.model_dump(mode="json"),
    }


def write_files(arm: Arm, folder: Path) -> tuple[Path, ...]:
    """The score files and the three tables of an arm, as the published judge and statistics write them."""
    rows = [row for row in arm.rows if row.ending != "unsupported"]
    if not rows:
        return ()
    with tempfile.TemporaryDirectory() as place:
        dataset = Path(place)
        write_score_files(rows, dataset, folder, _MODEL)
        tables_written = write_tables(official_tables(dataset, folder, _MODEL), folder)
    return (*sorted((folder / _MODEL).glob("score_*.csv")), *tables_written)


def write_score_files(rows: Sequence[ArmRow], dataset: Path, scores: Path, model: str) -> None:
    """The items of the rows as a dataset tree, and their scores as the published score files.

    A missing output is 0 in every metric that applies, a failed judge call an empty cell.
    """
    items: dict[str, WiseEditItem] = {}
    marks: dict[str, dict[str, dict[tuple[Metric, Language], int | None]]] = {}
    for row in rows:
        item = item_in(row.case.rubric, WiseEditItem)
        items.setdefault(item.id, item)
        marks.setdefault(item.subset, {}).setdefault(item.idx, {}).update(_marks(row, item))
    for name in dict.fromkeys(item.subset for item in items.values()):
        members = [item for item in items.values() if item.subset == name]
        subset = _subset(dataset, members[0])
        cells = [{"idx": item.idx, "prompt": item.prompt_en, "promptcn": item.prompt_cn} for item in members]
        write_table(subset.csv_path, ("idx", "prompt", "promptcn"), cells)
        write_scores(score_path(scores, model, name), read_table(subset.csv_path, ("idx",)), marks[name])


def tables(arms: Mapping[str, Mapping[str, Any]]) -> Sequence[PublishedTable]:
    """One table an arm: the printed lines with the strict average and its bounds beside the published one."""
    return tuple(_table(name, each) for name, each in arms.items())


def _table(name: str, each: Mapping[str, Any]) -> PublishedTable:
    letters = ("DF", "IF", "VQ", "KF", "CF", "AVG")
    rows = tuple(
        (
            f"{line['task']} ({line['language']})",
            *(line["figures"].get(letter, "") for letter in letters),
            *_strict(each["strict"], line["task"], line["language"]),
        )
        for line in each.get("lines", ())
    )
    columns = ("task step", *letters, "AVG (strict)", "within", "N", "missing", "unmeasured")
    return PublishedTable(title=f"WiseEdit, published form: {name}", columns=columns, rows=rows)


def _strict(strict: Mapping[str, Any], task: str, language: str) -> tuple[str, ...]:
    """Average, bounds, N, missing outputs and unmeasured cells of a line."""
    category = "basic" if task == "Basic overall" else task
    average = strict["averages"].get(f"{category}_overall_{language}")
    prefix, suffix = f"{category}_", f"_{language}"
    cells = [cell for name, cell in strict["cells"].items() if name.startswith(prefix) and name.endswith(suffix)]
    if not cells:
        return (plain(average, 1), "", "", "", "")
    bounds = [sum(cell["bounds"][side] for cell in cells) / len(cells) for side in (0, 1)]
    unmeasured = sum(cell["unmeasured"] for cell in cells)
    counts = (str(cells[0]["n"]), str(cells[0]["missing_outputs"]), str(unmeasured))
    return (plain(average, 1), bracketed(bounds, 1) if unmeasured else "", *counts)


def _place(row: ArmRow) -> tuple[str, Language, str]:
    item = item_in(row.case.rubric, WiseEditItem)
    return item.subset, _language(row), item.idx


def _language(row: ArmRow) -> Language:
    return "cn" if row.case.groups.get("language") == "cn" else "en"


def _marks(row: ArmRow, item: WiseEditItem) -> dict[tuple[Metric, Language], int | None]:
    language = _language(row)
    said = row.verdicts.report.get("metrics", {}) if row.verdicts is not None else {}
    absent = 0 if row.ending == "missing_output" else None
    return {(metric, language): said.get(metric.code, absent) for metric in item.metrics}


def _subset(dataset: Path, item: WiseEditItem) -> Subset:
    basic = item.category in BASIC
    folder = dataset / "WiseEdit" / item.category.value if basic else dataset / "WiseEdit-Complex"
    return Subset(category=item.category, name=item.subset, csv_path=folder / item.subset / f"{item.subset}.csv")
