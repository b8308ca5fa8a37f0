"""What rubric judges share: the benchmark's item out of a task, its pictures, and the status of a partial failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from editplan.errors import JudgeError
from editplan.evals.judging import JudgeTask, ScoreStatus
from editplan.evals.protocols.carried import item_in, pictures_in
from editplan.records import Media, Record

Item = TypeVar("Item", bound=Record)


def item_of(task: JudgeTask, kind: type[Item]) -> tuple[Item, dict[Path, Media]]:
    """The item and its pictures by path. Raises `JudgeError` where the task has none of that kind."""
    item = item_in(task.rubric, kind)
    return item, pictures_in(task.rubric) if task.rubric is not None else {}


def picture(pictures: Mapping[Path, Media], path: Path) -> Media:
    """The stored picture of a file. Raises `JudgeError` where the suite didn't store it."""
    if path not in pictures:
        raise JudgeError(f"picture {path.name} was not stored with its case: make the run anew from its dataset")
    return pictures[path]


def status_of(failures: Sequence[ScoreStatus], *, measured: bool) -> ScoreStatus:
    """The status of an output whose judge calls didn't all give a value: incomplete if some did."""
    return "judge_incomplete" if measured or not failures else failures[0]
