"""Outputs that another tool produced, as JSON lines: read, matched with the tasks, scored without generating."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from editplan.errors import DatasetError
from editplan.evals.plain_json import strict_json
from editplan.evals.protocols.preflight import ItemFault, Loaded
from editplan.evals.protocols.vectorbench.evaluator import evaluate_task
from editplan.evals.protocols.vectorbench.rules import OFFICIAL, Rules
from editplan.evals.protocols.vectorbench.tables import ScoredOutput, family_of
from editplan.evals.protocols.vectorbench.tasks import VectorTask
from editplan.records import Record

_NAMES = {"model": "requested_model", "svg": "produced_svg"}
"""Our field names beside those of the published result files."""


class WrittenOutput(Record):
    """One output of one model; `svg` is None for a request that ended in an error."""

    task_id: str
    model: str
    svg: str | None
    truncated: bool = False
    cost_usd: float | None = None


class Coverage(Record):
    """What a file of outputs holds, against the tasks."""

    missing: tuple[tuple[str, str], ...]
    """(model, task) without an output."""
    extra: tuple[tuple[str, str], ...]
    """(model, task) for a task that isn't there."""
    doubled: tuple[tuple[str, str], ...]
    """(model, task) with several outputs, of which the first counts."""


def read_outputs(path: Path | str) -> Loaded[WrittenOutput]:
    """The rows of a JSON-lines file with task_id, model and svg (or requested_model and produced_svg).

    A broken line is a fault of its own; the rest is read.

    Raises:
        DatasetError: the file can't be opened.
    """
    items, faults = [], []
    try:
        lines = Path(path).read_bytes().splitlines()
    except OSError as unreadable:
        raise DatasetError(f"{path}: can't be read: {unreadable.strerror}") from unreadable
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            items.append(_row(line.removeprefix(b"\xef\xbb\xbf")))
        except DatasetError as wrong:
            faults.append(ItemFault(item=f"line {number}", where=f"{path}:{number}", problem=str(wrong)))
    return Loaded[WrittenOutput](items=tuple(items), faults=tuple(faults))


def _row(line: bytes) -> WrittenOutput:
    try:
        row = strict_json(line.decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as wrong:
        raise DatasetError(f"not a line of JSON: {wrong}") from wrong
    if not isinstance(row, dict):
        raise DatasetError(f"holds {type(row).__name__}, not an object with task_id, model and svg")
    fields = {name: row[name] for name in ("task_id", "cost_usd") if name in row}
    for name, published in _NAMES.items():
        key = name if name in row else published
        if key not in row:
            raise DatasetError(f"the field {name!r} (or {published!r}) is missing")
        fields[name] = row[key]
    truncated = row.get("finish_reason") == "length" or bool(row.get("truncated"))
    try:
        return WrittenOutput(truncated=truncated, **fields)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        raise DatasetError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from wrong


def coverage(outputs: Sequence[WrittenOutput], tasks: Sequence[VectorTask]) -> Coverage:
    """Missing, extra and doubled pairs of model and task; every model is expected to answer every task."""
    names = [task.task_id for task in tasks]
    pairs = [(output.model, output.task_id) for output in outputs]
    seen, doubled = set[tuple[str, str]](), dict[tuple[str, str], None]()
    for pair in pairs:
        if pair in seen:
            doubled[pair] = None
        seen.add(pair)
    models = dict.fromkeys(output.model for output in outputs)
    return Coverage(
        missing=tuple((model, name) for model in models for name in names if (model, name) not in seen),
        extra=tuple(pair for pair in dict.fromkeys(pairs) if pair[1] not in set(names)),
        doubled=tuple(doubled),
    )


def scored(
    outputs: Sequence[WrittenOutput], tasks: Sequence[VectorTask], rules: Rules = OFFICIAL
) -> Iterator[ScoredOutput]:
    """The report on each output whose task is there, the first of each pair."""
    by_id = {task.task_id: task for task in tasks}
    done = set[tuple[str, str]]()
    for output in outputs:
        pair = (output.model, output.task_id)
        if output.task_id not in by_id or pair in done:
            continue
        done.add(pair)
        task = by_id[output.task_id]
        yield ScoredOutput(
            model=output.model,
            task_id=task.task_id,
            report=evaluate_task(task, output.svg, rules),
            families=tuple(family_of(change.attribute) for change in task.changes),
            truncated=output.truncated,
            cost_usd=output.cost_usd,
        )
