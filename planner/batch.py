"""Many edits with one agent: each line its own outcome, nothing paid twice, one sheet to look at."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from editplan.errors import ConfigError, ImageError, StoreError
from editplan.planner.goals import GoalLine
from editplan.planner.result import EditResult
from editplan.records import Record, Status

INVALID = "invalid"
"""The status of a line whose picture or mask can't be used."""


class BatchLine(Record):
    """What one line came to."""

    line: int
    image: str
    goal: str
    status: str
    """A status of the closed list, or `invalid`."""
    output: str | None = None
    """The output's path; None where there is none."""
    instruction: str | None = None
    cost_usd: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def is_fault(self) -> bool:
        """Whether running the batch again makes it again."""
        return self.status == INVALID or Status(self.status).is_fault


Edit = Callable[[GoalLine], Awaitable[EditResult]]


async def run_batch(
    lines: Sequence[GoalLine],
    edit: Edit,
    folder: Path,
    *,
    concurrency: int = 4,
    on_line: Callable[[BatchLine], None] = lambda _: None,
) -> tuple[BatchLine, ...]:
    """Carries out all lines, so many at a time, and writes each output to `folder` as soon as it is there.

    Raises `StoreError` where the folder can't be written.
    """
    turn = asyncio.Semaphore(concurrency)

    async def one(line: GoalLine) -> BatchLine:
        async with turn:
            done = await _carried_out(line, edit, folder)
        on_line(done)
        return done

    return tuple(await asyncio.gather(*(one(line) for line in lines)))


async def _carried_out(line: GoalLine, edit: Edit, folder: Path) -> BatchLine:
    base = BatchLine(line=line.line, image=str(line.image), goal=line.goal, status=INVALID)
    try:
        result = await edit(line)
        output = None
        if result.outcome.media is not None:
            target = folder / f"{line.name}.{'svg' if result.outcome.media.kind == 'svg' else 'png'}"
            output = str(await asyncio.to_thread(result.save, target))
    except (ImageError, ConfigError) as error:
        return base.model_copy(update={"notes": (f"line {line.line}: {error}",)})
    update = {
        "status": result.status.value,
        "output": output,
        "instruction": result.instruction,
        "cost_usd": result.calls.usage().cost_usd,
        "notes": result.notes,
    }
    return base.model_copy(update=update)


def results_csv(done: Sequence[BatchLine]) -> str:
    """The table of a batch, one line an edit."""
    buffer = io.StringIO()
    names = list(BatchLine.model_fields)
    writer = csv.DictWriter(buffer, names)
    writer.writeheader()
    for line in done:
        writer.writerow({**line.model_dump(mode="json"), "notes": "; ".join(line.notes)})
    return buffer.getvalue()


def write_results(done: Sequence[BatchLine], folder: Path) -> tuple[Path, Path]:
    """Writes `results.csv` and the contact sheet `sheet.html`; returns both. Raises `StoreError`."""
    from editplan.planner.sheet import contact_sheet

    table, sheet = folder / "results.csv", folder / "sheet.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        table.write_text(results_csv(done), encoding="utf-8", newline="")
        sheet.write_text(contact_sheet(done), encoding="utf-8")
    except OSError as error:
        raise StoreError(f"can't write {folder}: {error.strerror or error}: give another --out") from error
    return table, sheet
