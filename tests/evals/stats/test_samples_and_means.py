"""Samples, means and their intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from editplan.errors import ConfigError
from editplan.evals.stats.intervals import exact_bounds, wilson
from editplan.evals.stats.means import estimate_mean, length_labels, means_by
from editplan.evals.stats.samples import Resampling, Sample, case_means, common_cases

QUICK = Resampling(resamples=500)


def test_replicates_and_judge_samples_are_averaged_within_the_case() -> None:
    rows = [("a", 0.0), ("b", 1.0), ("a", 1.0), ("a", 0.5)]
    assert case_means(rows) == {"a": 0.5, "b": 1.0}


def test_paired_cases_are_those_that_every_arm_has() -> None:
    assert common_cases({"a": 1, "b": 1, "c": 1}, {"c": 0, "a": 0}, {"a": 1, "c": 1, "d": 0}) == ("a", "c")


def test_cases_of_one_scene_are_one_unit_and_loners_are_their_own() -> None:
    sample = Sample.of([0, 1, 1, 0, 1], ["s", None, "s", None, "t"])
    assert (sample.n, sample.n_units) == (5, 4)
    assert sorted(sample.sizes.tolist()) == [1, 1, 1, 2]


@pytest.mark.parametrize(
    ("values", "groups", "message"),
    [
        ([], None, "at least one value"),
        ([math.nan], None, "is not a number"),
        ([1.5], None, "leave their range 0..1"),
        ([0.5], ["a", "b"], "2 scene groups for 1 values"),
    ],
)
def test_a_sample_that_makes_no_sense_is_refused(values: list[float], groups: list[str] | None, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Sample.of(values, groups)


def test_the_same_seed_gives_the_same_interval() -> None:
    sample = Sample.of(np.random.default_rng(0).beta(2, 1, 50).tolist())
    assert estimate_mean(sample, QUICK) == estimate_mean(sample, QUICK)
    other = estimate_mean(sample, Resampling(resamples=500, seed=1))
    assert other.ci != estimate_mean(sample, QUICK).ci


def test_interval_agrees_with_normal_theory_on_a_large_sample() -> None:
    values = np.random.default_rng(1).beta(2, 2, 2000)
    found = estimate_mean(Sample.of(values.tolist()))
    half = 1.96 * values.std(ddof=1) / math.sqrt(2000)
    assert found.ci.lo == pytest.approx(values.mean() - half, abs=0.05 * half)
    assert found.ci.hi == pytest.approx(values.mean() + half, abs=0.05 * half)
    assert found.ci.method == "bca"


def test_a_clustered_sample_has_the_interval_of_its_clusters() -> None:
    scenes = np.random.default_rng(2).beta(2, 2, 40)
    alone = estimate_mean(Sample.of(scenes.tolist()))
    repeated = estimate_mean(Sample.of(np.repeat(scenes, 5).tolist(), [f"s{i // 5}" for i in range(200)]))
    naive = estimate_mean(Sample.of(np.repeat(scenes, 5).tolist()))
    assert repeated.ci.lo == pytest.approx(alone.ci.lo, abs=1e-9)
    assert repeated.n_units == 40
    assert naive.ci.hi - naive.ci.lo < 0.6 * (alone.ci.hi - alone.ci.lo)


def test_equal_values_get_exact_bounds_not_an_interval_of_length_zero() -> None:
    found = estimate_mean(Sample.of([1.0] * 20), QUICK).ci
    assert found.method == "exact"
    assert found.hi == 1.0
    clopper_pearson = proportion_confint(20, 20, method="beta")[0]
    assert found.lo == pytest.approx(clopper_pearson)


def test_a_single_case_says_almost_nothing() -> None:
    found = estimate_mean(Sample.of([0.5]), QUICK).ci
    assert (found.lo, found.hi) == pytest.approx((0.0125, 0.9875))


def test_many_cases_of_one_scene_are_one_unit() -> None:
    assert estimate_mean(Sample.of([0.2, 0.9, 0.4], ["s"] * 3), QUICK).ci.method == "exact"


def test_unclustered_pass_rates_get_wilsons_interval() -> None:
    found = estimate_mean(Sample.of([1.0] * 6 + [0.0] * 34), QUICK).ci
    assert found.method == "wilson"
    assert (found.lo, found.hi) == pytest.approx(tuple(proportion_confint(6, 40, method="wilson")), abs=1e-12)


def test_wilson_gives_the_published_interval_of_vector_bench() -> None:
    found = wilson(6, 40)
    assert (round(100 * found.lo, 2), round(100 * found.hi, 2)) == (7.06, 29.07)


@given(st.integers(1, 200), st.data())
def test_wilson_equals_statsmodels(n: int, data: st.DataObject) -> None:
    passes = data.draw(st.integers(0, n))
    found = wilson(passes, n)
    low, high = proportion_confint(passes, n, method="wilson")
    assert (found.lo, found.hi) == pytest.approx((low, high), abs=1e-9)
    assert passes / n in found or passes in (0, n)


@given(
    st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=25),
    st.lists(st.sampled_from([None, "s", "t"]), min_size=25, max_size=25),
)
def test_an_interval_holds_its_mean_and_stays_in_range(values: list[float], groups: list[str | None]) -> None:
    found = estimate_mean(Sample.of(values, groups[: len(values)]), Resampling(resamples=200))
    assert -1e-9 <= found.ci.lo <= found.mean + 1e-9
    assert found.mean - 1e-9 <= found.ci.hi <= 1 + 1e-9


def test_exact_bounds_shrink_with_the_number_of_units() -> None:
    assert exact_bounds(0.0, 100, (0.0, 1.0)).hi == pytest.approx(1 - 0.025**0.01)
    assert exact_bounds(0.0, 100, (-1.0, 1.0)).lo == pytest.approx(-(1 - 0.025**0.01))


def test_means_by_group_leave_out_what_has_no_label() -> None:
    found = means_by(Sample.of([0.0, 1.0, 1.0, 0.5]), ["IS", "RD", None, "IS"], QUICK)
    assert {label: (part.mean, part.n) for label, part in found.items()} == {"IS": (0.25, 2), "RD": (1.0, 1)}


def test_instruction_lengths_are_cut_into_parts_of_about_equal_size() -> None:
    texts = ["word " * n for n in range(1, 31)]
    labels = length_labels(texts)
    assert [labels.count(name) for name in dict.fromkeys(labels)] == [10, 10, 10]
    assert labels[0] == "1-10 words"
    assert set(length_labels(["one"] * 4)) == {"1-1 words"}
