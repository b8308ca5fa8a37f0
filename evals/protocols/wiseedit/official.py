"""WiseEdit's published statistics to the last digit: the released script's row-dropping and rounding included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import reduce
from operator import add
from pathlib import Path

from editplan.errors import DatasetError
from editplan.evals.protocols.wiseedit.csvfile import Row, read_table, write_table
from editplan.evals.protocols.wiseedit.layout import (
    BASIC,
    LANGUAGES,
    METRICS,
    Category,
    Language,
    Metric,
    Subset,
    scaled,
    subsets,
)
from editplan.evals.protocols.wiseedit.scores import read_scores, score_path

Figure = float | str | None
Tables = dict[str, dict[str, Figure]]
NOT_RUN = "not run"

_Key = tuple[Category, Language, Metric]


def official_tables(dataset_dir: str | Path, score_root: str | Path, model: str) -> Tables:
    """The three published tables, `{"cn": {...}, "en": {...}, "complex": {...}}`, by the published columns.

    A row counts only if every applicable score of both languages is there and not 0. A subset without a score
    file counts 1 everywhere. Metric means are rounded to 0.1 before they are averaged. `None` is a figure that
    the published script can't compute ("not run"): an absent category, or a language without any score; the
    other language is then taken for itself.

    Raises `DatasetError` if the model has no folder, a file is broken, an idx is doubled, or the items of a
    score file are not the dataset's.
    """
    folder = Path(score_root) / model
    if not folder.is_dir():
        raise DatasetError(f"{folder}: no such folder; it must hold the score_<subset>.csv files of {model!r}")
    pools = {category: _Pool(category) for category in Category}
    for subset in subsets(dataset_dir):
        _pool_scores(pools[subset.category], subset, score_path(score_root, model, subset.name))
    figures: dict[str, float | None] = {}
    for category, pool in pools.items():
        for language in LANGUAGES:
            figures.update(_figures(category, language, pool))
    for language in LANGUAGES:
        overall = [figures[f"{category}_overall_{language}"] for category in BASIC]
        figures[f"basic_overall_{language}"] = _mean(overall)
    figures["WiseEdit_Complex_overall"] = _mean(
        [figures[f"{Category.COMPLEX}_overall_{language}"] for language in LANGUAGES]
    )
    return {
        table: {"model": model, **{column: figures[column] for column in columns}}
        for table, columns in published_columns().items()
    }


def published_columns() -> dict[str, list[str]]:
    """The columns of each table after `model`, in the published order."""
    tables: dict[str, list[str]] = {}
    for language in LANGUAGES:
        tables[language] = [column for category in BASIC for column in _columns(category, language)]
        tables[language].append(f"basic_overall_{language}")
    tables["complex"] = [column for language in LANGUAGES for column in _columns(Category.COMPLEX, language)]
    tables["complex"].append("WiseEdit_Complex_overall")
    return tables


def write_tables(tables: Tables, folder: str | Path) -> tuple[Path, ...]:
    """Write `<model>_cn.csv`, `<model>_en.csv`, `<model>_complex.csv`; a None cell reads "not run"."""
    written = []
    for name, cells in tables.items():
        path = Path(folder) / f"{cells['model']}_{name}.csv"
        shown = {column: NOT_RUN if value is None else value for column, value in cells.items()}
        write_table(path, list(cells), [shown])
        written.append(path)
    return tuple(written)


class _Pool:
    """The scores of one category: rows are pooled over its subsets."""

    def __init__(self, category: Category) -> None:
        self.metrics = METRICS[category]
        self.sums: Counter[tuple[Language, Metric]] = Counter()
        self.counts: Counter[tuple[Language, Metric]] = Counter()
        self._rows: list[Row] = []

    def add_ones(self, n_rows: int) -> None:
        """A subset without a score file: 1 for every row and metric."""
        for language in LANGUAGES:
            for metric in self.metrics:
                self.sums[language, metric] += n_rows
                self.counts[language, metric] += n_rows

    def add_rows(self, rows: Iterable[Row]) -> None:
        """Scored rows: kept whole or dropped whole."""
        for row in rows:
            self._rows.append(row)
            if all(self._present(row, language) for language in LANGUAGES):
                self._count(row, LANGUAGES)

    def take_one_language(self) -> None:
        """Where every row was dropped since one language was never run, count the other by itself."""
        if any(self.counts.values()):
            return
        run = [language for language in LANGUAGES if any(self._any_score(row, language) for row in self._rows)]
        if len(run) == 1:
            for row in self._rows:
                if self._present(row, run[0]):
                    self._count(row, (run[0],))

    def _present(self, row: Row, language: Language) -> bool:
        cells = (row.cells.get(metric.column(language), "").strip() for metric in self.metrics)
        return all(cell not in ("", "0") for cell in cells)

    def _any_score(self, row: Row, language: Language) -> bool:
        return any(row.cells.get(metric.column(language), "").strip() not in ("", "0") for metric in self.metrics)

    def _count(self, row: Row, languages: Iterable[Language]) -> None:
        for language in languages:
            for metric in self.metrics:
                value = _published_int(row.cells.get(metric.column(language), ""))
                if value > 0:
                    self.sums[language, metric] += value
                    self.counts[language, metric] += 1


def _published_int(cell: str) -> int:
    """A cell as the published script reads it: what is no whole number (7.5, text) counts 1."""
    try:
        return int(cell.strip())
    except ValueError:
        return 1


def _pool_scores(pool: _Pool, subset: Subset, path: Path) -> None:
    dataset = read_table(subset.csv_path, ("idx",))
    if path.is_file():
        pool.add_rows(read_scores(path, subset, dataset).rows)
    else:
        pool.add_ones(len(dataset.idx_set))


def _figures(category: Category, language: Language, pool: _Pool) -> dict[str, float | None]:
    pool.take_one_language()
    figures: dict[str, float | None] = {}
    for metric in pool.metrics:
        count = pool.counts[language, metric]
        figures[f"{category}_{metric}_{language}"] = (
            round(scaled(pool.sums[language, metric] / count), 1) if count else None
        )
    figures[f"{category}_overall_{language}"] = _mean(list(figures.values()))
    return figures


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    # Added from left to right: `sum` compensates rounding from Python 3.12 on, and the last digit would move.
    return reduce(add, known) / len(known) if len(known) == len(values) else None


def _columns(category: Category, language: Language) -> list[str]:
    return [*(f"{category}_{metric}_{language}" for metric in METRICS[category]), f"{category}_overall_{language}"]
