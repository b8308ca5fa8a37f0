"""Attribution of a run: pixel truth for puzzles, an estimate by the oracle arm elsewhere; lines add up to N."""

from pathlib import Path

import pytest

from editplan.evals.attributing import CACHE_FILE, attribution_of
from editplan.evals.cases import Case
from editplan.evals.experiment import parse_experiment
from editplan.evals.judging import Verdicts
from editplan.evals.rows import RunKey
from editplan.evals.run import load_run
from editplan.evals.suites.puzzles.stated import stated_transition
from editplan.evals.suites.puzzles.suite import PuzzleOptions, PuzzleSuite
from editplan.evals.summary import summarise
from editplan.records import Outcome, Plan, Status
from editplan.store import ImageStore
from editplan.testing.evaluation import TinySuite
from editplan.testing.runs import Made, write_run

OPTIONS = PuzzleOptions(count=4, seed=5, families=("recolour", "remove"), difficulty=("easy",))
SCORED = Verdicts(status="scored", score=1.0, required=1.0, damage=0.0, coverage=1.0, gate="pass")


async def test_outputs_are_crossed_with_their_plans_and_add_up(tmp_path: Path) -> None:
    suite, images = PuzzleSuite(OPTIONS), ImageStore(tmp_path / "puzzles" / "images")
    puzzles = list(suite.puzzles())

    def make(case: Case, key: RunKey) -> Made:
        at = [puzzle.case_id for puzzle in puzzles].index(case.case_id)
        puzzle = puzzles[at]
        if at == 3:
            return Outcome(status=Status.AGENT_FAILED), Verdicts(status="missing_output", score=0.0)
        planned, drawn = [(0, 0), (0, 1), (1, 0)][at]
        steps = (puzzle.solutions[0], puzzle.errors[0])
        plan = Plan(instruction=steps[planned].words) if key.condition == "plan" else None
        return Outcome(status=Status.OK, media=images.add_array(steps[drawn].picture), plan=plan), SCORED

    names = {
        "name": "puzzles",
        "suite": suite.id,
        "conditions": ["direct", "plan"],
        "editors": ["e"],
        "judges": ["j"],
    }
    run = await write_run(tmp_path / "puzzles", parse_experiment(names), suite, make)
    found = attribution_of(run)
    assert found is not None
    assert found.kind == "enumerated"
    direct, plan = found.arms
    assert direct.realised == {"invalid": 1, "no_output": 1, "valid": 2}
    assert plan.by_plan == {
        "admissible": {"invalid": 1, "valid": 1},
        "inadmissible": {"valid": 1},
        "no_plan": {"no_output": 1},
    }
    for arm in found.arms:
        assert sum(arm.realised.values()) == arm.n == 4
        assert sum(count for counts in arm.by_plan.values() for count in counts.values()) == 4
    assert (run.folder / CACHE_FILE).is_file()
    summary = summarise(load_run(run.folder))
    assert summary["attribution"] == found.model_dump(mode="json")


@pytest.mark.parametrize("index", range(10))
def test_every_enumerated_transition_is_read_from_its_own_words(index: int) -> None:
    puzzle = PuzzleSuite(PuzzleOptions(count=10, seed=31)).puzzle(index)
    for step in puzzle.transitions:
        found = stated_transition(step.words, puzzle.transitions)
        assert found.standing == ("admissible" if step.admissible else "inadmissible"), (step.words, found)


def test_what_states_nothing_is_unreadable_and_another_act_is_unlisted() -> None:
    puzzle = PuzzleSuite(OPTIONS).puzzle(0)
    assert stated_transition("Make it nicer.", puzzle.transitions).standing == "unreadable"
    elsewhere = puzzle.solutions[0].words.replace("Recolor", "Remove")
    assert stated_transition(elsewhere, puzzle.transitions).standing == "unlisted"


async def test_without_enumerated_truth_the_oracle_arm_gives_an_estimate(tmp_path: Path) -> None:
    scores = {"direct": (1, 0, 0, 0), "oracle:raw": (1, 1, 0, 1)}

    def make(case: Case, key: RunKey) -> Made:
        at = int(case.case_id[-3:])
        if (at, key.condition) == (3, "direct"):
            return Outcome(status=Status.OK), Verdicts(status="judge_refused")
        score = float(scores[key.condition][at])
        return Outcome(status=Status.OK, media=case.request.parts[0].media), SCORED.model_copy(
            update={"score": score}
        )

    names = {"name": "t", "suite": "tiny", "conditions": list(scores), "editors": ["e"], "judges": ["j"]}
    run = await write_run(tmp_path / "t", parse_experiment(names), TinySuite(4), make)
    found = attribution_of(run)
    assert found is not None
    assert found.kind == "estimate"
    assert found.arms[0].realised == {"execution_limited": 1, "passed": 1, "recovery_limited": 1, "unknown": 1}


async def test_a_run_of_which_nobody_can_tell_has_none(tmp_path: Path) -> None:
    names = {"name": "t", "suite": "tiny", "conditions": ["direct"], "editors": ["e"], "judges": ["j"]}
    run = await write_run(tmp_path / "t", parse_experiment(names), TinySuite(2), lambda case, key: None)
    assert attribution_of(run) is None
    assert summarise(run)["attribution"] is None
