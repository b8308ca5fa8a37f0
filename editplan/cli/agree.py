"""`editplan agree A.csv B.csv ...`: how far raters agree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from editplan.cli.run import AsJson


def agree(
    files: Annotated[
        list[Path], typer.Argument(help="One CSV a rater: item, rating, and model if there are several.")
    ],
    as_json: AsJson = False,
) -> None:
    """Measure agreement between raters: Pearson, Spearman, ICC, kappa, Kendall's tau, Krippendorff's alpha."""
    from editplan.cli.console import print_json
    from editplan.evals.rating.agreeing import agreement_of, read_ratings

    found = agreement_of({path.stem: read_ratings(path) for path in files})
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        print_agreement(found)


def print_agreement(found: Any) -> None:
    """The figures on stdout; a dash where one isn't defined."""
    from editplan.cli.tables import rich_table, shown
    from editplan.evals.report.figures import number

    rows = []
    for pair in found.pairs:
        it = pair.agreement
        cells = (it.pearson, it.spearman, it.icc, it.kappa_quadratic, it.within_one, pair.model_tau)
        rows.append([f"{pair.a} / {pair.b}", str(it.n), *(number(value) for value in cells)])
    head = ["raters", "n", "Pearson", "Spearman", "ICC(2,1)", "kappa (quadratic)", "within one", "tau of models"]
    shown(rich_table("Agreement", head, rows))
    shown(f"Krippendorff's alpha over {len(found.raters)} raters: {number(found.alpha)} (interval)")
