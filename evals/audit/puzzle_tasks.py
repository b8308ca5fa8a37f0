"""Audit tasks on `puzzles`: right, wrong, missing and damaging outputs whose truth is computed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
from numpy.typing import NDArray

from editplan.evals.audit.damage import plant
from editplan.evals.audit.noops import compressed
from editplan.evals.audit.tasks import AtomTruth, AuditTask, true_score
from editplan.evals.checkers.judging import check_output
from editplan.evals.judging import JudgeTask
from editplan.evals.suites.puzzles.puzzle import Puzzle
from editplan.evals.suites.puzzles.suite import PuzzleOptions, PuzzleSuite
from editplan.records import Part
from editplan.store import ImageStore

Picture = NDArray[np.uint8]

RENDERED_QUALITY = 92
"""The judge sees outputs after one JPEG encoding, as editors return them; truth is computed on exact pixels."""
DAMAGE_SIZES = (0.03, 0.06, 0.12)


def puzzle_tasks(count: int, seed: int, images: ImageStore) -> Iterator[AuditTask]:
    """Up to five outputs of each of `count` puzzles: right, two wrong ones, the source, right but damaged."""
    for puzzle in PuzzleSuite(PuzzleOptions(count=count, seed=seed)).puzzles():
        yield from _tasks_of(puzzle, images, Random(f"{seed} {puzzle.case_id}"))


def _tasks_of(puzzle: Puzzle, images: ImageStore, rng: Random) -> Iterator[AuditTask]:
    right = rng.choice(puzzle.solutions)
    yield _task(puzzle, "solution", right.picture, images)
    for wrong in rng.sample(puzzle.errors, min(2, len(puzzle.errors))):
        yield _task(puzzle, "error", wrong.picture, images)
    yield _task(puzzle, "untouched", puzzle.source, images)
    size = rng.choice(DAMAGE_SIZES)
    side = round(size * min(puzzle.source.shape[:2]))
    planted = plant(right.picture, rng.choice(("removed", "recoloured")), side, ~puzzle.editable, rng)
    if planted is not None:
        yield _task(puzzle, "damaged", planted.after, images, size)


def _task(puzzle: Puzzle, kind: str, output: Picture, images: ImageStore, size: float | None = None) -> AuditTask:
    verdicts = {each.id: each.verdict for each in check_output(puzzle.contract, puzzle.source, output).atoms}
    truth = tuple(
        AtomTruth(id=atom.id, role=group.role, property=group.property, verdict=verdicts[atom.id])
        for group, atom in puzzle.contract.atoms()
        if verdicts[atom.id] != "abstain"
    )
    broken = any(each.role == "protected" and each.verdict != "pass" for each in truth)
    source = images.add_array(puzzle.source)
    # The id of a puzzle names its family, which a judge has no need to know.
    contract = puzzle.contract.model_copy(update={"case_id": "", "case_family": "", "task_family": ""})
    return AuditTask(
        part="puzzles",
        unit=puzzle.scene_group,
        kind=kind,
        size=size,
        damaged=kind == "damaged" and broken,
        regime=puzzle.regime,
        truth=truth,
        score=true_score(puzzle.contract, verdicts),
        task=JudgeTask(
            source=(Part(media=source),),
            output=images.add_array(compressed(output, RENDERED_QUALITY)),
            goal=puzzle.goal,
            contract=contract,
        ),
    )
