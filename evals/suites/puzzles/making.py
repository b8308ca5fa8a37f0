"""`make_puzzle`: one case as a pure function of seed, index, family and difficulty."""

from __future__ import annotations

from random import Random

from editplan.evals.contracts import Contract, ManualFacts
from editplan.evals.suites.puzzles.atoms import region
from editplan.evals.suites.puzzles.catalogue import FAMILIES, Family
from editplan.evals.suites.puzzles.layout import SIZES, NoRoom, Table
from editplan.evals.suites.puzzles.palette import draw_palette
from editplan.evals.suites.puzzles.puzzle import LEVELS, Difficulty, Draw, Puzzle, Sketch, union_editable
from editplan.planner.hints import OracleSpec

_ATTEMPTS = 200


def make_puzzle(seed: int, index: int, family: str, difficulty: Difficulty) -> Puzzle:
    """The case with that number. A drawing for which the canvas has no room is drawn again from the next stream."""
    kind = FAMILIES[family]
    for attempt in range(_ATTEMPTS):
        rng = Random(f"editplan puzzles {seed} {index} {family} {difficulty} {attempt}")
        try:
            return _finished(seed, index, kind, difficulty, kind.sketch(_draw(rng, difficulty)))
        except NoRoom:
            continue
    raise AssertionError(f"{family}, {difficulty}: no drawing fits in {_ATTEMPTS} attempts")


def _draw(rng: Random, difficulty: Difficulty) -> Draw:
    level = LEVELS.index(difficulty)
    palette = draw_palette(rng, dark=level > 0 and rng.random() < 0.25)
    sizes = SIZES if level < 2 else SIZES[2:]
    grain = rng.randrange(2**31) if level == 2 else None
    return Draw(rng, difficulty, palette, Table(rng, rng.choice(sizes)), grain)


def _finished(seed: int, index: int, kind: Family, difficulty: Difficulty, sketch: Sketch) -> Puzzle:
    case_id = f"puzzle-{seed}-{index:04d}-{kind.name}-{difficulty}"
    editable = union_editable(sketch.solutions)
    contract = Contract(
        case_id=case_id,
        case_family=kind.name,
        task_family="puzzles",
        instruction=sketch.goal,
        intended_final_state=sketch.state,
        manual_facts=ManualFacts(
            intended_final_state=sketch.state,
            allowed_changes=tuple(step.words for step in sketch.solutions),
            forbidden_changes=("any other change",),
        ),
        criterion_groups=(*sketch.required, *sketch.protected),
        editable=region(editable),
    )
    return Puzzle(
        case_id=case_id,
        family=kind.name,
        difficulty=difficulty,
        regime=kind.regime,
        domain=kind.domain,
        scene_group=f"puzzle-scene-{seed}-{index:04d}",
        goal=sketch.goal,
        source=sketch.source.picture,
        transitions=(*sketch.solutions, *sketch.errors),
        contract=contract,
        oracle=OracleSpec(final_state=sketch.solutions[0].words, boxes=sketch.boxes),
        editable=editable,
    )
