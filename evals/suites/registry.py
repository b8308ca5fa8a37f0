"""Suites by their spec: `puzzles?count=100&seed=7`, `paintbench:<dir>`, `wiseedit:<dir>`, and so on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from editplan.errors import ConfigError
from editplan.evals.cases import Suite
from editplan.records import Record
from editplan.specs import ModelSpec, parse_spec, read_options


def resolve_suite(spec: str) -> Suite:
    """The suite that a spec names. Raises `SpecError` for an unknown option and `ConfigError` for an unknown suite;
    both list what is known. Relative paths are relative to the current folder."""
    parsed = parse_spec(spec)
    make = SUITES.get(parsed.provider)
    if make is None:
        raise ConfigError(f"suite {spec!r}: no suite {parsed.provider!r}; known: {', '.join(sorted(SUITES))}")
    return make(parsed)


def _puzzles(spec: ModelSpec) -> Suite:
    from editplan.evals.suites.puzzles.suite import PuzzleOptions, PuzzleSuite

    if spec.model:
        raise ConfigError(f"suite {str(spec)!r}: puzzles takes no path; options follow a question mark")
    return PuzzleSuite(read_options(spec, PuzzleOptions))


def _paintbench(spec: ModelSpec) -> Suite:
    from editplan.evals.suites.paintbench import SAMPLE, PaintBenchOptions, PaintBenchSuite, sample_folder

    options = read_options(spec, PaintBenchOptions)
    if spec.model == SAMPLE:
        return PaintBenchSuite(sample_folder(), options, name=SAMPLE)
    return PaintBenchSuite(_path(spec, "the folder of a PaintBench tree, or 'sample'"), options)


def _solveedit(spec: ModelSpec) -> Suite:
    from editplan.evals.suites.solveedit import SolveEditOptions, SolveEditSuite

    if spec.model.endswith(".json"):
        from editplan.evals.suites.evaluation_manifest import EvaluationManifestSuite

        read_options(spec, Record)
        return EvaluationManifestSuite(Path(spec.model))
    return SolveEditSuite(_path(spec, "a manifest.jsonl"), read_options(spec, SolveEditOptions))


def _jsonl(spec: ModelSpec) -> Suite:
    from editplan.evals.suites.jsonl import JsonlSuite

    read_options(spec, Record)
    return JsonlSuite(_path(spec, "a JSONL file"))


def _rigbench(spec: ModelSpec) -> Suite:
    from editplan.evals.suites.rigbench import RigBenchSuite

    read_options(spec, Record)
    return RigBenchSuite(_path(spec, "a JSONL file of items"))


def _risebench(spec: ModelSpec) -> Suite:
    from editplan.evals.suites.risebench import RiseBenchSuite

    read_options(spec, Record)
    return RiseBenchSuite(_path(spec, "the folder with data_total.json"))


def _vectorbench(spec: ModelSpec) -> Suite:
    from editplan.evals.protocols.vectorbench.suite import VectorBenchSuite

    read_options(spec, Record)
    return VectorBenchSuite(_path(spec, "the folder with the task files"))


def _wiseedit(spec: ModelSpec) -> Suite:
    from editplan.evals.suites.wiseedit import WiseEditOptions, WiseEditSuite

    return WiseEditSuite(_path(spec, "the dataset folder"), read_options(spec, WiseEditOptions))


def _path(spec: ModelSpec, what: str) -> Path:
    if not spec.model:
        raise ConfigError(f"suite {str(spec)!r}: {spec.provider}: is followed by {what}")
    return Path(spec.model)


SUITES: dict[str, Callable[[ModelSpec], Suite]] = {
    "jsonl": _jsonl,
    "paintbench": _paintbench,
    "puzzles": _puzzles,
    "rigbench": _rigbench,
    "risebench": _risebench,
    "solveedit": _solveedit,
    "vectorbench": _vectorbench,
    "wiseedit": _wiseedit,
}
"""One maker a suite; it loads what the suite needs."""
