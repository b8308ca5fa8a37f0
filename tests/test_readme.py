"""What the documents show is run as it stands."""

import re
import runpy
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from editplan.cli import main
from editplan.evals.experiment import parse_experiment
from editplan.planner.conditions.registry import resolve_condition

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("README.md", "docs/experiments.md")


def blocks(name: str, language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    import numpy as np
    import PIL.Image

    pixels = np.full((200, 200, 3), 255, np.uint8)
    pixels[60:120, 50:110] = (255, 0, 0)
    PIL.Image.fromarray(pixels).save(tmp_path / "board.png")
    # Two of its cases are enough to see that it runs.
    (tmp_path / "experiment.toml").write_text("max_cases = 2\n" + blocks("README.md", "toml")[0])
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("document", DOCUMENTS)
def test_experiment_files_are_valid(document: str) -> None:
    for block in blocks(document, "toml"):
        experiment = parse_experiment(tomllib.loads(block))
        for name in experiment.conditions:
            assert resolve_condition(name).id == name


def test_commands_end_well(
    workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = [line for block in blocks("README.md", "console") for line in block.splitlines()]
    ours = [command for command in commands if command.startswith("editplan ")]
    assert len(ours) >= 5
    for command in ours:
        monkeypatch.setattr(sys, "argv", shlex.split(command, comments=True))
        assert _exit_code() == 0, f"{command}: {capsys.readouterr().err}"
    assert (workplace / "solved.png").is_file()
    assert (workplace / "runs" / "plan-vs-rewrite" / "report" / "index.html").is_file()


def _exit_code() -> object:
    try:
        main()
    except SystemExit as ended:
        return ended.code or 0
    return 0


def test_make_targets_exist() -> None:
    targets = [
        line.split()[1] for block in blocks("README.md", "console") for line in block.splitlines() if "make " in line
    ]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert targets
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_python_runs(workplace: Path, document: str) -> None:
    for block in blocks(document, "python"):
        script = workplace / "script.py"
        script.write_text(block)
        runpy.run_path(str(script))


def test_the_table_names_conditions_with_their_budgets() -> None:
    rows = re.findall(
        r"^\| (`.+?) \| (\d) \| (\d) \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rows) >= 12
    for cell, agent_calls, generations in rows:
        names = re.findall(r"`([^`]+)`", cell)
        for name in names:
            condition = resolve_condition(f"plan{name}" if name.startswith(":") else name)
            assert (condition.budget.agent_calls, condition.budget.generations) == (
                int(agent_calls),
                int(generations),
            ), name


def test_linked_files_exist() -> None:
    for document in DOCUMENTS:
        folder = (ROOT / document).parent
        for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / document).read_text(encoding="utf-8")):
            assert (folder / target).is_file(), target
