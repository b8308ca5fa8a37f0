"""Judges that are code."""

from __future__ import annotations

import numpy as np
import pytest

from editplan.errors import ConfigError, JudgeError
from editplan.evals.cases import Case
from editplan.evals.judges.checkers import CheckersJudge
from editplan.evals.judges.pixels import PixelsJudge
from editplan.evals.judges.registry import resolve_judge
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.suites import resolve_suite
from editplan.evals.suites.puzzles.making import make_puzzle
from editplan.evals.suites.puzzles.suite import as_case
from editplan.records import Media
from editplan.store import ImageStore


def task(case: Case, output: Media | None) -> JudgeTask:
    return JudgeTask(
        source=case.request.parts,
        output=output,
        goal=case.request.goal,
        contract=case.contract,
        reference=case.reference,
    )


async def checked(output: str) -> Verdicts:
    puzzle, images = make_puzzle(21, 0, "move", "easy"), ImageStore()
    pictures = {"right": puzzle.solutions[0].picture, "copy": puzzle.source, "blank": np.full_like(puzzle.source, 9)}
    media = images.add_array(pictures[output]) if output in pictures else None
    return await CheckersJudge().judge(task(as_case(puzzle, images), media), images)


async def test_a_right_output_scores_one_with_evidence_for_every_atom() -> None:
    verdicts = await checked("right")
    assert (verdicts.status, verdicts.score, verdicts.gate) == ("scored", 1.0, "pass")
    assert (verdicts.required, verdicts.damage, verdicts.coverage) == (1.0, 0.0, 1.0)
    assert verdicts.atoms
    assert all(atom.evidence for atom in verdicts.atoms)
    assert any(atom.box for atom in verdicts.atoms)
    assert set(verdicts.diagnostics.values()) == {1.0}


async def test_a_copy_scores_nothing_without_damage() -> None:
    verdicts = await checked("copy")
    assert (verdicts.score, verdicts.required, verdicts.damage, verdicts.gate) == (0.0, 0.0, 0.0, "pass")


async def test_a_blank_output_fails_the_gate_and_says_why() -> None:
    verdicts = await checked("blank")
    assert (verdicts.score, verdicts.gate) == (0.0, "fail")
    assert "the output is blank" in verdicts.notes


async def test_a_missing_output_scores_zero() -> None:
    verdicts = await checked("missing")
    assert (verdicts.status, verdicts.score, verdicts.required, verdicts.damage) == ("missing_output", 0.0, 0.0, None)


async def test_pixels_compares_with_the_reference() -> None:
    images = ImageStore()
    (case,) = resolve_suite("paintbench:sample?tasks=removal").cases(images)
    assert isinstance(case, Case)
    right = await PixelsJudge().judge(task(case, case.reference), images)
    copy = await PixelsJudge().judge(task(case, case.request.parts[0].media), images)
    missing = await PixelsJudge().judge(task(case, None), images)
    assert right.score == 1.0
    assert copy.score is not None
    assert copy.score < 0.2
    assert copy.diagnostics["preservation_accuracy"] == 1.0
    assert (missing.status, missing.score) == ("missing_output", 0.0)


@pytest.mark.parametrize("spec", ["checkers", "pixels"])
async def test_a_judge_without_what_it_judges_by_says_so(spec: str) -> None:
    judge, images = resolve_judge(spec), ImageStore()
    case = as_case(make_puzzle(21, 0, "move", "easy"), images).model_copy(update={"contract": None})
    assert judge.id.startswith(f"{spec}@")
    with pytest.raises(JudgeError, match="this case has none"):
        await judge.judge(task(case, None), images)


def test_an_unknown_judge_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="no such judge; the judges that are code are checkers, pixels"):
        resolve_judge("checker")
    with pytest.raises(ConfigError, match="takes neither a model nor options"):
        resolve_judge("pixels?threshold=3")
