"""WiseEdit's figures with every case in N.

A missing output is the floor of the scale, a failed judge call a missing measurement with bounds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from statistics import fmean

from editplan.errors import DatasetError
from editplan.evals.protocols.wiseedit.csvfile import Row, read_table
from editplan.evals.protocols.wiseedit.layout import (
    BASIC,
    LANGUAGES,
    METRICS,
    Category,
    Language,
    Metric,
    scaled,
    subsets,
    weighted_average,
)
from editplan.evals.protocols.wiseedit.scores import read_scores, score_path
from editplan.records import Record

_FLOOR = 1.0


class StrictCell(Record):
    """The mean of one metric in one category and language, on 0..100."""

    value: float | None
    """Over the measured cases, missing outputs included; None if nothing is measured."""
    n: int
    """All cases of the category."""
    missing_outputs: int
    unmeasured: int
    """Failed, unreadable or absent judge calls."""
    bounds: tuple[float, float]
    """The mean if every unmeasured case had 0, and if every one had 100."""

    @property
    def complete(self) -> bool:
        """True if every case is measured."""
        return self.unmeasured == 0


class StrictTables(Record):
    """All cells by published column, and the averages; what is absent was not run."""

    cells: dict[str, StrictCell]
    averages: dict[str, float | None]
    """`<category>_overall_<language>`, `basic_overall_<language>`, `WiseEdit_Complex_overall`, unrounded."""


def strict_tables(
    dataset_dir: str | Path,
    score_root: str | Path,
    model: str,
    missing_outputs: Collection[tuple[str, Language, str]] | None = None,
) -> StrictTables:
    """Aggregate score files without dropping a case.

    `missing_outputs` names (subset, language, idx) of outputs that are missing or unusable, as a preflight
    lists them. Without it a row whose applicable scores of a language are all 0 is taken for one, which is
    what the published judge writes for it; a single 0 is a judge call that failed. Languages and categories
    without any score are left out. Raises `DatasetError` as `official_tables` does.
    """
    folder = Path(score_root) / model
    if not folder.is_dir():
        raise DatasetError(f"{folder}: no such folder; it must hold the score_<subset>.csv files of {model!r}")
    rows: dict[Category, list[tuple[str, Row]]] = {}
    for subset in subsets(dataset_dir):
        dataset = read_table(subset.csv_path, ("idx",))
        path = score_path(score_root, model, subset.name)
        table = read_scores(path, subset, dataset) if path.is_file() else dataset
        rows.setdefault(subset.category, []).extend((subset.name, row) for row in table.rows)
    cells: dict[str, StrictCell] = {}
    for category, members in rows.items():
        for language in LANGUAGES:
            if any(_cell(row, metric, language) for _, row in members for metric in METRICS[category]):
                cells.update(_category(category, language, members, missing_outputs))
    return StrictTables(cells=cells, averages=_averages(cells))


def _category(
    category: Category,
    language: Language,
    members: Iterable[tuple[str, Row]],
    missing_outputs: Collection[tuple[str, Language, str]] | None,
) -> dict[str, StrictCell]:
    measured: dict[Metric, list[float]] = {metric: [] for metric in METRICS[category]}
    missing = total = 0
    for subset, row in members:
        total += 1
        if missing_outputs is None:
            absent = all(_cell(row, metric, language) == "0" for metric in METRICS[category])
        else:
            absent = (subset, language, row.idx) in missing_outputs
        missing += absent
        for metric, values in measured.items():
            value = _FLOOR if absent else _score(_cell(row, metric, language))
            if value is not None:
                values.append(scaled(value))
    return {
        f"{category}_{metric}_{language}": _strict_cell(values, total, missing) for metric, values in measured.items()
    }


def _strict_cell(values: list[float], total: int, missing: int) -> StrictCell:
    unmeasured = total - len(values)
    return StrictCell(
        value=fmean(values) if values else None,
        n=total,
        missing_outputs=missing,
        unmeasured=unmeasured,
        bounds=(sum(values) / total, (sum(values) + 100.0 * unmeasured) / total),
    )


def _averages(cells: dict[str, StrictCell]) -> dict[str, float | None]:
    averages: dict[str, float | None] = {}
    for language in LANGUAGES:
        for category in Category:
            averages[f"{category}_overall_{language}"] = _overall(cells, category, language)
        averages[f"basic_overall_{language}"] = _mean([averages[f"{c}_overall_{language}"] for c in BASIC])
    both = [averages[f"{Category.COMPLEX}_overall_{language}"] for language in LANGUAGES]
    averages["WiseEdit_Complex_overall"] = _mean(both)
    return averages


def _overall(cells: dict[str, StrictCell], category: Category, language: Language) -> float | None:
    values: dict[Metric, float] = {}
    for metric in METRICS[category]:
        cell = cells.get(f"{category}_{metric}_{language}")
        if cell is None or cell.value is None:
            return None
        values[metric] = cell.value
    return weighted_average(
        values,
        alpha=float(Metric.KNOWLEDGE_FIDELITY in values),
        beta=float(Metric.CREATIVE_FUSION in values),
    )


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if len(known) == len(values) else None


def _cell(row: Row, metric: Metric, language: Language) -> str:
    return row.cells.get(metric.column(language), "").strip()


def _score(cell: str) -> float | None:
    """A number from 1 to 10, or None for anything else."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if 1 <= value <= 10 else None
