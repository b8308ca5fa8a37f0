"""A run directory, read: its experiment, its cases and its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from editplan.errors import StoreError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.experiment import Experiment, parse_experiment
from editplan.evals.rows import RunKey, RunRow
from editplan.evals.runner import chosen_cases
from editplan.evals.store import read_cases, read_description, read_rows
from editplan.records import Outcome
from editplan.store import ImageStore

SCALES: Mapping[str, tuple[float, float]] = {"rubric": (0.0, 100.0)}
"""Floor and ceiling of a metric that does not lie in 0..1."""


@dataclass(frozen=True)
class Run:
    """What a run directory holds; `cases` are those that count (`max_cases`), in the suite's order."""

    folder: Path
    experiment: Experiment
    suite: str
    metric: str
    judges: tuple[str, ...]
    cases: tuple[Case, ...]
    invalid: tuple[InvalidCase, ...]
    rows: Mapping[RunKey, RunRow]
    description: Mapping[str, Any]

    @property
    def scale(self) -> tuple[float, float]:
        """The metric's floor and ceiling."""
        return SCALES.get(self.metric, (0.0, 1.0))

    @property
    def n(self) -> int:
        """Runs of one arm: cases × replicates."""
        return len(self.cases) * self.experiment.replicates

    def keys(self, condition: str, editor: str) -> Iterator[RunKey]:
        """All runs of an arm, case by case."""
        for case in self.cases:
            yield from self.keys_of(case, condition, editor)

    def keys_of(self, case: Case, condition: str, editor: str) -> Iterator[RunKey]:
        """A case's runs in an arm, one a replicate."""
        for replicate in range(self.experiment.replicates):
            yield RunKey(case_id=case.case_id, condition=condition, editor=editor, replicate=replicate)


def missing_outputs(run: Run) -> tuple[RunKey, ...]:
    """The runs with an output that is no longer in the run's `images`."""
    images = ImageStore(run.folder / "images")
    return tuple(key for key, row in run.rows.items() if not _is_whole(row.outcome, images))


def _is_whole(outcome: Outcome, images: ImageStore) -> bool:
    return all(media is None or media.sha256 in images for media in (outcome.media, *outcome.drafts))


def load_run(folder: Path) -> Run:
    """Reads a run directory, finished or not. Raises `StoreError` if it is none or damaged."""
    description = read_description(folder)
    try:
        experiment = parse_experiment(description["experiment"], source=str(folder))
        suite, metric = str(description["suite"]["id"]), str(description["suite"]["metric"])
    except KeyError as error:
        raise StoreError(f"{folder}: experiment.json has no {error}: it was written by another program") from error
    items = read_cases(folder)
    cases = chosen_cases((item for item in items if isinstance(item, Case)), experiment)
    return Run(
        folder=folder,
        experiment=experiment,
        suite=suite,
        metric=metric,
        judges=experiment.judges,
        cases=cases,
        invalid=tuple(item for item in items if isinstance(item, InvalidCase)),
        rows={row.key: row for row in read_rows(folder)},
        description=description,
    )
