"""`editplan claim RUN`: one page on what a run says about its claims."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from editplan.cli.run import AsJson, RunsDir


def claim(
    name: Annotated[str, typer.Argument(metavar="RUN", help="A run directory, or its name.")],
    runs_dir: RunsDir = Path("runs"),
    html: Annotated[Path | None, typer.Option(help="Also write the page as HTML into this file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say of each declared claim whether the run supports it, contradicts it, or leaves it open."""
    from editplan.cli.console import print_json, say
    from editplan.evals.claims.page import claim_html, claim_text
    from editplan.evals.claims.verdicts import claim_page
    from editplan.evals.run import load_run
    from editplan.evals.session import run_folder
    from editplan.evals.store import write_durably

    page = claim_page(load_run(run_folder(name, runs_dir)))
    if html is not None:
        write_durably(html, claim_html(page))
        say(f"page: {html}")
    if as_json:
        print_json(page.model_dump(mode="json"))
    else:
        typer.echo(claim_text(page), nl=False)
