"""`editplan import SUITE [OUTPUTS...]`: judge outputs that another tool produced; nothing is generated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from editplan.cli.run import AsJson, RunsDir

if TYPE_CHECKING:
    from editplan.evals.importing.found import FoundOutputs

_SHOWN = 10


def import_(
    suite: Annotated[str, typer.Argument(help="What they answer: wiseedit:DIR, vectorbench:DIR, jsonl:FILE, ...")],
    outputs: Annotated[list[Path] | None, typer.Argument(help="One folder or file a model.")] = None,
    model: Annotated[list[str] | None, typer.Option(help="The models' names; default: the folders'.")] = None,
    judge: Annotated[list[str] | None, typer.Option(help="Who judges; default: the suite's own judge.")] = None,
    name: Annotated[str, typer.Option(help="The run's name.")] = "",
    check: Annotated[bool, typer.Option("--check", help="Only list missing, extra and doubled outputs.")] = False,
    runs_dir: RunsDir = Path("runs"),
    as_json: AsJson = False,
) -> None:
    """Make a run of outputs that another tool produced, and judge it. Makes no edit."""
    from editplan.cli.console import print_json, progress
    from editplan.cli.run import show_finished
    from editplan.evals.importing.runs import ImportRequest, import_run, preflight_import
    from editplan.evals.session import SessionOptions, score_run

    request = ImportRequest(
        suite=suite,
        outputs=tuple(outputs or ()),
        models=tuple(model or ()),
        judges=tuple(judge or ()),
        name=name,
    )
    if check:
        found = preflight_import(request)
        if as_json:
            print_json({"preflight": [_lists(each) for each in found]})
        _say(found)
        return
    imported = import_run(request, runs_dir)
    _say(imported.found)
    with progress(f"judging {imported.folder.name}") as show:
        finished = score_run(imported.folder, SessionOptions(on_progress=show))
    show_finished(finished, as_json=as_json)


def _lists(found: FoundOutputs) -> dict[str, Any]:
    return {"found": len(found.files) + len(found.drawings)} | found.model_dump(
        mode="json", exclude={"files", "drawings"}
    )


def _say(found: tuple[FoundOutputs, ...]) -> None:
    from editplan.cli.console import say

    for each in found:
        say(each.summary())
        for what in ("missing", "extra", "duplicates", "faults"):
            names: tuple[str, ...] = getattr(each, what)
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            if names:
                say(f"  {what}: {', '.join(names[:_SHOWN])}{more}")
