"""Tasks of the corpus: reading, checking, loading a directory of them (protocol section 4.1)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import JsonValue, ValidationError

from editplan.errors import DatasetError
from editplan.evals.plain_json import strict_json
from editplan.evals.protocols.vectorbench.rules import Grammar
from editplan.evals.protocols.vectorbench.validity import fault
from editplan.records import Record
from editplan.svg_source import parse

_MAX_FILE_BYTES = 8_000_000


class Change(Record):
    """One requested repair: an attribute of a part, as it is and as it should be."""

    part: str
    attribute: str
    before: JsonValue = None
    after: JsonValue = None


class VectorTask(Record):
    """One task: a corrupted SVG, a request in words, and the hidden target."""

    task_id: str
    instruction: str = ""
    initial_svg: str = ""
    target_svg: str
    changes: tuple[Change, ...]
    """The corpus' `expected_diff`."""
    should_preserve: tuple[str, ...] = ()
    difficulty: str = ""
    category: str = ""


class TaskFailure(Record):
    """A file that gave no task, and why."""

    path: str
    reason: str


class Corpus(Record):
    """What a directory held: the tasks by id, and the files that are none."""

    tasks: tuple[VectorTask, ...]
    failures: tuple[TaskFailure, ...] = ()


def read_task(task: Mapping[str, Any]) -> VectorTask:
    """A task from its JSON object in the published form; fields that no verdict needs are left out.

    Raises:
        DatasetError: a field is missing or of the wrong kind; the message has its path.
    """
    try:
        changes = tuple(_read_change(item) for item in task["expected_diff"])
        fields = {name: task[name] for name in VectorTask.model_fields if name in task and name != "changes"}
        return VectorTask(changes=changes, **fields)
    except KeyError as missing:
        raise DatasetError(f"task {_label(task)}: the field {missing} is missing") from missing
    except (TypeError, AttributeError) as wrong:
        raise DatasetError(f"task {_label(task)}: expected_diff must be a list of objects ({wrong})") from wrong
    except ValidationError as wrong:
        first = wrong.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise DatasetError(f"task {_label(task)}: {place}: {first['msg']}") from wrong


def _read_change(item: Mapping[str, Any]) -> Change:
    part, attribute = str(item["part"]), str(item["attribute"])
    return Change(part=part, attribute=attribute, before=item.get("before"), after=item.get("after"))


def _label(task: Any) -> str:
    return repr(task.get("task_id", "without task_id")) if isinstance(task, Mapping) else "that is no JSON object"


def load_tasks(directory: Path | str) -> Corpus:
    """The tasks in a directory of `*.json` files, in the order of their ids; a bad file is listed, not fatal.

    Raises:
        DatasetError: the directory is missing, or has no `*.json` file at all.
    """
    folder = Path(directory)
    if not folder.is_dir():
        raise DatasetError(f"{folder}: no such directory; give the folder with the task files (sv_001.json, ...)")
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise DatasetError(f"{folder}: no *.json file in it; give the folder with the task files (sv_001.json, ...)")
    tasks: dict[str, VectorTask] = {}
    failures: list[TaskFailure] = []
    for path in paths:
        try:
            task = _load(path, folder)
            if task.task_id in tasks:
                raise DatasetError(f"task id {task.task_id!r} is used by an earlier file too")
            tasks[task.task_id] = task
        except DatasetError as wrong:
            failures.append(TaskFailure(path=str(path), reason=str(wrong)))
    return Corpus(tasks=tuple(tasks[name] for name in sorted(tasks)), failures=tuple(failures))


def _load(path: Path, folder: Path) -> VectorTask:
    if not path.resolve().is_relative_to(folder.resolve()):
        raise DatasetError("the file is a link that leaves the directory")
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise DatasetError(f"the file has more than {_MAX_FILE_BYTES} bytes")
        text = path.read_text(encoding="utf-8-sig")
        content = strict_json(text)
    except OSError as unreadable:
        raise DatasetError(f"can't be read: {unreadable.strerror}") from unreadable
    except UnicodeDecodeError as wrong:
        raise DatasetError(f"not UTF-8 at byte {wrong.start}") from wrong
    except json.JSONDecodeError as wrong:
        raise DatasetError(f"not JSON: {wrong.msg} (line {wrong.lineno}, column {wrong.colno})") from wrong
    if not isinstance(content, dict):
        raise DatasetError(f"holds {type(content).__name__}, not an object with a task")
    task = read_task(content)
    _check_documents(task)
    return task


def _check_documents(task: VectorTask) -> None:
    """Both drawings must pass the gate that outputs pass; otherwise no answer could be right."""
    for name, text in (("initial_svg", task.initial_svg), ("target_svg", task.target_svg)):
        root, reason = parse(text)
        if root is not None and name == "target_svg":
            reason = fault(root, Grammar.OFFICIAL)
        if reason is not None:
            raise DatasetError(f"task {task.task_id!r}: {name}: {reason}")
