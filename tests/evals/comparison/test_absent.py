"""Undecided atoms are bounded both ways, by the contract's own weights."""

from pathlib import Path

import pytest

from editplan.evals.cases import Case
from editplan.evals.comparison.absent import pair_bounds
from editplan.evals.comparison.arms import Measured
from editplan.evals.experiment import parse_experiment
from editplan.evals.judging import Verdicts
from editplan.evals.rows import RunKey
from editplan.evals.solvescore import required_and_damage, solve_score, weighted_atoms
from editplan.evals.suites.puzzles.suite import PuzzleOptions, PuzzleSuite
from editplan.evals.verdicts import AtomVerdict, Verdict
from editplan.records import Outcome, Status
from editplan.testing.runs import Made, write_run


def verdicts_of(case: Case, undecided: Verdict) -> tuple[list[AtomVerdict], float]:
    """Every atom passes but the first, which is `undecided`; and the score that this gives."""
    assert case.contract is not None
    atoms = weighted_atoms(case.contract.as_json())
    words: list[Verdict] = [undecided, *["pass"] * (len(atoms) - 1)]  # type: ignore[list-item]
    found = [AtomVerdict(id=atom.id, verdict=word) for atom, word in zip(atoms, words, strict=True)]
    return found, solve_score(*required_and_damage(atoms, words))


async def test_undecided_atoms_could_have_passed_or_failed(tmp_path: Path) -> None:
    suite = PuzzleSuite(PuzzleOptions(count=2, seed=5, families=("recolour",), difficulty=("easy",)))

    def make(case: Case, key: RunKey) -> Made:
        atoms, score = verdicts_of(case, "abstain" if key.condition == "plan" else "pass")
        scored = {"status": "scored", "score": score, "required": score, "damage": 0.0, "gate": "pass"}
        outcome = Outcome(status=Status.OK, media=case.request.parts[0].media)
        return outcome, Verdicts.model_validate({**scored, "atoms": atoms})

    names = {"conditions": ["direct", "plan"], "editors": ["e"], "judges": ["j"]}
    run = await write_run(tmp_path, parse_experiment({"name": "x", "suite": suite.id, **names}), suite, make)
    found = pair_bounds(Measured(run, "j"), "plan", "direct", "e")
    assert found is not None
    assert (found.n, found.missing, found.abstained) == (2, 0, 2)
    assert found.absence[0] == found.absence[1]
    failed = [verdicts_of(case, "fail")[1] - 1.0 for case in run.cases]
    assert found.abstention == pytest.approx((sum(failed) / 2, 0.0))
    assert failed[0] < 0
