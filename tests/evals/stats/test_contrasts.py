"""Contrasts, adjusted regime gaps, bounds, sweeps, difficulty, interventions and power."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from editplan.errors import ConfigError
from editplan.evals.solvescore import WeightedAtom
from editplan.evals.stats.absence import abstention_bounds, bounded_difference, bounded_mean
from editplan.evals.stats.contrasts import editor_contrast, group_contrast, pooled_gain
from editplan.evals.stats.difficulty import gain_by_difficulty
from editplan.evals.stats.intervention import Interventions, cascade, integration_gap
from editplan.evals.stats.power import Design, detectable_effect, pilot_of, power_of, units_needed
from editplan.evals.stats.regimes import domain_adjusted_gap
from editplan.evals.stats.samples import Resampling, Sample
from editplan.evals.stats.sensitivity import ArmParts, gain_sweep, lambda_sweep

PLAN = Resampling(resamples=1000)


def gains(values: list[float], groups: list[str] | None = None) -> Sample:
    return Sample.of(values, groups, (-1.0, 1.0))


def test_a_regime_interaction_is_the_difference_of_mean_gains() -> None:
    rng = np.random.default_rng(0)
    regime_is, regime_rd = rng.normal(0.0, 0.1, 80), rng.normal(0.3, 0.1, 60)
    values = np.clip(np.concatenate([regime_is, regime_rd]), -1, 1)
    found = group_contrast(gains(values.tolist()), ["IS"] * 80 + ["RD"] * 60, "RD", "IS", PLAN)
    assert found.delta == pytest.approx(values[80:].mean() - values[:80].mean())
    assert 0.3 in found.ci
    assert found.p < 1e-6
    half = 1.96 * np.hypot(values[:80].std(ddof=1) / 80**0.5, values[80:].std(ddof=1) / 60**0.5)
    assert found.ci.hi - found.delta == pytest.approx(half, rel=0.15)


def test_scenes_that_lie_in_both_regimes_are_resampled_whole() -> None:
    scene_effect = np.random.default_rng(1).normal(0, 0.2, 60)
    values = np.clip(np.repeat(scene_effect, 2), -1, 1).tolist()
    labels, scenes = ["IS", "RD"] * 60, [f"s{i // 2}" for i in range(120)]
    paired = group_contrast(gains(values, scenes), labels, "RD", "IS", PLAN)
    alone = group_contrast(gains(values), labels, "RD", "IS", PLAN)
    assert paired.ci.hi - paired.ci.lo < 0.01 < alone.ci.hi - alone.ci.lo


def test_a_group_without_cases_is_an_error() -> None:
    with pytest.raises(ConfigError, match="no case has the label 'RD'"):
        group_contrast(gains([0.1, 0.2]), ["IS", "IS"], "RD", "IS", PLAN)


def test_editor_contrast_and_pooled_gain_work_within_cases() -> None:
    a, b = gains([0.4, 0.2, 0.6]), gains([0.2, 0.0, 0.4])
    assert editor_contrast(a, b, PLAN).delta == pytest.approx(0.2)
    pooled = pooled_gain({"a": a, "b": b}, PLAN)
    assert (pooled.delta, pooled.n) == (pytest.approx(0.3), 3)


def regime_data() -> tuple[Sample, list[tuple[str, str]]]:
    """Domain A is easy and mostly IS, B is hard and mostly RD; inside a domain RD trails IS by exactly .1."""
    cells = [("IS", "A")] * 80 + [("RD", "A")] * 20 + [("IS", "B")] * 20 + [("RD", "B")] * 80 + [("SD", "C")] * 10
    level = {("IS", "A"): 0.9, ("RD", "A"): 0.8, ("IS", "B"): 0.4, ("RD", "B"): 0.3, ("SD", "C"): 0.5}
    jitter = np.tile([0.05, -0.05], len(cells) // 2)
    values = np.array([level[cell] for cell in cells]) + jitter
    return Sample.of(values.tolist()), cells


def test_the_adjusted_gap_is_free_of_the_mix_of_domains() -> None:
    sample, cells = regime_data()
    found = domain_adjusted_gap(sample, cells, "RD", "IS", PLAN)
    assert found.raw == pytest.approx(-0.4)
    assert found.adjusted == pytest.approx(-0.1)
    assert found.by_domain == pytest.approx({"A": -0.1, "B": -0.1})
    assert found.weights == {"A": 0.5, "B": 0.5}
    assert found.left_out == ("C",)
    assert found.ci.lo < -0.1 < found.ci.hi < 0


def test_common_weights_are_the_domains_shares_of_all_cases() -> None:
    cells = [("IS", "A"), ("RD", "A"), ("SD", "A"), ("SD", "A"), ("IS", "B"), ("RD", "B")]
    found = domain_adjusted_gap(Sample.of([1, 0, 0, 0, 1, 1]), cells, "RD", "IS", PLAN)
    assert found.weights == pytest.approx({"A": 4 / 6, "B": 2 / 6})
    assert found.adjusted == pytest.approx(-4 / 6)


def test_a_gap_without_a_shared_domain_is_an_error() -> None:
    with pytest.raises(ConfigError, match="no domain holds cases of both RD and IS"):
        domain_adjusted_gap(Sample.of([1, 0]), [("IS", "A"), ("RD", "B")], "RD")


def test_judge_failures_are_bounded_both_ways_and_never_a_number() -> None:
    found = bounded_mean([1.0, None, 0.5, None])
    assert (found.mean, found.lo, found.hi, found.missing, found.complete) == (0.75, 0.375, 0.875, 2, False)
    assert bounded_mean([None]).mean is None
    difference = bounded_difference([1.0, None, 0.5], [0.5, 0.25, None])
    assert (difference.mean, difference.n) == (0.5, 1)
    assert (difference.lo, difference.hi) == pytest.approx(((0.5 - 0.25 - 0.5) / 3, (0.5 + 0.75 + 0.5) / 3))


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=1, max_size=20))
def test_bounds_hold_the_mean_of_any_completion(values: list[float | None]) -> None:
    found = bounded_mean(values)
    for filler in (0.0, 0.3, 1.0):
        completed = float(np.mean([filler if value is None else value for value in values]))
        assert found.lo - 1e-9 <= completed <= found.hi + 1e-9


def test_abstentions_are_bounded_by_all_failing_and_all_passing() -> None:
    atoms = [
        WeightedAtom(id="a", role="required", property="p", weight=0.5),
        WeightedAtom(id="b", role="required", property="p", weight=0.5),
        WeightedAtom(id="x", role="protected", property="p", weight=1.0),
    ]
    assert abstention_bounds(atoms, ["pass", "abstain", "abstain"]) == (0.0, 1.0)
    assert abstention_bounds(atoms, ["pass", "abstain", "pass"]) == (0.5, 1.0)
    assert abstention_bounds(atoms, ["pass", "fail", "pass"]) == (0.5, 0.5)


def test_the_lambda_sweep_holds_the_published_score_and_its_extremes() -> None:
    arm = ArmParts(np.array([1.0, 0.6, 0.9]), np.array([0.0, 0.4, 0.5]), np.array([1.0, 1.0, 0.0]))
    swept = {row.damage_weight: row.score.mean for row in lambda_sweep(arm, plan=PLAN)}
    assert len(swept) == 11
    assert swept[0.0] == pytest.approx((1.0 + 0.6) / 3)
    assert swept[0.5] == pytest.approx((1.0 + 0.4) / 3)
    assert swept[1.0] == pytest.approx((1.0 + 0.2) / 3)
    other = ArmParts(arm.required, np.zeros(3), arm.gate_passed)
    assert [round(row.gain.delta, 6) for row in gain_sweep(other, arm, (0.0, 1.0), PLAN)] == [0.0, round(0.4 / 3, 6)]


def test_a_constant_gain_has_no_trend_when_difficulty_is_measured_apart() -> None:
    rng = np.random.default_rng(0)
    draws = [np.clip(0.5 + rng.normal(0, 0.1, 2000), 0, 1) for _ in range(3)]
    arm = np.clip(0.7 + rng.normal(0, 0.1, 2000), 0, 1)
    apart = gain_by_difficulty(arm, [draws[0], draws[1], draws[2]], plan=PLAN)
    same_draw = gain_by_difficulty(arm, [draws[0], draws[0]], plan=PLAN)
    assert abs(apart.correlation or 0.0) < 0.06
    assert 0.0 in (apart.ci or ())
    assert (same_draw.correlation or 0.0) > 0.6


def test_a_gain_that_grows_with_difficulty_has_its_slope() -> None:
    rng = np.random.default_rng(1)
    skill = rng.random(1500)
    direct = [skill, skill]
    found = gain_by_difficulty(skill + 0.4 * (1 - skill), direct, plan=PLAN)
    assert found.slope == pytest.approx(0.4)
    assert found.by_third["hardest"].mean > found.by_third["easiest"].mean


def test_difficulty_needs_a_replicate_outside_the_gain() -> None:
    with pytest.raises(ConfigError, match="two direct replicates"):
        gain_by_difficulty([0.5, 0.6], [[0.5, 0.4]])


def test_the_integration_gap_stands_beside_its_noise_floor() -> None:
    rng = np.random.default_rng(0)
    text = np.full(400, 4.0)
    draw = lambda: np.where(rng.random(400) < 0.5, 4.0, 1.0)  # noqa: E731
    direct, again, oracle = draw(), draw(), draw()
    found = integration_gap(Interventions(text, direct, direct, oracle, direct_again=again), PLAN)
    assert found.share == pytest.approx(0.25, abs=0.06)
    assert found.above_floor is not None
    assert 0.0 in found.above_floor.ci


def test_a_cascade_counts_only_items_that_reached_a_stage_and_names_the_earlier_of_a_tie() -> None:
    found = cascade([4, 4, 1, 1], [4, 1, 4, 4], [4, 4, 4, 4])
    assert [(stage.passed, stage.reached) for stage in found.stages] == [(2, 4), (1, 2), (1, 1)]
    assert found.bottleneck == "perception"
    nothing = cascade([1.0], [4.0], [4.0])
    assert [stage.rate for stage in nothing.stages] == [0.0, None, None]


@pytest.mark.parametrize(("effect", "units"), [(0.2, 50), (0.5, 20), (0.05, 400), (0.8, 12)])
def test_power_equals_statsmodels(effect: float, units: int) -> None:
    assert power_of(effect, 1.0, units) == pytest.approx(TTestPower().power(effect, units, 0.05), abs=1e-6)


def test_power_units_and_detectable_effect_invert_each_other() -> None:
    needed = units_needed(0.1, 0.4)
    assert power_of(0.1, 0.4, needed) >= 0.8 > power_of(0.1, 0.4, needed - 1)
    assert needed == int(np.ceil(TTestPower().solve_power(0.25, power=0.8, alpha=0.05)))
    assert detectable_effect(0.4, needed) == pytest.approx(0.1, rel=0.01)
    assert power_of(detectable_effect(0.4, 37), 0.4, 37) == pytest.approx(0.8, abs=1e-6)
    assert units_needed(0.1, 0.4, Design(power=0.95)) > needed


def test_a_pilot_counts_scenes_not_cases() -> None:
    rng = np.random.default_rng(0)
    scenes = rng.normal(0.1, 0.2, 50)
    alone = pilot_of(gains(np.clip(scenes, -1, 1).tolist()))
    repeated = pilot_of(gains(np.clip(np.repeat(scenes, 4), -1, 1).tolist(), [f"s{i // 4}" for i in range(200)]))
    assert alone.spread == pytest.approx(float(np.clip(scenes, -1, 1).std(ddof=1)))
    assert (repeated.spread, repeated.cases_per_unit) == (pytest.approx(alone.spread), 4.0)


def test_no_effect_can_not_be_planned_for() -> None:
    with pytest.raises(ConfigError, match="can't be detected"):
        units_needed(0.0, 1.0)
