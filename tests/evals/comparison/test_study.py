"""The intervention study of a run that holds T, D, H, O and the perception stage."""

import pytest

from editplan.evals.comparison.study import study_run
from tests.evals.comparison.conftest import Making, number

ARMS = ["describe", "text_answer", "direct", "text_thinking:raw", "oracle:raw"]


def scores(at: int, condition: str, replicate: int) -> float:
    """Of 24 items: all seen, 12 solved in words; O draws 18, D 6 (its second draw 8), H 12."""
    limits = {"describe": 24, "text_answer": 12, "oracle:raw": 18, "text_thinking:raw": 12}
    limit = limits.get(condition, 6 + 2 * replicate)
    return 100.0 if at < limit else 20.0


async def test_effects_gap_noise_floor_and_cascade(run_of: Making) -> None:
    run = await run_of(
        lambda case, key: scores(number(case), key.condition, key.replicate),
        conditions=ARMS,
        metric="rubric",
        replicates=2,
    )
    (found,) = study_run(run)
    assert found.pass_mark == 60.0
    assert found.oracle_minus_direct is not None
    assert found.thinking_minus_direct is not None
    assert found.oracle_minus_direct.delta == pytest.approx(80 * (18 - 7) / 24)
    assert found.thinking_minus_direct.delta == pytest.approx(80 * (12 - 7) / 24)
    assert found.gap is not None
    assert found.gap.share == pytest.approx(6 / 24)
    assert found.gap.noise_floor == pytest.approx(2 / 24)
    assert found.gap.above_floor is not None
    assert found.gap.above_floor.delta == pytest.approx(4 / 24)
    assert found.cascade is not None
    assert [(stage.passed, stage.reached) for stage in found.cascade.stages] == [(24, 24), (12, 24), (12, 12)]
    assert found.cascade.bottleneck == "reasoning"


async def test_without_replicates_the_floor_is_not_known(run_of: Making) -> None:
    run = await run_of(lambda case, key: scores(number(case), key.condition, 0), conditions=ARMS, metric="rubric")
    (found,) = study_run(run)
    assert found.gap is not None
    assert found.gap.noise_floor is None


async def test_a_run_without_interventions_holds_no_study(run_of: Making) -> None:
    assert study_run(await run_of(lambda case, key: 0.5)) == ()
