"""`editplan check [FILE]`: would this run? Nothing is sent. `--model SPEC` asks a vision model what it can do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from editplan.cli.run import AsJson, RunsDir

if TYPE_CHECKING:
    from editplan.evals.cases import Case
    from editplan.evals.experiment import Experiment
    from editplan.evals.judging import Judge

KEYS = {
    "openai": ("OPENAI_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "compatible": ("EDITPLAN_COMPATIBLE_API_KEY", "OPENROUTER_API_KEY"),
}
"""Environment variables that hold a provider's key; the first that is set is used."""


def check(
    file: Annotated[Path | None, typer.Argument(help="An experiment file to check.")] = None,
    model: Annotated[str | None, typer.Option(help="A vision model's spec: ask it what it can do (5 calls).")] = None,
    runs_dir: RunsDir = Path("runs"),
    as_json: AsJson = False,
) -> None:
    """Check packages, keys and folders, and with a FILE that every name in it resolves. Sends nothing but a probe."""
    from editplan.cli.console import print_json

    if model is not None:
        _probe(model, as_json=as_json)
        return

    lines = [*_environment(), *_keys(), _tried("runs directory", lambda: _writable(runs_dir))]
    if file is not None:
        lines += _experiment(file)
    if as_json:
        print_json({"ok": all(line["ok"] is not False for line in lines), "checks": lines})
    else:
        for line in lines:
            mark = {True: "ok  ", False: "FAIL", None: "-   "}[line["ok"]]
            print(f"{mark} {line['what']}: {line['found']}")
    if any(line["ok"] is False for line in lines):
        raise typer.Exit(2)


def _probe(model: str, *, as_json: bool) -> None:
    """Asks a vision model about a drawn picture, and prints the spec to use."""
    import asyncio

    from editplan.cli.console import print_json, say
    from editplan.planner.models.probe import probe

    found = asyncio.run(probe(model))
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    fits = ", ".join(f"{one.convention.value} {one.failure or f'{one.overlap:.2f}'}" for one in found.tried)
    lines = (
        ("sees", found.sees, "named every object's colour and shape" if found.sees else "did not name the objects"),
        ("JSON schema", found.json_schema, "taken" if found.json_schema else "refused: json_schema=off"),
        ("temperature", found.temperature, "taken" if found.temperature else "refused: temperature=off"),
        ("boxes", found.boxes is not None, f"{found.boxes or 'none fits'} (overlap: {fits})"),
    )
    for what, fine, words in lines:
        print(f"{'ok  ' if fine else '-   '} {what}: {words}")
    for note in found.notes:
        say(f"note: {note}")
    print(f"use: {found.spec}   ({found.calls} calls)")
    if not found.sees:
        raise typer.Exit(1)


def _line(what: str, found: str, ok: bool | None = True) -> dict[str, Any]:
    return {"what": what, "found": found, "ok": ok}


def _tried(what: str, work: Callable[[], str]) -> dict[str, Any]:
    from editplan.errors import EditplanError

    try:
        return _line(what, work())
    except EditplanError as error:
        return _line(what, str(error), ok=False)


def _environment() -> list[dict[str, Any]]:
    from importlib.metadata import PackageNotFoundError, version
    from platform import python_version

    lines = [_line("python", python_version())]
    for name in ("editplan", "langgraph", "openai", "google-genai", "opencv-python-headless", "numpy", "pillow"):
        try:
            lines.append(_line(name, version(name)))
        except PackageNotFoundError:
            lines.append(_line(name, "not installed: pip install editplan", ok=False))
    return lines


def _keys() -> list[dict[str, Any]]:
    from editplan.secrets import read_key

    return [
        _line(f"key of {provider}", "set" if read_key(*names) else f"not set ({' or '.join(names)})", ok=None)
        for provider, names in KEYS.items()
    ]


def _writable(folder: Path) -> str:
    import tempfile

    from editplan.errors import StoreError

    existing = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            return f"{folder} can be written"
    except OSError as error:
        raise StoreError(f"{folder} can't be written ({error.strerror}): give another --runs-dir") from error


def _experiment(file: Path) -> list[dict[str, Any]]:
    from editplan.evals.components import Given, check_judges, resolve_cast, resolve_judges
    from editplan.evals.experiment import load_experiment

    experiment = load_experiment(file)

    judges: dict[str, Judge] = {}

    def resolved() -> str:
        judges.update(resolve_judges(resolve_cast(experiment, Given()), Given()))
        return f"every name resolves; judged by {', '.join(judge.id for judge in judges.values())}"

    lines = [_line("experiment file", f"{file}: {experiment.name}"), _tried("names", resolved)]
    return [
        *lines,
        _tried("suite", lambda: _suite(experiment, lambda cases: check_judges(judges, cases))),
        *_missing_keys(experiment),
    ]


def _suite(experiment: Experiment, check_judging: Callable[[tuple[Case, ...]], None]) -> str:
    from editplan.errors import DatasetError
    from editplan.evals.cases import Case, InvalidCase
    from editplan.evals.suites.registry import resolve_suite
    from editplan.store import ImageStore

    items = tuple(resolve_suite(experiment.suite).cases(ImageStore()))
    invalid = [item for item in items if isinstance(item, InvalidCase)]
    told = f"{len(items) - len(invalid)} cases" + (
        f", {len(invalid)} can't be run, the first {invalid[0].case_id}: {invalid[0].error}" if invalid else ""
    )
    if len(invalid) == len(items):
        raise DatasetError(f"{told}: no case can be run")
    check_judging(tuple(item for item in items if isinstance(item, Case)))
    return told


def _missing_keys(experiment: Experiment) -> list[dict[str, Any]]:
    from editplan.secrets import read_key
    from editplan.specs import parse_spec

    found = []
    for spec in (experiment.planner, *experiment.editors, *experiment.judges):
        parsed = parse_spec(spec)
        names = KEYS.get(parsed.provider, ())
        if names and parsed.provider != "compatible" and not read_key(*names):
            found.append(_line(f"key for {spec}", f"not set: export {names[0]}", ok=False))
    return found
