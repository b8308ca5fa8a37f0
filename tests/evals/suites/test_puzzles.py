"""Puzzles: pure functions of seed and number, with an enumerated truth that the checkers confirm."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np
import pytest
from numpy.typing import NDArray

from editplan.errors import DatasetError
from editplan.evals.cases import Case
from editplan.evals.checkers.gate import gate
from editplan.evals.checkers.judging import CheckedOutput, check_output
from editplan.evals.contracts import load_contract
from editplan.evals.solvescore import CaseScore, score_judge_reply
from editplan.evals.suites.puzzles.catalogue import FAMILIES
from editplan.evals.suites.puzzles.puzzle import LEVELS, Puzzle
from editplan.evals.suites.puzzles.suite import PuzzleOptions, PuzzleSuite, as_case
from editplan.pixels.masks import disc, grown
from editplan.store import ImageStore

SEED = 1601
COUNT = 30


@lru_cache(maxsize=1)
def puzzles() -> tuple[Puzzle, ...]:
    """Every family at every difficulty, once."""
    return tuple(PuzzleSuite(PuzzleOptions(count=COUNT, seed=SEED)).puzzles())


def judged(puzzle: Puzzle, output: NDArray[np.uint8]) -> tuple[CheckedOutput, CaseScore]:
    checked = check_output(puzzle.contract, puzzle.source, output)
    return checked, score_judge_reply(puzzle.contract.as_json(), checked.as_reply())


def by_family() -> list[Puzzle]:
    """One case a family, the difficulties mixed."""
    return list(puzzles()[: len(FAMILIES)])


def test_cases_are_dealt_evenly_over_families_and_difficulties() -> None:
    dealt = Counter((puzzle.family, puzzle.difficulty) for puzzle in puzzles())
    assert dealt == {(family, level): 1 for family in FAMILIES for level in LEVELS}


@pytest.mark.parametrize("families", ["recolour,count", "core", "maze"])
def test_any_choice_of_families_is_dealt_evenly(families: str) -> None:
    suite = PuzzleSuite(PuzzleOptions.model_validate({"families": families, "count": 18}))
    dealt = Counter(suite.dealt(index) for index in range(18))
    assert len(dealt) == 3 * len(suite.options.families)
    assert len(set(dealt.values())) == 1


def test_core_is_the_six_families_of_three_regimes() -> None:
    core = PuzzleOptions.model_validate({"families": "core"}).families
    assert Counter(FAMILIES[name].regime for name in core) == {"IS": 2, "SD": 2, "RD": 2}


def test_a_case_depends_on_seed_and_number_alone() -> None:
    suite = PuzzleSuite(PuzzleOptions(count=4, seed=SEED))
    backwards = [suite.puzzle(index) for index in (3, 1, 0)]
    for puzzle, index in zip(backwards, (3, 1, 0), strict=True):
        again = puzzles()[index]
        assert (puzzle.source == again.source).all()
        assert puzzle.goal == again.goal
        assert puzzle.contract == again.contract


def test_another_seed_gives_another_picture() -> None:
    other = PuzzleSuite(PuzzleOptions(count=1, seed=SEED + 1)).puzzle(0)
    assert other.source.shape != puzzles()[0].source.shape or (other.source != puzzles()[0].source).any()


@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda puzzle: puzzle.case_id)
def test_every_admissible_answer_scores_one(puzzle: Puzzle) -> None:
    for step in puzzle.solutions:
        checked, score = judged(puzzle, step.picture)
        failed = [(atom.id, atom.verdict, atom.reason) for atom in checked.atoms if atom.verdict != "pass"]
        assert not failed, step.name
        assert score.score == 1.0


@pytest.mark.parametrize("puzzle", puzzles()[10:20], ids=lambda puzzle: puzzle.case_id)
def test_an_untouched_copy_solves_nothing_and_damages_nothing(puzzle: Puzzle) -> None:
    _, score = judged(puzzle, puzzle.source)
    assert (score.gate, score.required, score.damage, score.n_abstained) == ("pass", 0.0, 0.0, 0)


@pytest.mark.parametrize("puzzle", by_family(), ids=lambda puzzle: puzzle.family)
def test_a_wrong_transition_scores_less_than_a_right_one(puzzle: Puzzle) -> None:
    for step in puzzle.errors[-2:]:
        _, score = judged(puzzle, step.picture)
        assert score.score < 1.0, step.name


@pytest.mark.parametrize("puzzle", by_family()[::2] + by_family()[7:8], ids=lambda puzzle: puzzle.family)
def test_vandalism_passes_the_gate_and_is_damage(puzzle: Puzzle) -> None:
    solved = puzzle.solutions[0].picture
    for name, vandalised in vandalisms(puzzle, solved).items():
        _, score = judged(puzzle, vandalised)
        assert score.gate == "pass", name
        assert score.damage > 0, name
        assert score.score < 1, name


def vandalisms(puzzle: Puzzle, solved: NDArray[np.uint8]) -> dict[str, NDArray[np.uint8]]:
    """The answer with a stain, with a recoloured background, and with another object moved."""
    height, width = solved.shape[:2]
    outside = ~puzzle.editable
    stained = solved.copy()
    rows, columns = np.nonzero(outside[14:-14, 14:-14])
    at = len(rows) // 3
    stained[disc((width, height), (int(columns[at]) + 14, int(rows[at]) + 14), 11) & outside] = (200, 30, 160)
    ground = np.median(puzzle.source.reshape(-1, 3), axis=0)
    is_ground = (np.abs(solved.astype(int) - ground) <= 16).all(axis=-1) & outside
    repainted = solved.copy()
    repainted[is_ground] = np.clip(solved[is_ground].astype(int) * 0.8 + 20, 0, 255).astype(np.uint8)
    step = puzzle.solutions[0]
    bystander = next(f for f in step.source.figures if f in step.target.figures)
    moved = solved.copy()
    mask = bystander.mask((width, height))
    pixels = solved[mask]
    moved[mask] = ground
    rows, columns = np.nonzero(mask)
    shift = -9 if bystander.centre[0] > width // 2 else 9
    moved[rows, np.clip(columns + shift, 0, width - 1)] = pixels
    return {"stain": stained, "background": repainted, "moved": moved}


def test_outputs_of_other_cases_fail_the_gate() -> None:
    cases = puzzles()
    failed = 0
    for index, puzzle in enumerate(cases):
        other = cases[(index + 7) % len(cases)].solutions[0].picture
        failed += gate(puzzle.contract, puzzle.source, other).status == "fail"
    assert failed >= 0.95 * len(cases)


@pytest.mark.parametrize("puzzle", by_family(), ids=lambda puzzle: puzzle.family)
def test_a_contract_has_about_ten_atoms_in_several_groups_of_both_roles(puzzle: Puzzle) -> None:
    contract = load_contract(puzzle.contract.as_json())
    atoms = list(contract.atoms())
    assert 8 <= len(atoms) <= 16
    for role in ("required", "protected"):
        groups = [group for group in contract.criterion_groups if group.role == role]
        assert len(groups) >= 3
        assert len({group.property for group in groups}) >= 2
    assert all(atom.check is not None for _, atom in atoms)
    assert not contract.warnings()


@pytest.mark.parametrize("puzzle", by_family()[4:9:2], ids=lambda puzzle: puzzle.family)
def test_every_protected_atom_can_fail_while_all_required_ones_pass(puzzle: Puzzle) -> None:
    """Each protected region is damaged alone; canvas and ground are damaged by a stain of their own."""
    solved = puzzle.solutions[0].picture
    failed: set[str] = set()
    required = {atom.id for group, atom in puzzle.contract.atoms() if group.role == "required"}
    for _, output in single_damages(puzzle, solved):
        checked, _ = judged(puzzle, output)
        verdicts = {atom.id: atom.verdict for atom in checked.atoms}
        if all(verdicts[name] == "pass" for name in required):
            failed |= {name for name, verdict in verdicts.items() if verdict in ("fail", "partial")}
    protected = {atom.id for group, atom in puzzle.contract.atoms() if group.role == "protected"}
    assert protected - failed <= {"canvas", "other_box_empty", "other_twin_kept", "odd_kept"}


def single_damages(puzzle: Puzzle, solved: NDArray[np.uint8]) -> list[tuple[str, NDArray[np.uint8]]]:
    """The answer with one kind of thing, one look or a piece of the ground painted over."""
    scene = puzzle.solutions[0].source
    things = scene.mask(*scene.things)
    looks = {(type(thing), thing.rgb, getattr(thing, "kind", "")) for thing in scene.things}
    places = {
        str(look): scene.mask(*(t for t in scene.things if (type(t), t.rgb, getattr(t, "kind", "")) == look))
        for look in looks
    }
    places["halo"] = grown(puzzle.editable, 9) & ~grown(puzzle.editable, 2) & ~grown(things, 2)
    places["corner"] = np.zeros_like(things)
    places["corner"][:20, :20] = True
    outputs = []
    for name, place in places.items():
        spoilt = solved.copy()
        spoilt[place & ~puzzle.editable] = (120, 200, 40)
        outputs.append((name, spoilt))
    return outputs


def test_at_least_two_families_have_several_admissible_answers() -> None:
    several = {puzzle.family for puzzle in puzzles() if len(puzzle.solutions) > 1}
    assert len(several) >= 2


def test_each_case_enumerates_at_least_three_wrong_transitions_that_differ() -> None:
    for puzzle in puzzles():
        assert len(puzzle.errors) >= 3
        for step in puzzle.errors:
            assert step.changed.any(), (puzzle.case_id, step.name)
            for right in puzzle.solutions:
                assert (step.picture != right.picture).any(), (puzzle.case_id, step.name)


def test_hard_scenes_are_textured_and_easy_ones_are_flat() -> None:
    colours: dict[str, list[int]] = {level: [] for level in LEVELS}
    for puzzle in puzzles():
        colours[puzzle.difficulty].append(len(np.unique(puzzle.source.reshape(-1, 3)[::11], axis=0)))
    assert max(colours["easy"]) < 20
    assert min(colours["hard"]) > 200


def test_a_case_shows_the_conditions_nothing_but_picture_and_goal() -> None:
    images = ImageStore()
    case = as_case(puzzles()[0], images)
    assert isinstance(case, Case)
    assert case.request.goal == puzzles()[0].goal
    assert set(case.request.model_fields_set) == {"case_id", "parts", "goal", "language"}
    assert (images[case.request.parts[0].media.sha256].array() == puzzles()[0].source).all()
    assert case.oracle is not None
    assert "%" in case.oracle.final_state


def test_goals_never_name_coordinates() -> None:
    assert not any("%" in puzzle.goal for puzzle in puzzles())


def test_a_puzzle_is_found_again_by_its_case_id() -> None:
    suite = PuzzleSuite(PuzzleOptions(count=COUNT, seed=SEED))
    assert (suite.puzzle_of(puzzles()[4].case_id).source == puzzles()[4].source).all()
    with pytest.raises(DatasetError, match="is no case of puzzles"):
        suite.puzzle_of("puzzle-1-0004-count-easy")
