"""The command line: one line for an error, one document for --json, and the exit codes."""

import json
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

EXPERIMENT = """
name = "small"
suite = "puzzles?count=3&seed=3"
conditions = ["direct", "plan"]
editors = ["embedded:raster"]
"""


Ran = Any
"""The fixture `command` of conftest: called with arguments, it returns the exit code and keeps `out` and `err`."""


@pytest.fixture
def ran(command: Ran) -> Ran:
    return command


@pytest.fixture
def board(tmp_path: Path) -> Path:
    import numpy as np
    import PIL.Image

    pixels = np.full((120, 160, 3), 255, np.uint8)
    pixels[40:80, 30:70] = (255, 0, 0)
    path = tmp_path / "board.png"
    PIL.Image.fromarray(pixels).save(path)
    return path


def png_header(width: int, height: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 100))
        + chunk(b"IEND", b"")
    )


def test_help_lists_every_command(ran: Ran) -> None:
    assert ran("--help") == 0
    for name in ("demo", "edit", "plan", "run", "score", "report", "check", "suite", "models"):
        assert f"\n  {name} " in ran.out


def test_the_command_line_loads_nothing_heavy_before_a_command_runs() -> None:
    heavy = ("cv2", "numpy", "langgraph", "openai", "google.genai", "scipy", "PIL", "pydantic", "rich.table")
    code = f"import sys, editplan.cli.app; print([name for name in {heavy} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_no_command_is_wrong_use(ran: Ran) -> None:
    assert ran("nonsense") == 2
    assert "nonsense" in ran.err


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("missing.png", None, "check the path"),
        ("empty.png", b"", "is empty"),
        ("text.png", b"just words, not a picture", "no picture"),
        ("bomb.png", png_header(30_000, 30_000), "over the limit"),
        ("cut.png", b"", "truncated"),
    ],
)
def test_a_bad_image_is_one_clear_line(
    ran: Ran, tmp_path: Path, board: Path, name: str, content: bytes | None, told: str
) -> None:
    path = tmp_path / name
    if name == "cut.png":
        content = board.read_bytes()[:-40]
    if content is not None:
        path.write_bytes(content)
    assert ran("edit", path, "--goal", "Paint it.", "--out", tmp_path / "out.png") == 2
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("editplan: ")
    assert name in ran.err
    assert told in ran.err
    assert ran.out == ""


def test_an_empty_goal_is_one_clear_line(ran: Ran, board: Path) -> None:
    assert ran("edit", board, "--goal", "  ") == 2
    assert "the goal is empty" in ran.err
    assert ran.err.count("\n") == 1


def test_an_unknown_spec_key_lists_the_known_ones(ran: Ran, board: Path) -> None:
    assert ran("edit", board, "--goal", "Paint it.", "--editor", "embedded:raster?colour=1") == 2
    assert "'colour'" in ran.err
    assert "unparsed" in ran.err


def test_edit_writes_the_picture_and_one_json_document(ran: Ran, board: Path, tmp_path: Path) -> None:
    out = tmp_path / "folder" / "out.png"
    goal = "Recolor the red rectangle to blue."
    assert ran("edit", board, "--goal", goal, "--condition", "direct", "--out", out, "--json") == 0
    document = json.loads(ran.out)
    assert set(document) == {"status", "output", "instruction", "plan", "calls", "notes"}
    assert (document["status"], document["output"], document["instruction"]) == ("ok", str(out), goal)
    assert len(document["calls"]) == 1
    assert out.is_file()


def test_a_refused_edit_is_a_result(ran: Ran, board: Path, tmp_path: Path) -> None:
    arguments = ("--goal", "Frobnicate the zygote.", "--condition", "direct", "--out", tmp_path / "out.png", "--json")
    assert ran("edit", board, *arguments) == 0
    document = json.loads(ran.out)
    assert document["status"] == "refused_input"
    assert document["output"] is None
    assert not (tmp_path / "out.png").exists()


def test_plan_prints_the_published_format(ran: Ran, board: Path, tmp_path: Path) -> None:
    assert ran("plan", board, "--goal", "Recolor the red rectangle to blue.") == 0
    document = json.loads(ran.out)
    assert document["schema_version"] == "solveedit.plan.v1"
    assert document["uid"] == "board"
    assert ran("plan", board, "--goal", "Recolor the red rectangle to blue.", "--out", tmp_path / "plan.json") == 0
    assert json.loads((tmp_path / "plan.json").read_text()) == document


