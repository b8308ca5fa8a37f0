"""Which keys an ask wants, and how an answer is cut down to them."""

from __future__ import annotations

import re
from typing import Any

from editplan.records import Ask

_CLOSING_LINE = re.compile(r"JSON object with the keys?\s+((?:`\w+`(?:,|\s|and)*)+)", re.IGNORECASE)


def asked_keys(ask: Ask) -> tuple[str, ...]:
    """The top-level keys in order: those of the schema, else those that the text names; none for a free text."""
    schema = ask.json_schema or {}
    properties = schema.get("properties")
    if isinstance(properties, dict) and properties:
        return tuple(str(key) for key in properties)
    line = _CLOSING_LINE.search(ask.text)
    return tuple(re.findall(r"`(\w+)`", line[1])) if line else ()


def item_keys(ask: Ask, key: str) -> frozenset[str] | None:
    """The keys that the objects of a list may have; None where no schema says it."""
    properties = (ask.json_schema or {}).get("properties", {})
    items = properties.get(key, {}).get("items", {}) if isinstance(properties, dict) else {}
    inner = items.get("properties") if isinstance(items, dict) else None
    return frozenset(inner) if isinstance(inner, dict) else None


def cut(value: dict[str, Any], ask: Ask) -> dict[str, Any]:
    """The asked keys of an answer in the asked order; list items lose the keys that the schema does not know."""
    result: dict[str, Any] = {}
    for key in asked_keys(ask):
        if key not in value:
            continue
        known, content = item_keys(ask, key), value[key]
        if known is not None and isinstance(content, list):
            content = [{k: v for k, v in item.items() if k in known} for item in content if isinstance(item, dict)]
        result[key] = content
    return result


def wants_preservation(ask: Ask) -> bool:
    """Whether the ask wants to hear what stays: an ablation leaves it out."""
    known = item_keys(ask, "candidate_transitions")
    return "preserve" in known if known is not None else "`preserve`" in ask.text


def wants_one_candidate(ask: Ask) -> bool:
    """Whether the ask wants a single candidate."""
    return re.search(r"`candidate_transitions`, exactly one\b", ask.text) is not None
