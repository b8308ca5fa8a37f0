"""An emulator for the whole session, its keys, and the command line."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from editplan.emulator.server import Emulator, Running
from tests.evals.suites.running import Ran, command


@pytest.fixture(scope="session")
def emulated() -> Iterator[str]:
    """The base URL of an emulator that plans, edits and judges."""
    with Running(Emulator()) as url:
        yield url


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> Ran:
    monkeypatch.setenv("OPENAI_API_KEY", "emulated-key-of-openai")
    monkeypatch.setenv("GEMINI_API_KEY", "emulated-key-of-gemini")
    return command(capsys, monkeypatch)
