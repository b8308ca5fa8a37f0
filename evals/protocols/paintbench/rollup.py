"""PaintBench's rollups: problems to tasks to categories to the benchmark, with intervals that resample problems."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from editplan.evals.protocols.paintbench.problems import CATEGORIES
from editplan.records import Record

RESAMPLES = 10_000
Means = npt.NDArray[np.float64]


class ProblemScore(Record):
    """The headline of one output."""

    problem_id: str
    task: str
    category: str
    visual_condition: str
    mean_iou: float
    follows_words: bool = True
    """False where the published answer doesn't do what the instruction says (`facts.follows_words`)."""


class Cell(Record):
    """One mean of a table, in 0..1."""

    mean: float
    ci: tuple[float, float] | None
    """95% percentile bootstrap; None for a single problem a task, where resampling says nothing."""
    n_problems: int
    n_tasks: int


class Rollup(Record):
    """The table of one arm."""

    benchmark: Cell | None
    """None if no scored problem is in."""
    categories: dict[str, Cell]
    tasks: dict[str, Cell]
    visual_conditions: dict[str, Cell]
    outside_score: dict[str, Cell]
    """Categories that the benchmark keeps out of its score (the `preservation` split)."""


def roll_up(scores: Iterable[ProblemScore], *, resamples: int = RESAMPLES, seed: int = 0) -> Rollup:
    """Task = mean over problems, category = over tasks, benchmark = over categories, condition = over tasks.

    Intervals resample problems within each task and take the same means (arXiv 2606.00188). `resamples=0`
    leaves them out.
    """
    rows = tuple(scores)
    scored = [row for row in rows if row.category in CATEGORIES]
    other = [row for row in rows if row.category not in CATEGORIES]
    draw = _Resampler(resamples, seed)
    categories = {name: _by_task(group) for name, group in _grouped(scored, "category").items()}
    return Rollup(
        benchmark=draw.cell(tuple(categories.values())) if categories else None,
        categories={name: draw.cell((tasks,)) for name, tasks in categories.items()},
        tasks={name: draw.cell(({name: values},)) for name, values in _by_task(scored).items()},
        visual_conditions={
            name: draw.cell((_by_task(group),)) for name, group in _grouped(scored, "visual_condition").items()
        },
        outside_score={name: draw.cell((_by_task(group),)) for name, group in _grouped(other, "category").items()},
    )


def as_worded(scores: Iterable[ProblemScore]) -> tuple[ProblemScore, ...]:
    """The problems whose published answer does what the words say; printed beside the official figure."""
    return tuple(row for row in scores if row.follows_words)


def _grouped(rows: Sequence[ProblemScore], field: str) -> dict[str, list[ProblemScore]]:
    groups: defaultdict[str, list[ProblemScore]] = defaultdict(list)
    for row in rows:
        groups[getattr(row, field)].append(row)
    return dict(groups)


def _by_task(rows: Sequence[ProblemScore]) -> dict[str, Means]:
    return {task: np.array([row.mean_iou for row in group]) for task, group in _grouped(rows, "task").items()}


class _Resampler:
    """Means and bootstrap means of nested groups, from one seeded stream a cell."""

    def __init__(self, resamples: int, seed: int) -> None:
        self._resamples = resamples
        self._seed = seed

    def cell(self, groups: Sequence[Mapping[str, Means]]) -> Cell:
        """The mean over groups of the mean over tasks of the mean over problems."""
        values = [list(group.values()) for group in groups]
        mean = float(np.mean([np.mean([task.mean() for task in tasks]) for tasks in values]))
        sizes = [task.size for tasks in values for task in tasks]
        return Cell(mean=mean, ci=self._interval(values), n_problems=sum(sizes), n_tasks=len(sizes))

    def _interval(self, groups: list[list[Means]]) -> tuple[float, float] | None:
        if not self._resamples or all(task.size == 1 for tasks in groups for task in tasks):
            return None
        random = np.random.default_rng(self._seed)
        drawn: Any = [np.mean([self._drawn(random, task) for task in tasks], axis=0) for tasks in groups]
        low, high = np.percentile(np.mean(drawn, axis=0), (2.5, 97.5))
        return float(low), float(high)

    def _drawn(self, random: np.random.Generator, values: Means) -> Means:
        picked = random.integers(0, values.size, size=(self._resamples, values.size))
        means: Means = values[picked].mean(axis=1)
        return means
