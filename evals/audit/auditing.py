"""Carrying an audit out: tasks in one seeded order, rows written as they come, and read back when it is run again."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

from pydantic import Field

from editplan.errors import Cancelled, ConfigError, ImageError, JudgeError, StoreError
from editplan.evals.audit.photographs import find_pictures, picture_tasks
from editplan.evals.audit.puzzle_tasks import puzzle_tasks
from editplan.evals.audit.report import AuditReport, audit_report
from editplan.evals.audit.tasks import AuditRow, AuditTask, judged_row, without_checks
from editplan.evals.judging import Judge, Verdicts
from editplan.records import Record
from editplan.secrets import masked
from editplan.store import ImageStore

ROWS = "rows.jsonl"


class AuditOptions(Record):
    """What an audit consists of."""

    puzzles: int = Field(default=30, ge=0)
    """Puzzles, four or five outputs each; 0 leaves them out."""
    pictures: Path | None = None
    """A folder of the user's own pictures, up to 36 outputs each."""
    seed: int = 7
    max_tasks: int | None = Field(default=None, ge=1)
    """Only so many outputs of the seeded order."""
    concurrency: int = Field(default=8, ge=1)
    checkers: bool = False
    """Whether the contract's checks go to the judge; a model is audited without them, `checkers` always has them."""


Progress = Callable[[int, int], None]


def plan_audit(options: AuditOptions, images: ImageStore) -> tuple[tuple[AuditTask, ...], tuple[str, ...]]:
    """All tasks in the order in which they are asked, and notes on pictures that were left out.

    Damaged and harmless outputs are shuffled, so that the order tells nothing. Raises `ConfigError` where nothing is
    left to audit.
    """
    # The folder is looked at first: a wrong path must not wait for the puzzles to be drawn.
    pictures = find_pictures(options.pictures) if options.pictures is not None else ()
    tasks = list(puzzle_tasks(options.puzzles, options.seed, images)) if options.puzzles else []
    notes = []
    for path in pictures:
        try:
            tasks += picture_tasks(path.name, path, images, options.seed)
        except ImageError as error:
            notes.append(f"left out: {error}")
    if not options.checkers:
        tasks = [_unchecked(task) for task in tasks]
    Random(options.seed).shuffle(tasks)
    chosen = tuple({task.task_id: task for task in tasks}.values())[: options.max_tasks]
    if not chosen:
        raise ConfigError("there is nothing to audit: " + ("; ".join(notes) or "give puzzles or pictures"))
    return chosen, tuple(notes)


async def ask_all(
    judge: Judge,
    tasks: Sequence[AuditTask],
    images: ImageStore,
    folder: Path | None = None,
    *,
    concurrency: int = 8,
    on_progress: Progress = lambda done, total: None,
) -> tuple[AuditRow, ...]:
    """The rows of all tasks, in their order. With a folder, finished rows are read from it and not asked again.

    A judge that fails is a row without figures and is asked again next time. Raises `Cancelled`, `ConfigError` and
    `StoreError` as the judge does; what was finished is kept.
    """
    kept = {row.task_id: row for row in read_rows(folder) if row.judge == judge.id and row.judged} if folder else {}
    rows: dict[str, AuditRow] = {task.task_id: kept[task.task_id] for task in tasks if task.task_id in kept}
    waiting = iter([task for task in tasks if task.task_id not in rows])

    async def worker() -> None:
        for task in waiting:
            row = judged_row(task, judge.id, await _word(judge, task, images))
            rows[task.task_id] = row
            if folder is not None:
                _append(folder, row)
            on_progress(len(rows), len(tasks))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(worker())
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from several
    return tuple(rows[task.task_id] for task in tasks)


def run_audit(
    judge: Judge, options: AuditOptions, folder: Path, on_progress: Progress = lambda done, total: None
) -> AuditReport:
    """A whole audit into a folder: its rows, `audit.json` and `index.html`. The same call again goes on."""
    from editplan.evals.audit.page import write_page
    from editplan.evals.store import write_durably

    images = ImageStore()
    tasks, notes = plan_audit(options, images)
    write_durably(folder / "options.json", options.model_dump_json(indent=2) + "\n")
    asking = ask_all(judge, tasks, images, folder, concurrency=options.concurrency, on_progress=on_progress)
    rows = asyncio.run(asking)
    report = audit_report(rows, judge.id, notes)
    document = report.model_dump(mode="json")
    write_durably(folder / "audit.json", json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    write_page(report, folder / "index.html")
    return report


def read_rows(folder: Path) -> Iterator[AuditRow]:
    """The rows of an audit's folder; a last line that a kill cut short is passed over."""
    path = folder / ROWS
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            yield AuditRow.model_validate_json(line)
        except ValueError:
            continue


def _append(folder: Path, row: AuditRow) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / ROWS).open("a", encoding="utf-8") as file:
            file.write(row.model_dump_json() + "\n")
    except OSError as error:
        raise StoreError(f"{folder / ROWS} can't be written ({error.strerror}): give another --out") from error


async def _word(judge: Judge, task: AuditTask, images: ImageStore) -> Verdicts:
    try:
        return await judge.judge(task.task, images)
    except (Cancelled, ConfigError, StoreError):
        raise
    except JudgeError as error:
        return Verdicts(status="judge_error", notes=(masked(str(error)),))
    except Exception:  # noqa: BLE001
        # As in a run: a bug in a judge is a missing measurement and never a number.
        return Verdicts(status="judge_error", notes=(masked(traceback.format_exc()),))


def _unchecked(task: AuditTask) -> AuditTask:
    assert task.task.contract is not None, "audit tasks have contracts"
    bare = task.task.model_copy(update={"contract": without_checks(task.task.contract)})
    return task.model_copy(update={"task": bare})
