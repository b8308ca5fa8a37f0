"""Specs of suites."""

from __future__ import annotations

import subprocess
import sys

import pytest

from editplan.errors import ConfigError, SpecError
from editplan.evals.suites import resolve_suite
from editplan.evals.suites.puzzles.suite import PuzzleSuite


def test_a_spec_with_options_names_a_suite() -> None:
    suite = resolve_suite("puzzles?count=3&seed=9&families=core&difficulty=easy,hard")
    assert isinstance(suite, PuzzleSuite)
    assert (suite.options.count, suite.options.seed) == (3, 9)
    assert len(suite.options.families) == 6
    assert suite.options.difficulty == ("easy", "hard")
    assert suite.metric == "solvescore"


def test_the_id_is_a_spec_of_the_same_suite() -> None:
    suite = resolve_suite("puzzles?count=5&families=maze,count")
    assert resolve_suite(suite.id).id == suite.id


def test_an_unknown_suite_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"no suite 'puzzle'; known: .*paintbench.*puzzles.*solveedit"):
        resolve_suite("puzzle?count=3")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("puzzles?counts=3", "unknown option 'counts'; puzzles knows: count, difficulty, families, seed"),
        ("puzzles?families=recolor", "unknown family 'recolor'; known: recolour"),
        ("puzzles?difficulty=insane", "unknown difficulty 'insane'; known: easy, medium, hard"),
        ("puzzles?count=0", "greater than or equal to 1"),
        ("jsonl:file?x=1", "unknown option 'x'; jsonl knows: none"),
        ("paintbench:sample?task=removal", "unknown option 'task'; paintbench knows: tasks"),
    ],
)
def test_an_unknown_option_lists_the_known_ones(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        resolve_suite(spec)


@pytest.mark.parametrize("spec", ["paintbench", "jsonl", "solveedit"])
def test_a_missing_path_is_asked_for(spec: str) -> None:
    with pytest.raises(ConfigError, match="is followed by"):
        resolve_suite(spec)


def test_importing_the_registry_loads_no_picture_library() -> None:
    code = (
        "import sys, editplan.evals.suites.registry, editplan.evals.judges.registry;"
        "print([name for name in ('cv2', 'numpy', 'PIL', 'scipy') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
