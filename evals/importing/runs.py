"""Makes a run of outputs that another tool produced: nothing is generated, everything else works as for any run."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from editplan.errors import ImageError
from editplan.evals.cases import Case, Suite
from editplan.evals.components import Given, check_judges, describe, resolve_cast, resolve_judges
from editplan.evals.experiment import Experiment, parse_experiment
from editplan.evals.importing.found import FoundOutputs, find_outputs
from editplan.evals.importing.imported import IMPORTED
from editplan.evals.rows import RunKey, RunRow
from editplan.evals.session import RUNS_DIR, recorded_cases
from editplan.evals.store import RunStore, read_rows
from editplan.evals.suites.registry import resolve_suite
from editplan.records import Media, Outcome, Record, Status
from editplan.store import ImageStore
from editplan.svg_source import drawing_size, parse


class ImportRequest(Record):
    """What is to be imported, and who is to judge it."""

    suite: str
    """The spec of the suite whose cases the outputs answer."""
    outputs: tuple[Path, ...] = ()
    """One folder or file a model; none for an evaluation manifest, which names them itself."""
    models: tuple[str, ...] = ()
    """Their names; empty = the folders' own."""
    name: str = ""
    """The run's name; empty = made of the suite's and the models'."""
    judges: tuple[str, ...] = ()


class Imported(Record):
    """A run directory whose outcomes were imported and wait for their judges."""

    folder: Path
    found: tuple[FoundOutputs, ...]


def preflight_import(request: ImportRequest) -> tuple[FoundOutputs, ...]:
    """What is there, missing, extra and doubled; nothing is written."""
    suite = resolve_suite(request.suite)
    return _found(request, suite, tuple(suite.cases(ImageStore())))


def import_run(request: ImportRequest, runs_dir: Path = RUNS_DIR) -> Imported:
    """Writes the run directory; `score_run` on it asks the judges.

    The same import again takes up the run, and outputs that changed in between lose their scores. Raises
    `ConfigError` for a name that fails or a run of that name with another configuration, `DatasetError` for an
    unusable suite or place.
    """
    return asyncio.run(_import(request, runs_dir))


async def _import(request: ImportRequest, runs_dir: Path) -> Imported:
    suite = resolve_suite(request.suite)
    items = tuple(suite.cases(ImageStore()))
    found = _found(request, suite, items)
    cast = resolve_cast(_experiment(request, found), Given(suite=suite))
    check_judges(resolve_judges(cast, Given()), (item for item in items if isinstance(item, Case)))
    store = RunStore(runs_dir / cast.experiment.name)
    try:
        store.claim(describe(cast, resolve_judges(cast, Given())))
        cases = await recorded_cases(cast, store)
        known = {row.key: row for row in read_rows(store.folder)}
        for outputs in found:
            for case in cases:
                key = RunKey(case_id=case.case_id, condition=_condition(outputs.model), editor=IMPORTED)
                outcome = await asyncio.to_thread(_outcome, outputs, case.case_id, store.images)
                if key not in known or known[key].outcome != outcome:
                    await store.keep(RunRow(key=key, outcome=outcome))
    finally:
        store.close()
    return Imported(folder=store.folder, found=found)


def _found(request: ImportRequest, suite: Suite, items: tuple[Any, ...]) -> tuple[FoundOutputs, ...]:
    cases = tuple(item for item in items if isinstance(item, Case))
    return find_outputs(suite, request.outputs, request.models, cases)


def _condition(model: str) -> str:
    return f"{IMPORTED}:{model}"


def _experiment(request: ImportRequest, found: tuple[FoundOutputs, ...]) -> Experiment:
    models = [each.model for each in found]
    name = request.name or "-".join([request.suite.partition(":")[0], *models])
    plain = "".join(mark if mark.isalnum() or mark in "-_." else "-" for mark in name).strip("-.")[:100]
    raw: dict[str, Any] = {
        "name": request.name or plain or IMPORTED,
        "suite": request.suite,
        "conditions": [_condition(model) for model in models],
        "editors": [IMPORTED],
        "planner": IMPORTED,
        "judges": list(request.judges),
    }
    return parse_experiment(raw, source="import")


def _outcome(outputs: FoundOutputs, case_id: str, images: ImageStore) -> Outcome:
    """The outcome of one output: its picture or drawing, or why there is none."""
    if case_id in outputs.files:
        path = outputs.files[case_id]
        try:
            media, _, notes = images.add(path.read_bytes(), name=path.name)
        except (ImageError, OSError) as error:
            return Outcome(status=Status.BAD_IMAGE, notes=(str(error),))
        return Outcome(status=Status.OK, media=media, notes=notes)
    drawing = outputs.drawings.get(case_id)
    if drawing is None:
        why = "its request ended in an error" if case_id in outputs.drawings else "no output was found"
        return Outcome(status=Status.NO_IMAGE, notes=(why,))
    return Outcome(status=Status.OK, media=_drawing(drawing, images))


def _drawing(text: str, images: ImageStore) -> Media:
    root, _ = parse(text)
    width, height = (100.0, 100.0) if root is None else drawing_size(root)
    return images.add_svg(text, width=max(1, round(width)), height=max(1, round(height)))
