"""JSON that a person or a foreign program wrote, read so that nothing in it can break what comes after."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from editplan.errors import DatasetError

MAX_DEPTH = 100
"""Deeper nesting is in no benchmark, and the writers of records stop at 255."""


def strict_json(text: str) -> Any:
    """The value of a JSON text.

    Raises `json.JSONDecodeError` for what is no JSON, and `DatasetError` for what is JSON and still can't be used: a
    key that an object gives twice, a number that is too long or not finite, half a surrogate pair, nesting beyond
    `MAX_DEPTH`.
    """
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_finite)
    except json.JSONDecodeError:
        raise
    except RecursionError as error:
        raise DatasetError("is no JSON that can be read: nested too deeply") from error
    except ValueError as error:
        # Python refuses to convert integers of more than 4300 digits.
        raise DatasetError("holds a number that is too long to be read") from error
    require_usable(value)
    return value


def require_usable(value: Any) -> None:
    """Raises `DatasetError` with the JSON path for nesting that is too deep and for text that can't be encoded."""
    waiting: list[tuple[Any, str, int]] = [(value, "$", 0)]
    while waiting:
        node, path, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise DatasetError(f"{path[:60]}...: nested too deeply (more than {MAX_DEPTH} levels)")
        if isinstance(node, str):
            _require_text(node, path)
        elif isinstance(node, dict):
            for key, inner in node.items():
                _require_text(str(key), f"a key of {path}")
                waiting.append((inner, f"{path}.{key}", depth + 1))
        elif isinstance(node, list | tuple):
            waiting += [(inner, f"{path}[{at}]", depth + 1) for at, inner in enumerate(node)]


def _require_text(text: str, path: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DatasetError(
            f"{path} holds half a surrogate pair (character {error.start}): write the whole character"
        ) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise DatasetError(f"gives the key {key!r} twice in one object")
        found[key] = value
    return found


def _no_number(word: str) -> NoReturn:
    raise DatasetError(f"holds {word}, which is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise DatasetError(f"holds the number {text[:40]}, which is too large")
    return number
