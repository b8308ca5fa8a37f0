"""kill -9 over the wire: the server sees no finished call again, and the tables are an uninterrupted run's."""

from pathlib import Path

import pytest

from editplan.emulator.brains import Brain
from editplan.emulator.server import Emulator, Running
from editplan.testing.wire_kills import CASES, rehearse, uninterrupted


def test_no_finished_call_reaches_the_server_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "emulated-key-of-openai")
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    with Running(Emulator(Brain(canned=True))) as url:
        figures = uninterrupted(whole, url, CASES)
    assert figures["complete"]
    found = rehearse(killed, kills=3, seed=5)
    assert found.kills >= 1
    assert found.sent_again == ()
    assert 0 <= found.unknown <= found.most_unknown
    assert _of_any_server(found.figures) == _of_any_server(figures)


def _of_any_server(figures: dict[str, object]) -> str:
    """The figures without the port that the emulator happened to listen on."""
    import json
    import re

    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1", json.dumps(figures, sort_keys=True))
