"""Agreement against worked examples and independent libraries."""

from __future__ import annotations

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.inter_rater import cohens_kappa

from editplan.errors import ConfigError
from editplan.evals.agreement import (
    cohen_kappa,
    icc_2_1,
    krippendorff_alpha,
    model_rank_tau,
    pair_agreement,
    pearson,
    spearman,
    within_one,
)

# Shrout and Fleiss (1979), table 2: six targets, four judges; they give ICC(2,1) = .29.
SHROUT_FLEISS = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]

# Krippendorff (2011), four observers, twelve units; he gives nominal .743 and interval .849.
MISSING = None
KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, MISSING, MISSING, MISSING],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, MISSING, 3],
    [MISSING, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, MISSING],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, MISSING],
]


def test_icc_gives_the_published_example() -> None:
    assert icc_2_1(SHROUT_FLEISS) == pytest.approx(0.29, abs=0.005)


def test_icc_equals_the_mean_squares_of_a_two_way_anova() -> None:
    rng = np.random.default_rng(0)
    table = rng.integers(0, 6, (3, 25)) + rng.normal(0, 1, (1, 25))
    frame = pd.DataFrame([{"y": table[r, i], "rater": str(r), "item": str(i)} for r in range(3) for i in range(25)])
    squares = anova_lm(ols("y ~ C(item) + C(rater)", frame).fit())["mean_sq"]
    items, judges, error = squares["C(item)"], squares["C(rater)"], squares["Residual"]
    expected = (items - error) / (items + 2 * error + 3 * (judges - error) / 25)
    assert icc_2_1(table.tolist()) == pytest.approx(expected)


@pytest.mark.parametrize(("level", "published"), [("nominal", 0.743), ("interval", 0.849)])
def test_alpha_gives_krippendorffs_example(level: str, published: float) -> None:
    assert krippendorff_alpha(KRIPPENDORFF, level) == pytest.approx(published, abs=0.0005)  # type: ignore[arg-type]


@pytest.mark.parametrize("level", ["nominal", "interval"])
@given(seed=st.integers(0, 10_000))
def test_alpha_equals_the_krippendorff_package(level: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 5, (4, 12)).astype(float)
    table[rng.random(table.shape) < 0.3] = np.nan
    ours = krippendorff_alpha(
        [[None if np.isnan(x) else float(x) for x in row] for row in table],
        level,  # type: ignore[arg-type]
    )
    rated_twice = table[:, np.isfinite(table).sum(axis=0) >= 2]
    if np.unique(rated_twice[np.isfinite(rated_twice)]).size < 2:
        assert ours is None
        return
    theirs = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
    assert ours == pytest.approx(theirs)


@given(seed=st.integers(0, 10_000))
def test_kappa_equals_statsmodels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 6, 40)
    b = np.clip(a + rng.integers(-2, 3, 40), 0, 5)
    counts = np.zeros((6, 6))
    np.add.at(counts, (a, b), 1)
    assert cohen_kappa(a.tolist(), b.tolist(), "none") == pytest.approx(cohens_kappa(counts).kappa)
    weighted = cohens_kappa(counts, weights=np.arange(6), wt="quadratic").kappa
    assert cohen_kappa(a.tolist(), b.tolist()) == pytest.approx(weighted)


def test_kappa_worked_example() -> None:
    # 20 both yes, 5 only a, 10 only b, 15 both no: observed .7, expected .5.
    a = ["y"] * 25 + ["n"] * 25
    b = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    code = {"y": 1.0, "n": 0.0}
    assert cohen_kappa([code[x] for x in a], [code[x] for x in b], "none") == pytest.approx(0.4)


def test_correlations_equal_scipy() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 6, 50).astype(float), rng.integers(0, 6, 50).astype(float)
    assert pearson(a.tolist(), b.tolist()) == pytest.approx(pearsonr(a, b).statistic)
    assert spearman(a.tolist(), b.tolist()) == pytest.approx(spearmanr(a, b).statistic)


def test_missing_ratings_drop_the_item_and_are_counted() -> None:
    found = pair_agreement([1.0, None, 3.0, 4.0, 2.0], [1.5, 2.0, None, 4.5, 2.5])
    assert found.n == 3
    assert found.pearson == pytest.approx(1.0)
    assert found.within_one == 1.0


def test_figures_that_are_not_defined_are_none_never_zero() -> None:
    flat = pair_agreement([3.0, 3.0, 3.0], [3.0, 3.0, 3.0])
    assert (flat.pearson, flat.spearman, flat.kappa_quadratic, flat.icc) == (None, None, None, None)
    assert krippendorff_alpha([[3.0, 3.0], [3.0, 3.0]]) is None
    assert within_one([None], [1.0]) is None
    assert model_rank_tau({"a": 1.0}, {"a": 1.0}) is None


def test_rank_agreement_of_judges_over_models() -> None:
    first = {"a": 60.0, "b": 50.0, "c": 40.0, "d": 30.0, "only here": 1.0}
    assert model_rank_tau(first, {"a": 6.0, "b": 5.0, "c": 4.0, "d": 3.0}) == pytest.approx(1.0)
    assert model_rank_tau(first, {"a": 6.0, "b": 5.0, "c": 3.0, "d": 4.0}) == pytest.approx(4 / 6)


def test_within_one_counts_whole_steps() -> None:
    assert within_one([0, 1, 2, 5], [1, 3, 2, 3.9]) == 0.5


def test_lists_of_different_length_are_refused() -> None:
    with pytest.raises(ConfigError, match="one an item"):
        pearson([1.0], [1.0, 2.0])
