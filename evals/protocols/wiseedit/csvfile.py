"""CSV files as the published scripts write them: UTF-8 with a BOM, any line ending, one header."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from editplan.errors import DatasetError
from editplan.records import Record


class Row(Record):
    """One line of a table, by column; a missing last cell is empty."""

    line: int
    cells: dict[str, str]

    @property
    def idx(self) -> str:
        """The item's number within the subset."""
        return self.cells.get("idx", "").strip()


class Table(Record):
    """A header and its rows."""

    path: Path
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def idx_set(self) -> frozenset[str]:
        """The items that have a row."""
        return frozenset(row.idx for row in self.rows if row.idx)


def read_table(path: Path, required: Iterable[str]) -> Table:
    """Read a table and check its header.

    Raises `DatasetError` with file and line for: no UTF-8, broken quoting, a missing or doubled column, a row
    with more cells than the header, two rows of one idx.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = [name.strip().lstrip("\ufeff") for name in next(reader, [])]
            _check_header(path, header, required)
            rows = tuple(_row(path, reader.line_num, header, cells) for cells in reader if cells)
    except FileNotFoundError as error:
        raise DatasetError(f"{path}: no such file") from error
    except UnicodeDecodeError as error:
        raise DatasetError(f"{path}: not UTF-8 ({error}); save it as UTF-8") from error
    except csv.Error as error:
        raise DatasetError(f"{path}:{reader.line_num}: broken CSV: {error}") from error
    _check_unique(path, rows)
    return Table(path=path, columns=tuple(header), rows=rows)


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> None:
    """Write a table as the published scripts do: BOM, CRLF, empty cells for None and for absent columns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def _check_header(path: Path, header: list[str], required: Iterable[str]) -> None:
    missing = [name for name in required if name not in header]
    if missing:
        raise DatasetError(f"{path}:1: columns {missing} are missing; the header has {header}")
    doubled = sorted({name for name in header if header.count(name) > 1})
    if doubled:
        raise DatasetError(f"{path}:1: columns {doubled} appear twice")


def _row(path: Path, line: int, header: list[str], cells: list[str]) -> Row:
    if len(cells) > len(header):
        raise DatasetError(
            f"{path}:{line}: {len(cells)} cells under {len(header)} columns; is a comma unquoted in a prompt?"
        )
    return Row(line=line, cells=dict(zip(header, [*cells, *[""] * (len(header) - len(cells))], strict=True)))


def _check_unique(path: Path, rows: Iterable[Row]) -> None:
    first: dict[str, int] = {}
    for row in rows:
        if row.idx and row.idx in first:
            raise DatasetError(f"{path}:{row.line}: idx {row.idx!r} appears twice, first on line {first[row.idx]}")
        first[row.idx] = row.line
