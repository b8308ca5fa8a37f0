"""What the page about one's own benchmark shows works as it stands there."""

import json
import re
from pathlib import Path

import pytest

from editplan.evals.cases import Case
from editplan.evals.experiment import parse_experiment
from editplan.evals.judges.registry import resolve_judge
from editplan.evals.suites.jsonl import JsonlSuite
from editplan.store import ImageStore
from tests.evals.suites.trees import picture

PAGE = (Path(__file__).parents[3] / "docs" / "own-benchmark.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_lines_of_the_page_are_cases(tmp_path: Path) -> None:
    picture(tmp_path / "cup.png")
    lines = block("json").strip().splitlines()
    contract = json.loads(lines[1])["contract"]
    (tmp_path / "cup-1.contract.json").write_text(json.dumps(contract))
    (tmp_path / "cups.jsonl").write_text("\n".join(lines))
    cases = list(JsonlSuite(tmp_path / "cups.jsonl").cases(ImageStore()))
    assert [case.case_id for case in cases if isinstance(case, Case)] == ["cup-1", "cup-2"]


def test_the_experiment_of_the_page_resolves_its_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    import tomllib

    monkeypatch.setenv("GEMINI_API_KEY", "key-of-a-test")
    experiment = parse_experiment(tomllib.loads(block("toml")))
    judge = resolve_judge(experiment.judges[0], experiment.judge_options)
    assert "samples=3" in judge.id
