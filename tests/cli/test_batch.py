"""`editplan batch` and `editplan edit` with a region: lines, resuming, and exact words for what is wrong."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

from editplan.errors import ConfigError
from editplan.planner.goals import read_goals

Command = Any
"""The fixture of conftest: called with arguments, it returns the exit code and keeps `out` and `err`."""
GOAL = "Recolor the red square to blue."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pixels = np.full((200, 200, 3), 255, np.uint8)
    pixels[60:120, 50:110] = (255, 0, 0)
    for name in ("board.png", "bréd, two.png"):
        PIL.Image.fromarray(pixels).save(tmp_path / name)
    return tmp_path


def goals(folder: Path, text: str, *, encoding: str = "utf-8") -> Path:
    path = folder / "goals.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_bom_crlf_quotes_and_masks_are_read(folder: Path) -> None:
    text = f'image,goal,mask\r\nboard.png,{GOAL},\r\n"bréd, two.png","Paint it, all of it.",board.png\r\n\r\n'
    first, second = read_goals(goals(folder, text, encoding="utf-8-sig"))
    assert (first.line, first.goal, first.mask) == (2, GOAL, None)
    assert (second.line, second.goal, second.mask) == (3, "Paint it, all of it.", folder / "board.png")
    assert first.name != second.name
    (only,) = read_goals(goals(folder, f"Image;Goal\nboard.png;{GOAL}\n"))
    assert only.goal == GOAL


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("picture,goal\nboard.png,x\n", "line 1: the column 'image' is missing"),
        ("image,goal,color\nboard.png,x,y\n", "line 1: unknown column 'color'"),
        ("image,goal\nboard.png,\nabsent.png,x\n", r"line 2: goal is empty; line 3: .*absent\.png: No such file"),
        ("image,goal\nboard.png,a, b\n", "line 2: more fields than columns"),
        ("image,goal\ngoals.csv,x\n", r"line 2: .*goals\.csv is no PNG"),
        ("image,goal\n", "no line below its head"),
        ('image,goal\nboard.png,"x\n', "line 2: .*check the quotes"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(folder: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read_goals(goals(folder, text))


def test_a_batch_makes_each_line_once_and_goes_on(folder: Path, command: Command) -> None:
    path = goals(folder, f'image,goal\nboard.png,{GOAL}\n"bréd, two.png",Recolor the red square to green.\n')
    out = folder / "out"
    assert command("batch", path, "--out", out, "--json") == 0
    done = json.loads(command.out)
    assert [line["status"] for line in done["lines"]] == ["ok", "ok"]
    with PIL.Image.open(done["lines"][0]["output"]) as picture:
        assert picture.convert("RGB").getpixel((80, 90)) == (0, 0, 255)
    sheet = (out / "sheet.html").read_text(encoding="utf-8")
    assert sheet.count("<figure") == 2
    assert sheet.count("data:image/jpeg") == 4
    assert "http" not in sheet.replace("http-equiv", "")
    rows = list(csv.DictReader((out / "results.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["line"] for row in rows] == ["2", "3"]
    calls = (out / "run" / "run.sqlite").stat().st_size
    assert command("batch", path, "--out", out) == 0
    assert "2 ok" in command.out
    assert (out / "run" / "run.sqlite").stat().st_size <= calls * 2


def test_a_picture_that_is_damaged_spoils_only_its_line(folder: Path, command: Command) -> None:
    (folder / "cut.png").write_bytes((folder / "board.png").read_bytes()[:120])
    path = goals(folder, f"image,goal\ncut.png,{GOAL}\nboard.png,{GOAL}\n")
    assert command("batch", path, "--out", folder / "out", "--json") == 1
    cut, board = json.loads(command.out)["lines"]
    assert (cut["status"], board["status"]) == ("invalid", "ok")
    assert "line 2" in cut["notes"][0]
    assert "truncated" in cut["notes"][0]


def test_edit_takes_a_region_and_keeps_the_rest(folder: Path, command: Command) -> None:
    out = folder / "out.png"
    arguments = ("edit", folder / "board.png", "--goal", GOAL, "--out", out, "--region", "0.2,0.2,0.6,0.7")
    assert command(*arguments, "--deadline", "600", "--max-cost", "1", "--json") == 0
    document = json.loads(command.out)
    assert document["preservation"]["changed_outside"] == 0.0
    assert out.is_file()
    assert command(*arguments[:-1], "0.2,0.2") == 2
    assert "--region" in command.err


def test_a_ceiling_on_cost_needs_a_price(folder: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "emulated-key")
    arguments = ("edit", folder / "board.png", "--goal", GOAL, "--condition", "direct", "--max-cost", "1")
    assert command(*arguments, "--editor", "openai:model-of-tomorrow") == 2
    assert "price of openai:model-of-tomorrow is unknown" in command.err
    assert "--prices" in command.err
