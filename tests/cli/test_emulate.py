"""`editplan emulate` serves, `check --model` probes what it serves, `run --estimate` says what a run takes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from editplan.calls.estimate import TYPICAL
from editplan.emulator.brains import Brain
from editplan.emulator.faults import Fault, FaultKind, FaultPlan
from editplan.emulator.server import Emulator, Running
from editplan.records import CallKind

Command = Any
"""The fixture of conftest: called with arguments, it returns the exit code and keeps `out` and `err`."""

EXPERIMENT = """
name = "estimated"
suite = "puzzles?count=4&seed=3"
conditions = ["direct", "plan"]
editors = ["openai:gpt-image-2@URL/v1?size=auto"]
planner = "openai:gpt-4.1@URL/v1"
"""


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "emulated-key-of-openai")


@pytest.fixture
def url() -> Iterator[str]:
    with Running(Emulator(Brain())) as served:
        yield served


def test_the_command_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    faults = tmp_path / "faults.toml"
    faults.write_text('[[fault]]\nkind = "rate_limit"\ncalls = [1]\n')
    command = [sys.executable, "-m", "editplan.cli", "emulate", "--port", "0", "--canned", "--faults", str(faults)]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ)
    try:
        assert server.stderr is not None
        line = server.stderr.readline()
        served = line.split()[2].rstrip(";")
        specs = [server.stderr.readline() for _ in range(4)]
        with urllib.request.urlopen(f"{served}/_stats", timeout=10) as answer:
            assert json.load(answer)["requests"] == {}
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=20)
    assert f"openai:any@{served}/v1" in specs[0]
    assert server.returncode in (0, 130)


@pytest.mark.parametrize(
    ("text", "words"), [("[[fault]]\nkind = 'x'\n", "fault.0.kind"), ("fault = [", "faults file")]
)
def test_a_wrong_faults_file_is_named(tmp_path: Path, command: Command, text: str, words: str) -> None:
    (tmp_path / "faults.toml").write_text(text)
    assert command("emulate", "--port", "0", "--faults", tmp_path / "faults.toml") == 2
    assert words in command.err


@pytest.mark.parametrize(("model", "boxes"), [("qwen3-vl", "qwen3"), ("qwen2.5-vl", "qwen25"), ("other", "unit")])
def test_a_probe_finds_what_a_model_can_do(url: str, command: Command, model: str, boxes: str) -> None:
    assert command("check", "--model", f"compatible:{model}@{url}/v1", "--json") == 0
    found = json.loads(command.out)
    assert (found["sees"], found["json_schema"], found["boxes"]) == (True, True, boxes)
    assert found["spec"] == f"compatible:{model}@{url}/v1?bbox={boxes}"
    assert found["calls"] == 5


def test_a_server_that_refuses_a_schema_is_told_from_one_that_refuses_all(command: Command) -> None:
    emulator = Emulator(Brain(), FaultPlan(fault=(Fault(kind=FaultKind.BAD_REQUEST, calls=(1,)),)))
    with Running(emulator) as url:
        assert command("check", "--model", f"compatible:any@{url}/v1") == 0
        assert "json_schema=off" in command.out.splitlines()[-1]
        emulator.faults = FaultPlan(fault=(Fault(kind=FaultKind.UNAUTHORISED),))
        assert command("check", "--model", f"compatible:any@{url}/v1") == 2
        assert "401" in command.err


def test_a_missing_key_is_named(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert command("check", "--model", "openai:gpt-4.1") == 2
    assert "OPENAI_API_KEY" in command.err


def test_an_estimate_counts_budgets_and_a_pilot_measures(url: str, command: Command, tmp_path: Path) -> None:
    file = tmp_path / "experiment.toml"
    file.write_text(EXPERIMENT.replace("URL", url))
    runs = tmp_path / "runs"
    assert command("run", file, "--runs-dir", runs, "--estimate", "--json") == 0
    found = json.loads(command.out)
    assert {line["kind"]: line["calls"] for line in found["lines"]} == {"agent": 8, "generation": 8}
    agent = TYPICAL[CallKind.AGENT]
    expected = 8 * (agent.tokens_in * 2.0 + agent.tokens_out * 8.0) / 1e6
    costs = {line["kind"]: line["cost_usd"] for line in found["lines"]}
    assert costs["agent"] == pytest.approx(expected)
    assert not runs.exists()

    assert command("run", file, "--runs-dir", runs, "--estimate", "--pilot", "2", "--json") == 0
    found = json.loads(command.out)
    assert found["calls"] == 16
    assert found["spent_usd"] == pytest.approx(found["cost_usd"] / 2)
    before = _requests(url)
    assert before == 2 * 4
    assert command("run", file, "--runs-dir", runs, "--json") == 0
    assert _requests(url) == 4 * 4


def _requests(url: str) -> int:
    with urllib.request.urlopen(f"{url}/_stats", timeout=10) as answer:
        return sum(json.load(answer)["requests"].values())
