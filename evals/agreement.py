"""How far two judges, or many raters, agree (RIG-Bench 4.6 uses most of these).

Ratings may be missing (None): pairwise figures use the items that both rated, Krippendorff's alpha uses every pair
of ratings of an item. A figure that isn't defined (no variation, too few items) is None, never 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from editplan.errors import ConfigError
from editplan.records import Record

Floats = NDArray[np.float64]
Rating = float | None
Level = Literal["interval", "nominal"]
Weighting = Literal["quadratic", "none"]


class PairAgreement(Record):
    """Two raters on the same items."""

    n: int
    """Items that both rated."""
    pearson: float | None
    spearman: float | None
    icc: float | None
    """ICC(2,1), absolute agreement of single ratings."""
    kappa_quadratic: float | None
    """On ratings rounded to whole steps."""
    within_one: float | None
    """Share of items whose ratings differ by at most 1."""


def pair_agreement(a: Sequence[Rating], b: Sequence[Rating]) -> PairAgreement:
    """All pairwise figures at once; kappa on ratings rounded half up."""
    first, second = both_rated(a, b)
    rounded = (np.floor(first + 0.5).tolist(), np.floor(second + 0.5).tolist())
    return PairAgreement(
        n=first.size,
        pearson=pearson(a, b),
        spearman=spearman(a, b),
        icc=icc_2_1([a, b]),
        kappa_quadratic=cohen_kappa(*rounded),
        within_one=within_one(a, b),
    )


def pearson(a: Sequence[Rating], b: Sequence[Rating]) -> float | None:
    """Pearson's product-moment correlation."""
    return _correlation(*both_rated(a, b))


def spearman(a: Sequence[Rating], b: Sequence[Rating]) -> float | None:
    """Spearman's rank correlation: Pearson's of the mid-ranks."""
    from scipy.stats import rankdata

    first, second = both_rated(a, b)
    if first.size < 2:
        return None
    return _correlation(rankdata(first).astype(np.float64), rankdata(second).astype(np.float64))


def within_one(a: Sequence[Rating], b: Sequence[Rating], step: float = 1.0) -> float | None:
    """Share of items whose two ratings differ by at most one step."""
    first, second = both_rated(a, b)
    return float((np.abs(first - second) <= step + 1e-9).mean()) if first.size else None


def cohen_kappa(a: Sequence[Rating], b: Sequence[Rating], weighting: Weighting = "quadratic") -> float | None:
    """Cohen's kappa (1960), or the weighted kappa (1968) with disagreement growing as the squared distance.

    The categories are the values that occur. Unweighted kappa takes them as names.
    """
    first, second = both_rated(a, b)
    if not first.size:
        return None
    categories, codes = np.unique(np.concatenate([first, second]), return_inverse=True)
    rows, columns = codes[: first.size], codes[first.size :]
    k = categories.size
    observed = np.zeros((k, k))
    np.add.at(observed, (rows, columns), 1.0 / first.size)
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0))
    gap = categories[:, None] - categories[None, :]
    weight = gap**2 if weighting == "quadratic" else (gap != 0).astype(np.float64)
    chance = float((weight * expected).sum())
    return 1.0 - float((weight * observed).sum()) / chance if chance > 0 else None


def icc_2_1(raters: Sequence[Sequence[Rating]]) -> float | None:
    """ICC(2,1): two-way random effects, absolute agreement, single rater (Shrout and Fleiss 1979).

    `raters` holds one sequence a rater; items that some rater left out are dropped. None for fewer than two items
    or raters, and where nothing varies.
    """
    table = _complete(raters)
    n, k = table.shape
    if n < 2 or k < 2:
        return None
    grand = table.mean()
    items = k * float(((table.mean(axis=1) - grand) ** 2).sum()) / (n - 1)
    judges = n * float(((table.mean(axis=0) - grand) ** 2).sum()) / (k - 1)
    residual = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0, keepdims=True) + grand
    error = float((residual**2).sum()) / ((n - 1) * (k - 1))
    total = items + (k - 1) * error + k * (judges - error) / n
    return (items - error) / total if total > 1e-15 else None


def model_rank_tau(a: Mapping[str, float], b: Mapping[str, float]) -> float | None:
    """Kendall's tau-b of two judges' mean scores over the models that both scored."""
    from scipy.stats import kendalltau

    shared = [model for model in a if model in b]
    if len(shared) < 2:
        return None
    first, second = [a[model] for model in shared], [b[model] for model in shared]
    if len(set(first)) == 1 or len(set(second)) == 1:
        return None
    return float(kendalltau(first, second, variant="b").statistic)


def krippendorff_alpha(raters: Sequence[Sequence[Rating]], level: Level = "interval") -> float | None:
    """Krippendorff's alpha for any number of raters with missing ratings (Krippendorff 2011).

    alpha = 1 - observed / expected disagreement, the squared difference on the interval level, unequal or not on
    the nominal one. Items with fewer than two ratings say nothing. None where no two ratings can be compared, or
    all are equal.
    """
    table = _table(raters)
    counted = np.isfinite(table).sum(axis=0) >= 2
    table = table[:, counted]
    ratings = table[np.isfinite(table)]
    if not ratings.size:
        return None
    observed = sum(_disagreement(item[np.isfinite(item)], level) / (np.isfinite(item).sum() - 1) for item in table.T)
    expected = _disagreement(ratings, level) / (ratings.size - 1)
    return 1.0 - float(observed) / expected if expected > 0 else None


def both_rated(a: Sequence[Rating], b: Sequence[Rating]) -> tuple[Floats, Floats]:
    """The ratings of the items that both raters rated; raises `ConfigError` for lists of different length."""
    table = _complete([a, b])
    return table[:, 0], table[:, 1]


def _disagreement(values: Floats, level: Level) -> float:
    """Sum over ordered pairs of ratings of their disagreement."""
    n = values.size
    if level == "interval":
        centred = values - values.mean()
        return float(2.0 * n * (centred**2).sum())
    _, counts = np.unique(values, return_counts=True)
    return float(n * n - (counts.astype(np.float64) ** 2).sum())


def _table(raters: Sequence[Sequence[Rating]]) -> Floats:
    """Raters x items, NaN where a rating is missing."""
    lengths = {len(ratings) for ratings in raters}
    if len(lengths) > 1:
        raise ConfigError(f"raters have {sorted(lengths)} ratings; give one an item, None where one is missing")
    if not raters:
        raise ConfigError("agreement needs at least one rater")
    return np.array(
        [[np.nan if rating is None else float(rating) for rating in ratings] for ratings in raters]
    ).reshape(len(raters), -1)


def _complete(raters: Sequence[Sequence[Rating]]) -> Floats:
    """Items x raters, only the items that all rated."""
    table = _table(raters).T
    return np.asarray(table[np.isfinite(table).all(axis=1)])


def _correlation(a: Floats, b: Floats) -> float | None:
    if a.size < 2 or np.ptp(a) < 1e-12 or np.ptp(b) < 1e-12:
        return None
    return float(np.clip(np.corrcoef(a, b)[0, 1], -1.0, 1.0))
