"""What a run's records say of its providers: who answered under which name, and how the limits moved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from editplan.evals.store import select


def read_returned(folder: Path) -> dict[str, dict[str, int]]:
    """By the id of a model: the names that its answers came under, with how many answers each gave."""
    query = (
        "SELECT model, coalesce(json_extract(result, '$.model'), ''), count(*) FROM calls"
        " WHERE final='answer' GROUP BY 1, 2 ORDER BY 1, 2"
    )
    found: dict[str, dict[str, int]] = {}
    for model, returned, count in select(folder, query):
        if returned:
            found.setdefault(model, {})[returned] = count
    return found


def changed_models(returned: dict[str, dict[str, int]]) -> tuple[str, ...]:
    """In words, each model that answered under more than one name: its figures mix models."""
    return tuple(
        f"{model} answered under {len(names)} names ({', '.join(f'{name}: {n}' for name, n in names.items())}): "
        "the model behind the name changed during the run, so its figures mix models."
        for model, names in returned.items()
        if len(names) > 1
    )


def read_unpriced(folder: Path) -> tuple[str, ...]:
    """Models whose answers have no cost: neither the provider nor the price table said one."""
    query = (
        "SELECT DISTINCT calls.model FROM attempts JOIN calls ON calls.key = attempts.key"
        " WHERE attempts.state='answered' AND json_extract(attempts.usage, '$.cost_usd') IS NULL ORDER BY 1"
    )
    return tuple(model for (model,) in select(folder, query))


def read_limits(folder: Path) -> dict[str, dict[str, Any]]:
    """By endpoint: the least, the most and the last number of requests that could be out, and its 429 episodes."""
    found: dict[str, dict[str, Any]] = {}
    query = "SELECT endpoint, places, why FROM limits ORDER BY session, at_s"
    for endpoint, places, why in select(folder, query):
        one = found.setdefault(endpoint, {"least": places, "most": places, "last": places, "episodes_429": 0})
        one["least"], one["most"] = min(one["least"], places), max(one["most"], places)
        one["last"] = places
        one["episodes_429"] += why == "429"
    return found
