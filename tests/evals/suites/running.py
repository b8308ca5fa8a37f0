"""Runs an experiment from the command line with the emulator as every provider."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from editplan.cli import main

Ran = Callable[..., tuple[int, str, str]]


def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ran:
    """Calls `editplan ...` in this process: exit code, stdout, stderr."""

    def ran(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["editplan", *map(str, arguments)])
        code: Any = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code
        out, err = capsys.readouterr()
        return int(code or 0), out, err

    return ran


def experiment_file(folder: Path, **fields: Any) -> Path:
    """A TOML file of plain fields."""
    path = folder / "experiment.toml"
    path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items()), encoding="utf-8")
    return path
