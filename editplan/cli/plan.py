"""`editplan plan IMAGE`: the plan alone, nothing is edited."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer

from editplan.cli.edit import Goal, Images, Planner


def plan(
    images: Images,
    goal: Goal,
    planner: Planner = "embedded",
    condition: Annotated[str, typer.Option(help="`plan` or one of its ablations.")] = "plan",
    out: Annotated[Path | None, typer.Option(help="A file for the plan; without it, stdout.")] = None,
) -> None:
    """Plan an edit and print the plan (solveedit.plan.v1). Nothing is edited."""
    from editplan import EditAgent
    from editplan.cli.console import say
    from editplan.evals.store import write_durably
    from editplan.planner.formats import write_plan

    with EditAgent(planner=planner, editor=None, condition=condition) as agent:
        made = asyncio.run(agent.aplan([str(image) for image in images], goal=goal))
    if made.plan is None:
        say(f"no plan: {made.status.value}: {'; '.join(made.outcome.notes)}")
        raise typer.Exit(1 if made.status.is_fault else 0)
    document = json.dumps(write_plan(made.plan, images[0].stem), indent=2, ensure_ascii=False) + "\n"
    if out is None:
        typer.echo(document, nl=False)
    else:
        write_durably(out, document)
        print(f"plan: {out}")
