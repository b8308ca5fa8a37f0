"""Reading JSONL item by item: a broken line costs that line only."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from editplan.errors import DatasetError
from editplan.evals.plain_json import strict_json
from editplan.records import Record


class Line(Record):
    """One line of a file: its fields, or what is wrong with it."""

    number: int
    fields: dict[str, Any] = Field(default_factory=dict)
    fault: str = ""

    @property
    def name(self) -> str:
        """What stands for the item where it has no usable id."""
        return f"line {self.number}"


def read_lines(path: Path) -> Iterator[Line]:
    """Every line that isn't blank. Raises `DatasetError` where the file can't be read or holds no item."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DatasetError(f"{path}: can't be read: {error.strerror}; give the path of a JSONL file") from error
    found = False
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if raw.strip():
            found = True
            yield _line(number, raw)
    if not found:
        raise DatasetError(f"{path}: holds no item; one JSON object a line is expected")


def text_field(fields: Mapping[str, Any], name: str) -> str:
    """A field that must be text and not blank. Raises `DatasetError`."""
    value = fields.get(name)
    if isinstance(value, str) and value.strip():
        return value
    if name not in fields:
        raise DatasetError(f"$.{name} is missing")
    raise DatasetError(f"$.{name} is {value!r}; text that is not blank is expected")


def _line(number: int, raw: bytes) -> Line:
    try:
        value = strict_json(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        return Line(number=number, fault=f"is no UTF-8 text (byte {error.start})")
    except json.JSONDecodeError as error:
        return Line(number=number, fault=f"is no JSON (column {error.colno}): {error.msg}")
    except DatasetError as error:
        return Line(number=number, fault=str(error))
    if not isinstance(value, dict):
        return Line(number=number, fault=f"is a JSON {type(value).__name__}; an object is expected")
    return Line(number=number, fields=value)
