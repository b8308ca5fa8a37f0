"""Several comparisons at once: Holm's adjustment over those that were declared primary before the run."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from editplan.errors import ConfigError
from editplan.records import Record


class AdjustedP(Record):
    """One comparison's p value; an exploratory one isn't adjusted and supports no claim."""

    name: str
    p: float
    p_holm: float | None
    """Adjusted over the primary comparisons; None for an exploratory one."""
    primary: bool


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's adjusted p values (Holm 1979), in the order given; they control the family-wise error."""
    values = np.asarray(p_values, dtype=np.float64)
    if values.size and (np.isnan(values).any() or values.min() < 0 or values.max() > 1):
        raise ConfigError("p values lie in 0..1")
    order = np.argsort(values, kind="stable")
    stepped = np.maximum.accumulate(values[order] * np.arange(values.size, 0, -1))
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(stepped, 1.0)
    return tuple(float(value) for value in adjusted)


def adjusted_comparisons(p_values: Mapping[str, float], primary: Collection[str]) -> tuple[AdjustedP, ...]:
    """All comparisons, the primary ones adjusted over themselves, the others marked exploratory.

    Raises `ConfigError` for a primary comparison without a p value.
    """
    missing = sorted(set(primary) - set(p_values))
    if missing:
        raise ConfigError(f"no p value for the primary comparison {missing[0]!r}")
    declared = [name for name in p_values if name in primary]
    adjusted = dict(zip(declared, holm([p_values[name] for name in declared]), strict=True))
    return tuple(
        AdjustedP(name=name, p=p, p_holm=adjusted.get(name), primary=name in adjusted) for name, p in p_values.items()
    )
