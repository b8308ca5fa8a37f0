"""A rater's saved ratings, held against a run's judge."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from editplan.errors import DatasetError
from editplan.evals.rating.agreeing import RaterAgreement, agreement_of, read_ratings
from editplan.evals.rating.blinded import Item, judged_ratings, unblinded
from editplan.evals.rating.sheet import TOP
from editplan.evals.run import Run


def rated_run(run: Run, items: Sequence[Item], paths: Sequence[Path], judge: str) -> RaterAgreement:
    """Agreement of each rater with the judge, whose scores are brought to the rater's scale, and with each other.

    Raises `DatasetError` for a file that holds no item of this page.
    """
    raters = {judge: judged_ratings(run, items, judge, TOP)}
    for path in paths:
        found = unblinded(read_ratings(path), items)
        if not found:
            raise DatasetError(
                f"{path} rates no output of {run.experiment.name}: was its page made with another --seed?"
            )
        raters[path.stem if path.stem not in raters else str(path)] = found
    return agreement_of(raters)
