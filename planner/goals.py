"""Reads `goals.csv`: one edit a line, with the columns image, goal and, if there are masks, mask."""

from __future__ import annotations

import csv
from pathlib import Path

from editplan.errors import ConfigError
from editplan.images import sniff
from editplan.records import Record

COLUMNS = ("image", "goal", "mask")
_SHOWN = 10


class GoalLine(Record):
    """One edit to make."""

    line: int
    """Of the file, from 1; the head is line 1."""
    image: Path
    goal: str
    mask: Path | None = None

    @property
    def name(self) -> str:
        """A file name of its own: the line, and what can be kept of the image's name."""
        kept = "".join(letter if letter.isalnum() else "-" for letter in self.image.stem)[:60].strip("-")
        return f"{self.line:04d}-{kept}" if kept else f"{self.line:04d}"


def read_goals(path: Path) -> tuple[GoalLine, ...]:
    """All lines, with paths relative to the file's folder. BOM, CRLF and semicolons are fine.

    Raises `ConfigError` that names the column, or each faulty line with what is wrong in it.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}: check the path") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is no UTF-8 text (byte {error.start}): save it as CSV UTF-8") from error
    head = text.partition("\n")[0]
    separator = ";" if ";" in head and "," not in head else ","
    reader = csv.DictReader(text.splitlines(keepends=True), delimiter=separator, strict=True)
    _check_columns(path, [name.strip().lower() for name in reader.fieldnames or ()])
    reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ()]
    lines: list[GoalLine] = []
    faults: list[str] = []
    try:
        for row in reader:
            _read(path.parent, reader.line_num, row, lines, faults)
    except csv.Error as error:
        raise ConfigError(f"{path}, line {reader.reader.line_num}: {error}: check the quotes") from error
    if faults:
        more = f"; and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        raise ConfigError(f"{path}: {'; '.join(faults[:_SHOWN])}{more}")
    if not lines:
        raise ConfigError(f"{path} holds no line below its head: give one edit a line")
    return tuple(lines)


def _check_columns(path: Path, names: list[str]) -> None:
    for needed in COLUMNS[:2]:
        if needed not in names:
            raise ConfigError(f"{path}, line 1: the column {needed!r} is missing; columns: {', '.join(COLUMNS)}")
    unknown = [name for name in names if name not in COLUMNS]
    if unknown:
        raise ConfigError(f"{path}, line 1: unknown column {unknown[0]!r}; columns: {', '.join(COLUMNS)}")


def _read(
    folder: Path, line: int, row: dict[str | None, str | list[str] | None], lines: list[GoalLine], faults: list[str]
) -> None:
    if row.pop(None, None) is not None:
        faults.append(f"line {line}: more fields than columns: put quotes round a goal with commas")
        return
    cells = {name: str(value or "").strip() for name, value in row.items() if name is not None}
    if not any(cells.values()):
        return
    mask = cells.get("mask", "")
    found = [_picture_fault(folder / cells[name]) for name in ("image", "mask") if cells.get(name)]
    found += [f"{name} is empty" for name in COLUMNS[:2] if not cells[name]]
    wrong = [fault for fault in found if fault]
    if wrong:
        faults.append(f"line {line}: {', '.join(wrong)}")
        return
    lines.append(
        GoalLine(line=line, image=folder / cells["image"], goal=cells["goal"], mask=folder / mask if mask else None)
    )


def _picture_fault(path: Path) -> str:
    try:
        with path.open("rb") as file:
            kind = sniff(file.read(1024))
    except OSError as error:
        return f"{path}: {error.strerror or error}"
    return "" if kind not in {"", "svg"} else f"{path} is no PNG, JPEG, WebP, GIF, BMP or TIFF file"
