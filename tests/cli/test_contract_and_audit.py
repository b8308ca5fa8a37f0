"""`editplan contract lint` and `editplan judge-audit`: exit codes and one JSON document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from editplan.cli.app import app
from editplan.errors import ConfigError
from editplan.evals.suites.puzzles.suite import PuzzleOptions, PuzzleSuite


def test_lint_passes_a_good_contract_and_fails_a_broken_one(tmp_path: Path) -> None:
    puzzle = next(PuzzleSuite(PuzzleOptions(count=1, families="recolour")).puzzles())
    good, broken = tmp_path / "good.json", tmp_path / "broken.json"
    good.write_text(json.dumps(puzzle.contract.as_json()))
    broken.write_text('{"schema_version": "solveedit.atomic_contract.v3", "criterion_groups": []}')
    passed = CliRunner().invoke(app, ["contract", "lint", str(good)])
    assert passed.exit_code == 0
    assert "nothing to remark" in passed.stdout
    failed = CliRunner().invoke(app, ["contract", "lint", str(good), str(broken), "--json"])
    assert failed.exit_code == 1
    documents = json.loads(failed.stdout)
    assert [document["ok"] for document in documents] == [True, False]
    assert sum(weight["weight"] for weight in documents[0]["weights"]) == pytest.approx(2.0)


def test_a_draft_needs_a_vision_model(tmp_path: Path) -> None:
    asked = ["contract", "draft", str(tmp_path / "x.png"), "--goal", "x", "--planner", "embedded"]
    result = CliRunner().invoke(app, asked)
    assert isinstance(result.exception, ConfigError)


def test_an_audit_prints_one_document_and_writes_a_page(tmp_path: Path) -> None:
    asked = ["judge-audit", "--judge", "checkers", "--puzzles", "1", "--max-tasks", "2", "--json"]
    result = CliRunner().invoke(app, [*asked, "--out", str(tmp_path / "audit")])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["statuses"] == {"scored": 2}
    assert (tmp_path / "audit" / "index.html").is_file()
