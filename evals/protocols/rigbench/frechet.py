"""The Fréchet distance of two Gaussians, the last step of FID (Heusel et al. 2017, equation 6)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from editplan.errors import ConfigError

Features = npt.NDArray[np.float64]


def frechet_distance(one: Features, other: Features) -> float:
    """|m1 - m2|^2 + tr(S1 + S2 - 2 (S1 S2)^1/2) of two feature sets of shape (n, d), n >= 2.

    The trace of the root is taken from symmetric matrices, so that a rank-deficient covariance (fewer images
    than features) stays real. Raises `ConfigError` for sets that have no covariance.
    """
    first, second = np.atleast_2d(np.asarray(one, float)), np.atleast_2d(np.asarray(other, float))
    if min(len(first), len(second)) < 2 or first.shape[1] != second.shape[1]:
        raise ConfigError(
            f"FID needs at least two images a side, with features of one size; got {first.shape} and {second.shape}"
        )
    shift = first.mean(axis=0) - second.mean(axis=0)
    spread, other_spread = (np.atleast_2d(np.cov(features, rowvar=False)) for features in (first, second))
    values, vectors = np.linalg.eigh(spread)
    root = (vectors * np.sqrt(np.clip(values, 0, None))) @ vectors.T
    mixed = np.linalg.eigvalsh(root @ other_spread @ root)
    distance = shift @ shift + np.trace(spread) + np.trace(other_spread) - 2 * np.sqrt(np.clip(mixed, 0, None)).sum()
    return max(float(distance), 0.0)
