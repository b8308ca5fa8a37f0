"""Finds outputs of other tools in each benchmark's published layout, and says what is missing or too much."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from editplan.errors import ConfigError, DatasetError
from editplan.evals.cases import Case, Suite
from editplan.evals.protocols.preflight import IMAGE_SUFFIXES, Preflight, existing, preflight
from editplan.evals.suites.names import file_slug
from editplan.records import Record


class FoundOutputs(Record):
    """The outputs of one model, against what a suite asks for."""

    model: str
    files: dict[str, Path] = Field(default_factory=dict)
    """Picture files by case id."""
    drawings: dict[str, str | None] = Field(default_factory=dict)
    """SVG texts by case id; None for a request that ended without one."""
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    """Outputs that no case asks for."""
    duplicates: tuple[str, ...] = ()
    """Cases with several outputs, of which the first counts."""
    faults: tuple[str, ...] = ()
    """Lines and records that can't be read."""

    def summary(self) -> str:
        """One line for people."""
        found = len(self.files) + len(self.drawings)
        told = f"{self.model}: {found} outputs found, {len(self.missing)} missing, {len(self.extra)} extra"
        return f"{told}, {len(self.duplicates)} doubled" + (f", {len(self.faults)} unreadable" if self.faults else "")


def find_outputs(
    suite: Suite, places: tuple[Path, ...], models: tuple[str, ...], cases: Iterable[Case]
) -> tuple[FoundOutputs, ...]:
    """The outputs below `places`, one model a folder, named by `models` or by the folders.

    Files that hold several models (Vector-Bench's JSON lines, SolveEdit's evaluation manifest) name them themselves.
    Raises `DatasetError` for a place that isn't there, `ConfigError` for names that don't fit the places.
    """
    reader = _READERS.get(suite.id.partition(":")[0], _by_case_id)
    if _is_evaluation_manifest(suite):
        if places or models:
            raise ConfigError("an evaluation manifest names its outputs and models itself: give neither")
        return _evaluation_manifest(suite)
    if not places:
        raise ConfigError(f"{suite.id}: give the folder that holds a model's outputs")
    if models and len(models) != len(places):
        raise ConfigError(f"{len(models)} model names for {len(places)} places: give one --model a place, or none")
    found: list[FoundOutputs] = []
    for at, place in enumerate(places):
        found += reader(suite, place, models[at] if models else "", tuple(cases))
    twice = sorted({each.model for each in found if [other.model for other in found].count(each.model) > 1})
    if twice:
        raise ConfigError(f"two places hold outputs of {twice[0]!r}: name them apart with --model")
    return tuple(found)


Reader = Callable[[Any, Path, str, tuple[Case, ...]], list[FoundOutputs]]


def _of_preflight(model: str, checked: Preflight) -> list[FoundOutputs]:
    return [
        FoundOutputs(
            model=model,
            files={file.item: file.path for file in checked.found},
            missing=checked.missing,
            extra=tuple(str(path.relative_to(checked.root)) for path in checked.extra),
            duplicates=tuple(each.item for each in checked.duplicates),
        )
    ]


def _wiseedit(suite: Any, place: Path, model: str, cases: tuple[Case, ...]) -> list[FoundOutputs]:
    from editplan.evals.protocols.wiseedit import import_outputs, read_items

    items = read_items(suite.folder).items
    return _of_preflight(model or place.resolve().name, import_outputs(place, items, suite.options.languages))


def _risebench(suite: Any, place: Path, model: str, cases: tuple[Case, ...]) -> list[FoundOutputs]:
    from editplan.evals.protocols.risebench import import_outputs, read_items

    return _of_preflight(model or place.resolve().name, import_outputs(place, read_items(suite.data_file).items))


def _rigbench(suite: Any, place: Path, model: str, cases: tuple[Case, ...]) -> list[FoundOutputs]:
    from editplan.evals.protocols.rigbench import import_outputs, read_items

    return _of_preflight(model or place.resolve().name, import_outputs(place, read_items(suite.items_file).items))


def _paintbench(suite: Any, place: Path, model: str, cases: tuple[Case, ...]) -> list[FoundOutputs]:
    from editplan.evals.protocols.paintbench import import_outputs, read_problems

    asked = {case.case_id for case in cases}
    problems = [problem for problem in read_problems(suite.folder).items if problem.id in asked]
    return _of_preflight(model or place.resolve().name, import_outputs(place, problems))


def _vectorbench(suite: Any, place: Path, model: str, cases: tuple[Case, ...]) -> list[FoundOutputs]:
    return _vector_folder(place, model, cases) if place.is_dir() else _vector_lines(place, model, cases)


