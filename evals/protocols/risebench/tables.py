"""RISEBench's table: score, percentage and accuracy overall, by category and by subtask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from statistics import fmean
from typing import Literal, TypeVar

from editplan.evals.protocols.risebench.items import Mode, RiseItem
from editplan.evals.protocols.risebench.scoring import HIGHEST, LOWEST, Judgement, accurate, percent, score
from editplan.records import Record

Key = TypeVar("Key")

_DIMENSIONS: tuple[tuple[str, Literal["reasoning", "consistency", "plausibility"]], ...] = (
    ("Reasoning", "reasoning"),
    ("ApprConsistency", "consistency"),
    ("VisualPlausibility", "plausibility"),
)


class RiseRow(Record):
    """One line of the table."""

    label: str
    n: int
    """All items that the line is about."""
    unmeasured: int
    """Items whose judge call failed or is absent."""
    score: float | None
    """On 1 to 5, over the measured items."""
    percentage: float | None
    """25 (score - 1)."""
    accuracy: float | None = None
    """Over all items in `official`, as in the released script; over the measured ones in `strict`."""
    bounds: tuple[float, float] | None = None
    """Percentage if every unmeasured item had 1, and if it had 5; None where all are measured."""


def table(items: Iterable[RiseItem], judgements: Iterable[Judgement], mode: Mode = "strict") -> tuple[RiseRow, ...]:
    """The published lines in the published order: overall, categories, dimensions, subtasks.

    A missing output has 1 in every dimension. An item without a judgement, or with a failed one, is unmeasured:
    it leaves the mean (as in the released script) and shows in the bounds.
    """
    cases = tuple(items)
    given = {judgement.index: judgement for judgement in judgements}
    rows = [_row("Overall", cases, given, mode)]
    for category, members in _grouped(cases, lambda item: item.category).items():
        rows.append(_row(_title(category), members, given, mode))
    for category, members in {"overall": cases, **_grouped(cases, lambda item: item.category)}.items():
        for label, name in _DIMENSIONS:
            row = _dimension(f"{_title(category)}_{label}", name, members, given)
            if row.n:
                rows.append(row)
    named = [item for item in cases if item.subtask]
    for (category, subtask), members in _grouped(named, lambda item: (item.category, item.subtask)).items():
        rows.append(_row(f"{_title(category)}-{subtask}", members, given, mode))
    return tuple(rows)


def _row(label: str, items: tuple[RiseItem, ...], given: Mapping[str, Judgement], mode: Mode) -> RiseRow:
    judged = [(item, _judgement(item, given)) for item in items]
    scored = [(pair, value) for pair in judged if (value := score(*pair, mode)) is not None]
    passed = sum(accurate(item, judgement, mode) for item, judgement in judged)
    among = len(items) if mode == "official" else len(scored)
    row = _summary(label, [value for _, value in scored], len(items))
    return row.model_copy(update={"accuracy": passed / among if among else None})


def _dimension(
    label: str,
    name: Literal["reasoning", "consistency", "plausibility"],
    items: tuple[RiseItem, ...],
    given: Mapping[str, Judgement],
) -> RiseRow:
    asked = [item for item in items if Judgement(index="", status="missing_output").dimension(name, item)]
    values = [_judgement(item, given).dimension(name, item) for item in asked]
    return _summary(label, [value for value in values if value is not None], len(asked))


def _summary(label: str, values: list[float], n: int) -> RiseRow:
    mean = fmean(values) if values else None
    unmeasured = n - len(values)
    bounds = None
    if unmeasured:
        low, high = ((sum(values) + unmeasured * worst) / n for worst in (LOWEST, HIGHEST))
        bounds = (percent(low), percent(high))
    return RiseRow(
        label=label,
        n=n,
        unmeasured=unmeasured,
        score=mean,
        percentage=None if mean is None else percent(mean),
        bounds=bounds,
    )


def _judgement(item: RiseItem, given: Mapping[str, Judgement]) -> Judgement:
    return given.get(item.index, Judgement(index=item.index, status="judge_failed"))


def _grouped(items: Iterable[RiseItem], key: Callable[[RiseItem], Key]) -> dict[Key, tuple[RiseItem, ...]]:
    groups: dict[Key, list[RiseItem]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return {name: tuple(members) for name, members in groups.items()}


def _title(category: str) -> str:
    return category.removesuffix("_reasoning").capitalize()
