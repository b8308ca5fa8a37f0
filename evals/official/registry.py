"""Figures as a benchmark's published script makes them, and its table, beside ours where the two differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from editplan.evals.official.rows import Arm, PublishedTable
from editplan.evals.run import Run
from editplan.evals.suites.names import file_slug


class Publisher(Protocol):
    """A module that makes the published figures of one benchmark."""

    def figures(self, arm: Arm) -> dict[str, Any]:
        """Those of one arm, as plain JSON."""
        ...

    def tables(self, arms: Mapping[str, Mapping[str, Any]]) -> Sequence[PublishedTable]:
        """The published tables, one line or block an arm."""
        ...


_BY_METRIC = {
    "solvescore": "editplan.evals.official.solveedit",
    "mean_iou": "editplan.evals.official.paintbench",
    "specification_pass": "editplan.evals.official.vectorbench",
}
_BY_RUBRIC = {
    "rigbench": "editplan.evals.official.rigbench",
    "risebench": "editplan.evals.official.risebench",
    "wiseedit": "editplan.evals.official.wiseedit",
}


def official_figures(run: Run, judge: str) -> dict[str, Any]:
    """Published figures by condition and editor; empty for a metric of our own."""
    publisher = _publisher(run)
    if publisher is None:
        return {}
    return {
        condition: {
            editor: publisher.figures(Arm.of(run, condition, editor, judge)) for editor in run.experiment.editors
        }
        for condition in run.experiment.conditions
    }


def published_tables(run: Run, official: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The tables in the published form, as plain JSON, from what `official_figures` gave."""
    publisher = _publisher(run)
    if publisher is None:
        return []
    several = len(run.experiment.editors) > 1
    arms = {
        f"{condition} · {editor}" if several else condition: figures
        for condition, editors in official.items()
        for editor, figures in editors.items()
    }
    count = run.experiment.replicates
    told = f" (replicate 1 of {count})" if count > 1 else ""
    return [table.model_dump(mode="json") | {"title": table.title + told} for table in publisher.tables(arms)]


def write_published_files(run: Run, judge: str, folder: Path) -> tuple[Path, ...]:
    """Files that the published scripts read, one folder an arm below `folder`, where the benchmark has any."""
    publisher = _publisher(run)
    write = getattr(publisher, "write_files", None)
    if write is None:
        return ()
    written: list[Path] = []
    for condition in run.experiment.conditions:
        for editor in run.experiment.editors:
            place = folder / file_slug(f"{condition} {editor}")
            written += write(Arm.of(run, condition, editor, judge), place)
    return tuple(written)


def _publisher(run: Run) -> Publisher | None:
    name = _BY_METRIC.get(run.metric)
    if name is None and run.cases and run.cases[0].rubric is not None:
        name = _BY_RUBRIC.get(run.cases[0].rubric.protocol)
    if name is None:
        return None
    return cast(Publisher, import_module(name))