def _vector_folder(place: Path, model: str, cases: tuple[Case, ...]) -> list[FoundOutputs]:
    """`<folder>/<task id>.svg`."""
    paths = {case.case_id: place / f"{case.case_id}.svg" for case in cases}
    there = {name: path for name, path in paths.items() if path.is_file()}
    return [
        FoundOutputs(
            model=model or place.resolve().name,
            drawings={name: path.read_text(encoding="utf-8", errors="replace") for name, path in there.items()},
            missing=tuple(name for name in paths if name not in there),
            extra=tuple(sorted(path.name for path in place.glob("*.svg") if path not in there.values())),
        )
    ]


def _vector_lines(place: Path, model: str, cases: tuple[Case, ...]) -> list[FoundOutputs]:
    from editplan.evals.protocols.vectorbench.outputs import read_outputs

    loaded = read_outputs(place)
    asked = [case.case_id for case in cases]
    drawings: dict[str, dict[str, str | None]] = {}
    extra: dict[str, list[str]] = {}
    doubled: dict[str, list[str]] = {}
    for output in loaded.items:
        mine = drawings.setdefault(output.model, {})
        if output.task_id not in asked:
            extra.setdefault(output.model, []).append(output.task_id)
        elif output.task_id in mine:
            doubled.setdefault(output.model, []).append(output.task_id)
        else:
            mine[output.task_id] = output.svg
    if model and len(drawings) > 1:
        raise ConfigError(f"{place} holds outputs of {', '.join(drawings)}: they are named there, leave --model out")
    faults = tuple(str(fault) for fault in loaded.faults)
    return [
        FoundOutputs(
            model=model or name,
            drawings=mine,
            missing=tuple(task for task in asked if task not in mine),
            extra=tuple(extra.get(name, ())),
            duplicates=tuple(dict.fromkeys(doubled.get(name, ()))),
            faults=faults,
        )
        for name, mine in drawings.items()
    ]


def _by_case_id(suite: Any, place: Path, model: str, cases: tuple[Case, ...]) -> list[FoundOutputs]:
    """Any other suite: `<folder>/<case id>.<png|jpg|...>`, ids that are no file names by their slug."""
    candidates = {case.case_id: tuple(_named(place, case.case_id)) for case in cases}
    return _of_preflight(model or place.resolve().name, preflight(place, candidates, searched=(place,)))


def _named(place: Path, case_id: str) -> Iterable[Path]:
    slug = file_slug(case_id)
    for name in dict.fromkeys((case_id, slug) if Path(case_id).name == case_id else (slug,)):
        for suffix in sorted(IMAGE_SUFFIXES):
            yield place / f"{name}{suffix}"


def _is_evaluation_manifest(suite: Suite) -> bool:
    from editplan.evals.suites.evaluation_manifest import EvaluationManifestSuite

    return isinstance(suite, EvaluationManifestSuite)


def _evaluation_manifest(suite: Any) -> tuple[FoundOutputs, ...]:
    from editplan.evals.suites.evaluation_manifest import model_of, read_records

    by_model: dict[str, list[tuple[int, Mapping[str, Any]]]] = {}
    nameless = []
    every: dict[str, None] = {}
    for number, record in enumerate(read_records(suite.manifest)):
        if not record.get("case_id"):
            nameless.append(f"$.records[{number}]: case_id is missing")
            continue
        by_model.setdefault(model_of(dict(record)), []).append((number, record))
        every[str(record["case_id"])] = None
    found = [_of_records(suite.manifest.parent, model, mine, every) for model, mine in by_model.items()]
    if not found:
        raise DatasetError(f"{suite.manifest}: no record names a case")
    # A record without a case belongs to nobody: it is told once.
    return (found[0].model_copy(update={"faults": (*found[0].faults, *nameless)}), *found[1:])


def _of_records(
    folder: Path, model: str, records: list[tuple[int, Mapping[str, Any]]], every: Mapping[str, None]
) -> FoundOutputs:
    files: dict[str, Path] = {}
    doubled, faults, seen = [], [], set()
    for number, record in records:
        case_id, path = str(record["case_id"]), record.get("output_image")
        if case_id in seen:
            doubled.append(case_id)
            continue
        seen.add(case_id)
        try:
            if path:
                files[case_id] = existing(folder, str(path))
        except DatasetError as error:
            faults.append(f"$.records[{number}].output_image: {error}")
    return FoundOutputs(
        model=model,
        files=files,
        missing=tuple(name for name in every if name not in files),
        duplicates=tuple(dict.fromkeys(doubled)),
        faults=tuple(faults),
    )


_READERS: Mapping[str, Reader] = {
    "paintbench": _paintbench,
    "rigbench": _rigbench,
    "risebench": _risebench,
    "vectorbench": _vectorbench,
    "wiseedit": _wiseedit,
}
