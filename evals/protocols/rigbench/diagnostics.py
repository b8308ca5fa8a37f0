"""Where the reasoning is lost (arXiv 2609.02864, sections 4.4 and 4.5): oracle gain, integration gap, cascade."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Literal

from editplan.evals.protocols.rigbench.bootstrap import RESAMPLES, interval
from editplan.evals.protocols.rigbench.rubric import PASS_MARK, RubricScores
from editplan.records import Record

_TO_PERCENT = 20.0
Stage = Literal["perception", "reasoning", "generation"]
PassBy = Literal["reasoning_correctness", "composite"]


class PairedDifference(Record):
    """The mean difference of composites over the items that both arms have, in points of 0 to 100."""

    mean: float
    ci: tuple[float, float] | None
    n: int


class Gap(Record):
    """The share of items that the model can answer in words and draw from a specification, but not directly."""

    share: float
    n: int
    """Items measured in all three conditions."""
    passes_by: PassBy


class Cascade(Record):
    """Conditional pass rates of the three stages; None where no item passed the stages before."""

    perception: float
    reasoning: float | None
    generation: float | None
    bottleneck: Stage
    """The smallest of the three; of equal ones the earliest."""
    n: int


def oracle_gain(
    oracle: Mapping[str, RubricScores],
    direct: Mapping[str, RubricScores],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> PairedDifference | None:
    """O - D, paired by item; also for H - D and for self-reflection against the direct outputs of its own pass."""
    shared = sorted(oracle.keys() & direct.keys())
    if not shared:
        return None
    differences = [(oracle[item].composite - direct[item].composite) * _TO_PERCENT for item in shared]
    ci = interval(differences, seed=seed, resamples=resamples)
    return PairedDifference(mean=fmean(differences), ci=ci, n=len(shared))


def integration_gap(
    text: Mapping[str, float],
    oracle: Mapping[str, RubricScores],
    direct: Mapping[str, RubricScores],
    passes_by: PassBy = "reasoning_correctness",
) -> Gap | None:
    """The share of items where T and O pass and D fails, at 3 of 5.

    By reasoning correctness in the headline: a composite of 3.05 can hide a wrong answer.
    """
    shared = text.keys() & oracle.keys() & direct.keys()
    if not shared:
        return None
    hits = sum(
        text[item] >= PASS_MARK and _passes(oracle[item], passes_by) and not _passes(direct[item], passes_by)
        for item in shared
    )
    return Gap(share=hits / len(shared), n=len(shared), passes_by=passes_by)


def cascade(
    perception: Mapping[str, float],
    reasoning: Mapping[str, float],
    generation: Mapping[str, RubricScores],
    passes_by: PassBy = "reasoning_correctness",
) -> Cascade | None:
    """P(P), P(R|P) over items whose perception passes, P(G|R) over those whose reasoning passes too."""
    shared = perception.keys() & reasoning.keys() & generation.keys()
    if not shared:
        return None
    seen = {item for item in shared if perception[item] >= PASS_MARK}
    solved = {item for item in seen if reasoning[item] >= PASS_MARK}
    drawn = {item for item in solved if _passes(generation[item], passes_by)}
    rates: dict[Stage, float | None] = {
        "perception": len(seen) / len(shared),
        "reasoning": len(solved) / len(seen) if seen else None,
        "generation": len(drawn) / len(solved) if solved else None,
    }
    known = {stage: rate for stage, rate in rates.items() if rate is not None}
    return Cascade(
        perception=len(seen) / len(shared),
        reasoning=rates["reasoning"],
        generation=rates["generation"],
        bottleneck=min(known, key=lambda stage: known[stage]),
        n=len(shared),
    )


def _passes(scores: RubricScores, passes_by: PassBy) -> bool:
    return float(getattr(scores, passes_by)) >= PASS_MARK
