"""Were the arms run alike? What each arm's calls were really sent with, read from the journal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from editplan.evals.run import Run
from editplan.evals.store import read_requests
from editplan.records import CallKind, Record

SETTINGS = ("vision model", "temperature", "output ceiling", "image budget", "editor", "output size")
"""The image budget is the largest picture of an agent call, in pixels; the ceiling is in tokens a call."""


class Difference(Record):
    """A setting in which arms differ: what each of them was sent with."""

    setting: str
    values: dict[str, tuple[str, ...]]
    """Arm → its values."""

    @property
    def words(self) -> str:
        """The difference in one line."""
        arms = (f"{arm}: {', '.join(values)}" for arm, values in self.values.items())
        return f"arms differ in {self.setting} ({'; '.join(arms)})"


def differing_settings(run: Run) -> tuple[Difference, ...]:
    """The settings that are not the same in all arms that have them.

    Only arms that make such calls are held against each other: `direct` asks no vision model and differs in none. A
    condition within which a setting varies differs as well where others do not vary alike. Editors are compared
    within an editor, so the same editor must have served every arm.
    """
    seen: dict[str, dict[str, set[str]]] = {name: {} for name in SETTINGS}
    for condition, kind, model, request in read_requests(run.folder):
        if condition in run.experiment.conditions:
            for setting, value in _values(kind, model, request):
                seen[setting].setdefault(condition, set()).add(value)
    _keep_largest(seen["image budget"])
    return tuple(
        Difference(setting=name, values={arm: tuple(sorted(found)) for arm, found in arms.items()})
        for name, arms in seen.items()
        if len({frozenset(found) for found in arms.values()}) > 1
    )


def _values(kind: str, model: str, request: str) -> Iterable[tuple[str, str]]:
    content: Mapping[str, Any] = json.loads(request)
    if kind == CallKind.AGENT:
        ask = content["ask"]
        yield "vision model", model
        yield "temperature", str(ask["temperature"])
        yield "output ceiling", str(ask["max_tokens"])
        if sizes := [part["media"]["width"] * part["media"]["height"] for part in ask["parts"]]:
            yield "image budget", str(max(sizes))
    elif kind == CallKind.GENERATION:
        yield "editor", model
        size = content["job"]["size"]
        yield "output size", "the editor's own" if size is None else f"{size[0]} × {size[1]}"


def _keep_largest(budgets: dict[str, set[str]]) -> None:
    """Pictures are as large as the cases are: only the largest says what an arm may be sent."""
    for arm, values in budgets.items():
        budgets[arm] = {max(values, key=int)}