def test_run_report_and_score(ran: Ran, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(EXPERIMENT)
    runs = tmp_path / "runs"
    assert ran("run", file, "--runs-dir", runs, "--json") == 0
    summary = json.loads(ran.out)
    assert summary["n_cases"] == 3
    assert summary["conditions"]["plan"]["embedded:raster"]["n"] == 3
    assert Path(summary["report"]).is_file()
    assert json.loads(Path(summary["report"]).with_name("summary.json").read_text())["n_cases"] == 3

    assert ran("run", file, "--runs-dir", runs) == 0
    assert "report:" in ran.out
    assert ran("score", "small", "--runs-dir", runs, "--json") == 0
    again = json.loads(ran.out)
    assert {**again, "stopped": None} == summary
    assert ran("report", runs / "small", "--out", tmp_path / "elsewhere", "--json") == 0
    assert (tmp_path / "elsewhere" / "index.html").is_file()

    file.write_text(EXPERIMENT + "seed = 4\n")
    assert ran("run", file, "--runs-dir", runs) == 2
    assert "different: seed" in ran.err


def test_max_cases_runs_a_part(ran: Ran, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(EXPERIMENT)
    assert ran("run", file, "--runs-dir", tmp_path, "--max-cases", 2, "--json") == 0
    assert json.loads(ran.out)["n_cases"] == 2


def test_runs_that_were_not_made_are_exit_code_1(ran: Ran, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text("max_calls = 3\n" + EXPERIMENT)
    assert ran("run", file, "--runs-dir", tmp_path) == 1
    assert "max_calls = 3" in ran.err


def test_a_wrong_experiment_file_is_one_clear_line(ran: Ran, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(EXPERIMENT + "replicats = 2\n")
    assert ran("run", file) == 2
    assert "did you mean 'replicates'" in ran.err
    assert ran.err.count("\n") == 1


def test_a_runs_directory_that_cannot_be_written_is_one_clear_line(ran: Ran, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(EXPERIMENT)
    assert ran("run", file, "--runs-dir", file) == 2
    assert "can't be written" in ran.err
    assert ran.err.count("\n") == 1


def test_a_run_that_is_none_is_told(ran: Ran, tmp_path: Path) -> None:
    assert ran("report", "nowhere", "--runs-dir", tmp_path) == 2
    assert "nowhere is no run" in ran.err


def test_check_resolves_what_a_file_names(ran: Ran, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(EXPERIMENT)
    assert ran("check", file, "--runs-dir", tmp_path, "--json") == 0
    checks = {line["what"]: line for line in json.loads(ran.out)["checks"]}
    assert checks["suite"]["found"] == "3 cases"
    file.write_text(EXPERIMENT.replace("embedded:raster", "embeded:raster"))
    assert ran("check", file, "--runs-dir", tmp_path) == 2
    assert "FAIL names" in ran.out


def test_check_names_a_key_that_is_missing(ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    file = tmp_path / "small.toml"
    file.write_text(EXPERIMENT + 'planner = "openai:gpt-5"\n')
    assert ran("check", file, "--runs-dir", tmp_path) == 2
    assert "export OPENAI_API_KEY" in ran.out


def test_models_lists_providers_with_their_options(ran: Ran) -> None:
    assert ran("models", "--json") == 0
    found = json.loads(ran.out)
    editors = {each["provider"]: each["options"] for each in found["editors"]}
    assert "unparsed" in editors["embedded"]
    assert "quality" in editors["openai"]


def test_a_secret_is_masked_in_an_error(ran: Ran, board: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "OPENAI_API_KEY", "planted-key-0123456789")
    assert ran("edit", board, "--goal", "x", "--planner", "planted-key-0123456789:x") == 2
    assert "planted-key" not in ran.err


def test_suite_export_writes_the_published_layout(ran: Ran, tmp_path: Path) -> None:
    assert ran("suite", "export", "puzzles?count=3&seed=1", tmp_path / "out") == 0
    lines = (tmp_path / "out" / "manifest.jsonl").read_text().splitlines()
    assert len(lines) == 3
    assert all(isinstance(json.loads(line), dict) for line in lines)


@pytest.mark.parametrize(
    ("out", "words"),
    [("x.xyz", "no picture format"), ("folder.png", "is a folder"), ("board.png", "the source itself")],
)
def test_an_output_that_can_not_be_written_is_told_before_the_edit(
    ran: Ran, board: Path, tmp_path: Path, out: str, words: str
) -> None:
    (tmp_path / "folder.png").mkdir()
    before = board.read_bytes()
    target = board if out == "board.png" else tmp_path / out
    assert ran("edit", board, "--goal", "Recolor the red rectangle to blue.", "--out", target) == 2
    assert words in ran.err
    assert board.read_bytes() == before
