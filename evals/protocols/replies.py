"""Finding JSON in a judge's reply."""

from __future__ import annotations

import json
from typing import Any


def json_objects(text: str) -> list[dict[str, Any]]:
    """The JSON objects of a text that lie in no other one, from left to right; what is none is skipped."""
    decoder = json.JSONDecoder()
    objects, position = [], text.find("{")
    while position >= 0:
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            end = position + 1
        else:
            objects.append(value)
        position = text.find("{", end)
    return objects
