"""`editplan batch GOALS.csv --out DIR`: many edits, one contact sheet; the same command again goes on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from editplan.cli.edit import Planner
from editplan.cli.run import AsJson
from editplan.cli.wishes import (
    EMBEDDED_EDITOR,
    Condition,
    Deadline,
    Editor,
    FinishIt,
    MaxCost,
    Native,
    Prices,
    ResendUnknown,
    finish_of,
    policy_of,
)

if TYPE_CHECKING:
    from editplan.planner.batch import BatchLine
    from editplan.planner.goals import GoalLine
    from editplan.planner.result import EditResult


def batch(
    goals: Annotated[Path, typer.Argument(help="CSV with the columns image, goal and, if there are masks, mask.")],
    out: Annotated[Path, typer.Option(help="Where outputs, results.csv and sheet.html go.")],
    planner: Planner = "embedded",
    editor: Editor = EMBEDDED_EDITOR,
    condition: Condition = "plan",
    finish: FinishIt = False,
    native: Native = False,
    deadline: Deadline = None,
    max_cost: MaxCost = None,
    prices: Prices = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Edits under way at a time.")] = 4,
    resend_unknown: ResendUnknown = False,
    as_json: AsJson = False,
) -> None:
    """Make one edit for each line of a CSV file. The same command again finishes an interrupted batch."""
    import asyncio

    from editplan import EditAgent
    from editplan.cli.console import print_json, say
    from editplan.planner.batch import run_batch, write_results
    from editplan.planner.goals import read_goals

    lines = read_goals(goals)
    policy = policy_of(prices, resend_unknown=resend_unknown)

    def tell(done: BatchLine) -> None:
        say(f"line {done.line}: {done.status}" + (f": {done.notes[-1]}" if done.is_fault and done.notes else ""))

    async def work() -> tuple[BatchLine, ...]:
        async with EditAgent(planner, editor, condition=condition, run_dir=out / "run", policy=policy) as agent:

            async def one(line: GoalLine) -> EditResult:
                return await agent.aedit(
                    str(line.image),
                    line.goal,
                    mask=None if line.mask is None else str(line.mask),
                    finish=finish_of(finish, native) or None,
                    deadline_s=deadline,
                    max_cost_usd=max_cost,
                )

            return await run_batch(lines, one, out, concurrency=concurrency, on_line=tell)

    done = asyncio.run(work())
    table, sheet = write_results(done, out)
    if as_json:
        paths = {"results": str(table), "sheet": str(sheet)}
        print_json({**paths, "lines": [line.model_dump(mode="json") for line in done]})
    else:
        ended = {
            status: sum(line.status == status for line in done) for status in sorted({each.status for each in done})
        }
        print(", ".join(f"{count} {status}" for status, count in ended.items()))
        print(f"sheet: {sheet}")
    if any(line.is_fault for line in done):
        raise typer.Exit(1)
