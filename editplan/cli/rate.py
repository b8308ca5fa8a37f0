"""`editplan rate RUN`: a blinded page for a human rater, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from editplan.cli.run import AsJson, RunsDir


def rate(
    name: Annotated[str, typer.Argument(metavar="RUN", help="A run directory, or its name.")],
    runs_dir: RunsDir = Path("runs"),
    read: Annotated[list[Path] | None, typer.Option(help="A rater's saved CSV; once for each rater.")] = None,
    judge: Annotated[str | None, typer.Option(help="The judge to hold raters against [default: the first].")] = None,
    out: Annotated[Path | None, typer.Option(help="Another place for the page [default: <run>/rating.html].")] = None,
    seed: Annotated[int, typer.Option(help="Another order of cases and arms.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Write a page for a human rater; with --read, give the agreement of his ratings with the judge."""
    from editplan.cli.compare import chosen_judge
    from editplan.cli.console import print_json
    from editplan.evals.rating.blinded import items_of
    from editplan.evals.run import load_run
    from editplan.evals.session import run_folder

    run = load_run(run_folder(name, runs_dir))
    items = items_of(run, seed)
    if not read:
        from editplan.evals.rating.sheet import rating_page
        from editplan.evals.store import write_durably
        from editplan.store import ImageStore

        page = out or run.folder / "rating.html"
        write_durably(page, rating_page(items, ImageStore(run.folder / "images")))
        if as_json:
            print_json({"page": str(page), "items": len(items)})
        else:
            print(f"page: {page} ({len(items)} outputs)")
        return
    from editplan.cli.agree import print_agreement
    from editplan.evals.rating.reading import rated_run

    found = rated_run(run, items, read, chosen_judge(judge, run.judges))
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        print_agreement(found)
