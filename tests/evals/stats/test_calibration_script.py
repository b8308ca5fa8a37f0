"""The calibration benchmark runs from its command line."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "statistics_calibration.py"


def test_the_calibration_prints_a_row_for_every_population(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--experiments", "2", "--cases", "20", "--resamples", "100"]
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), *arguments])
    monkeypatch.setenv("COLUMNS", "120")
    runpy.run_path(str(SCRIPT), run_name="__main__")
    shown = capsys.readouterr().out
    for name in (
        "SolveScore",
        "pass rate 90%",
        "mostly tied",
        "3 cases a scene",
        "realised power",
        "10,000 resamples",
    ):
        assert name in shown
