"""`editplan contract lint FILE...` and `editplan contract draft IMAGE --goal ...`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from editplan.cli.run import AsJson

if TYPE_CHECKING:
    from editplan.evals.contract_lint import LintReport

contract = typer.Typer(no_args_is_help=True, help="Check contracts, and draft one for a picture of your own.")


@contract.callback()
def _contract() -> None:
    """Check contracts, and draft one for a picture of your own."""


@contract.command()
def lint(
    files: Annotated[list[Path], typer.Argument(help="Contracts (solveedit.atomic_contract.v3).")],
    detector: Annotated[Path | None, typer.Option(help="Weights that the run will have.")] = None,
    detector_labels: Annotated[Path | None, typer.Option(help="Its classes, one a line.")] = None,
    segmenter: Annotated[Path | None, typer.Option(help="Weights that the run will have.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell what is probably wrong with contracts, and what each atom weighs. Exit code 1 if there are errors."""
    from editplan.cli.console import print_json
    from editplan.errors import DatasetError
    from editplan.evals.checkers.instruments import InstrumentPaths, load_instruments
    from editplan.evals.contract_lint import lint_contract
    from editplan.evals.contracts import load_contract

    paths = InstrumentPaths(detector=detector, detector_labels=detector_labels, segmenter=segmenter)
    instruments = load_instruments(paths)
    documents: list[dict[str, Any]] = []
    for file in files:
        try:
            report = lint_contract(load_contract(file), instruments)
        except DatasetError as error:
            documents.append({"file": str(file), "ok": False, "error": str(error)})
            if not as_json:
                print(f"{file}\n  error    invalid: {error}")
            continue
        documents.append({"file": str(file), "ok": report.ok, **report.model_dump(mode="json")})
        if not as_json:
            _show(file, report)
    if as_json:
        print_json(documents)
    raise typer.Exit(0 if all(document["ok"] for document in documents) else 1)


@contract.command()
def draft(
    image: Annotated[Path, typer.Argument(help="The picture that will be edited.")],
    goal: Annotated[str, typer.Option(help="What the edited picture must show.")],
    planner: Annotated[str, typer.Option(help="A vision model: provider:model[@base_url][?key=value&...].")],
    out: Annotated[Path | None, typer.Option(help="A file for the contract; without it, stdout.")] = None,
) -> None:
    """Let a vision model draft a contract for a picture, marked as a draft. Edit it before you use it."""
    import asyncio
    import json

    from editplan.cli.console import say
    from editplan.evals.contract_draft import draft_contract, model_for_drafts
    from editplan.evals.store import write_durably
    from editplan.images import load_bytes
    from editplan.protocols import close

    model = model_for_drafts(planner)

    async def drafted() -> Any:
        try:
            return await draft_contract(model, load_bytes(image), goal, case_id=image.stem)
        finally:
            await close(model)

    made, notes = asyncio.run(drafted())
    document = json.dumps(made.as_json(), indent=2, ensure_ascii=False) + "\n"
    if out is None:
        typer.echo(document, nl=False)
    else:
        write_durably(out, document)
        print(f"draft: {out}")
    for note in notes:
        say(f"note: {note}")
    say("This is a draft: check every claim, delete the field `draft`, then run `editplan contract lint`.")


def _show(file: Path, report: LintReport) -> None:
    from rich.console import Console
    from rich.table import Table

    print(file)
    for finding in report.findings:
        print(f"  {finding.level:<8} {finding.rule}: {finding.where}: {finding.text}")
    if not report.findings:
        print("  nothing to remark")
    table = Table(box=None, pad_edge=False)
    for name in ("  role", "property", "atom", "decided by"):
        table.add_column(name)
    table.add_column("weight", justify="right")
    for weight in report.weights:
        table.add_row(f"  {weight.role}", weight.property, weight.id, weight.checker, f"{weight.weight:.1%}")
    Console(width=max(Console().width, 110)).print(table, markup=False, highlight=False)
