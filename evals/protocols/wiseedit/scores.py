"""The published score files: `<score_root>/<model>/score_<subset>.csv`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from editplan.errors import DatasetError
from editplan.evals.protocols.wiseedit.csvfile import Row, Table, read_table, write_table
from editplan.evals.protocols.wiseedit.layout import LANGUAGES, Language, Metric, Subset

SCORE_COLUMNS = tuple(metric.column(language) for language in LANGUAGES for metric in Metric)

Scores = Mapping[tuple[Metric, Language], int | None]


def score_path(score_root: str | Path, model: str, subset: str) -> Path:
    """Where the scores of a subset lie."""
    return Path(score_root) / model / f"score_{subset}.csv"


def read_scores(path: Path, subset: Subset, dataset: Table) -> Table:
    """The score file of a subset, with the dataset's items and no others.

    Raises `DatasetError` if the two differ, as the published script does, or if the file is broken.
    """
    scores = read_table(path, ("idx",))
    if not set(scores.columns).intersection(SCORE_COLUMNS):
        raise DatasetError(f"{path}:1: no score column; at least one of {list(SCORE_COLUMNS)} is expected")
    missing, extra = dataset.idx_set - scores.idx_set, scores.idx_set - dataset.idx_set
    if missing or extra:
        raise DatasetError(
            f"{path}: its items are not those of {subset.csv_path}: "
            f"missing {_shown(missing)}, extra {_shown(extra)}; score the subset again"
        )
    return scores


def write_scores(path: Path, dataset: Table, scores: Mapping[str, Scores], previous: Table | None = None) -> None:
    """Write a score file: the dataset's columns, the five cn scores, the five en scores.

    `scores` is by idx; an item without any keeps the cells of `previous`, or gets empty ones, as does a
    metric that isn't judged. Columns that only an old score file has are left out.
    """
    columns = [name for name in dataset.columns if name not in SCORE_COLUMNS] + list(SCORE_COLUMNS)
    old = {row.idx: row.cells for row in previous.rows} if previous else {}
    rows = []
    for row in dataset.rows:
        cells: dict[str, object] = {**row.cells, **old.get(row.idx, {})}
        for (metric, language), value in scores.get(row.idx, {}).items():
            cells[metric.column(language)] = "" if value is None else value
        rows.append(cells)
    write_table(path, columns, rows)


def pending(row: Row, metrics: tuple[Metric, ...], *, official: bool) -> tuple[tuple[Metric, Language], ...]:
    """The judge calls that a resumed run still makes for a row.

    The published script takes any whole number for done, a failure's 0 included, and asks for the whole row
    again; `official=False` asks for the cells that hold no score of 1 to 10.
    """
    cells = [(metric, language) for language in LANGUAGES for metric in metrics]
    if official:
        done = all(_whole(row.cells.get(metric.column(language), "")) is not None for metric, language in cells)
        return () if done else tuple(cells)
    return tuple(
        (metric, language)
        for metric, language in cells
        if not 1 <= (_whole(row.cells.get(metric.column(language), "")) or 0) <= 10
    )


def _whole(cell: str) -> int | None:
    try:
        return int(cell.strip())
    except ValueError:
        return None


def _shown(items: frozenset[str]) -> str:
    shown = sorted(items)[:10]
    return f"{shown}{' and more' if len(items) > 10 else ''}"
