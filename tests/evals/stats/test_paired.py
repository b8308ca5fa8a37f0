"""Paired comparisons, McNemar's test and Holm's adjustment."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, permutation_test, ttest_rel
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from editplan.errors import ConfigError
from editplan.evals.stats.multiplicity import adjusted_comparisons, holm
from editplan.evals.stats.paired import difference_of, differences_by, mcnemar, paired_difference, sign_flip_p
from editplan.evals.stats.samples import Resampling, Sample

PLAN = Resampling(resamples=4000)


def gains(values: list[float], groups: list[str | None] | None = None) -> Sample:
    return Sample.of(values, groups, (-1.0, 1.0))


def test_wins_ties_and_losses_are_counted_by_case() -> None:
    found = paired_difference(Sample.of([1, 0.5, 0, 0.3]), Sample.of([0.5, 0.5, 0.5, 0.3 + 1e-12]), PLAN)
    assert (found.wins, found.ties, found.losses, found.n) == (1, 2, 1, 4)
    assert found.delta == pytest.approx(0.0)


def test_worked_example_of_the_sign_flip_test() -> None:
    # 8 sign patterns of (.1, .2, .3): sums .6 .4 .2 0 and their opposites; two reach .6, both are ties.
    assert sign_flip_p(np.array([0.1, 0.2, 0.3]), PLAN) == pytest.approx(0.5 * 2 / 8)
    # Of (.1, .2, -.3) every pattern reaches a sum of 0; the two that equal it count half.
    assert sign_flip_p(np.array([0.1, 0.2, -0.3]), PLAN) == pytest.approx((6 + 0.5 * 2) / 8)


def test_exact_p_is_scipys_less_half_of_the_ties() -> None:
    values = np.random.default_rng(0).normal(0.4, 1, 9)
    theirs = permutation_test((values,), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=False)
    ties = 2 / 2**9
    assert sign_flip_p(values, PLAN) == pytest.approx(theirs.pvalue - ties / 2)


def test_random_patterns_agree_with_the_t_test_on_a_large_sample() -> None:
    values = np.random.default_rng(1).normal(0.12, 1, 300)
    expected = float(ttest_rel(values, np.zeros(300)).pvalue)
    assert sign_flip_p(values, Resampling(resamples=20_000)) == pytest.approx(expected, abs=0.006)


@given(st.lists(st.sampled_from([-0.5, -0.25, 0.0, 0.25, 0.5]), min_size=1, max_size=8))
def test_exact_p_equals_full_enumeration(values: list[float]) -> None:
    observed = abs(sum(values))
    sums = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(values))
    ]
    expected = sum((total > observed + 1e-9) + 0.5 * (abs(total - observed) <= 1e-9) for total in sums) / len(sums)
    if not any(values):
        expected = 1.0
    assert sign_flip_p(np.array(values), PLAN) == pytest.approx(expected)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=30))
def test_swapping_the_arms_changes_only_the_sign(values: list[float]) -> None:
    forth, back = difference_of(gains(values), PLAN), difference_of(gains([-v for v in values]), PLAN)
    assert back.delta == -forth.delta
    assert back.p == pytest.approx(forth.p, abs=0.05)
    assert (back.wins, back.losses) == (forth.losses, forth.wins)


def test_arms_that_never_differ_give_p_one_and_exact_bounds() -> None:
    found = paired_difference(Sample.of([0.5, 1.0, 0.0]), Sample.of([0.5, 1.0, 0.0]), PLAN)
    assert (found.delta, found.p, found.ci.method) == (0.0, 1.0, "exact")
    assert found.ci.lo < 0 < found.ci.hi


def test_units_flip_as_a_whole() -> None:
    values, groups = [0.2] * 12, [f"s{i // 4}" for i in range(12)]
    assert difference_of(gains(values, groups), PLAN).p == pytest.approx(0.5 * 2 / 8)
    assert difference_of(gains(values), PLAN).p == pytest.approx(0.5 * 2 / 2**12)


def test_gains_are_split_by_label() -> None:
    found = differences_by(gains([0.5, -0.5, 0.1, 0.3]), ["IS", "IS", "RD", None], PLAN)
    assert {label: (part.delta, part.n, part.wins) for label, part in found.items()} == {
        "IS": (0.0, 2, 1),
        "RD": (0.1, 1, 1),
    }


def test_equal_arms_are_called_different_about_as_often_as_declared() -> None:
    rng, quick = np.random.default_rng(0), Resampling(resamples=300)
    skill = rng.beta(1.2, 0.8, (300, 60))
    draws = [rng.binomial(5, skill) / 5 for _ in range(2)]
    results = [paired_difference(Sample.of(a), Sample.of(b), quick) for a, b in zip(*draws, strict=True)]
    assert 4 <= sum(result.p < 0.05 for result in results) <= 28
    assert 270 <= sum(0.0 in result.ci for result in results) <= 298


def test_arms_of_different_cases_are_refused() -> None:
    with pytest.raises(ConfigError, match="same cases"):
        paired_difference(Sample.of([1.0, 0.0]), Sample.of([1.0, 0.0], ["s", "s"]), PLAN)


def test_a_full_benchmark_takes_under_two_seconds() -> None:
    rng = np.random.default_rng(0)
    a, b = (Sample.of((rng.binomial(10, 0.6, 2728) / 10).tolist()) for _ in range(2))
    started = time.process_time()
    paired_difference(a, b, Resampling(resamples=10_000))
    assert time.process_time() - started < 2.0


def test_mcnemar_is_the_mid_p_of_the_sign_test() -> None:
    a = [True] * 12 + [False] * 3 + [True] * 20 + [False] * 5
    b = [False] * 12 + [True] * 3 + [True] * 20 + [False] * 5
    found = mcnemar(a, b)
    assert (found.only_a, found.only_b, found.both, found.neither) == (12, 3, 20, 5)
    exact = statsmodels_mcnemar([[20, 12], [3, 5]], exact=True).pvalue
    assert binomtest(3, 15).pvalue == pytest.approx(exact)
    assert found.p == pytest.approx(exact - 455 / 2**15)
    assert mcnemar([True, False], [True, False]).p == 1.0


@settings(max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_equals_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(tuple(multipletests(p_values, method="holm")[1]))


def test_holm_worked_example() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx((0.03, 0.06, 0.06))


def test_only_declared_comparisons_are_adjusted() -> None:
    rows = adjusted_comparisons({"a": 0.01, "b": 0.02, "c": 0.001}, primary={"a", "b"})
    assert [(row.name, row.p_holm, row.primary) for row in rows] == [
        ("a", 0.02, True),
        ("b", 0.02, True),
        ("c", None, False),
    ]
    with pytest.raises(ConfigError, match="primary comparison 'd'"):
        adjusted_comparisons({"a": 0.01}, primary={"d"})
