"""What a run says about its claims: supported, contradicted, or inconclusive and why."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

import numpy as np

from editplan.errors import ConfigError
from editplan.evals.accounts import Matched, matched, mean_vector
from editplan.evals.claims.claim import Claim
from editplan.evals.comparison.absent import PairBounds, pair_bounds
from editplan.evals.comparison.arms import Measured, pair_of, restricted
from editplan.evals.comparison.pairs import matching_words
from editplan.evals.experiment import Experiment
from editplan.evals.run import Run
from editplan.evals.settings import differing_settings
from editplan.evals.stats.multiplicity import holm
from editplan.evals.stats.paired import PairedDifference, difference_of
from editplan.evals.stats.samples import Resampling, Sample
from editplan.evals.summary import same_family
from editplan.records import Record, canonical_json

Verdict = Literal["supported", "contradicted", "inconclusive"]
ALPHA = 0.05


class Evidence(Record):
    """What one judge's scores say about a claim."""

    judge: str
    difference: PairedDifference | None
    p: float | None
    """Two-sided, of the difference against the claim's margin; of two for `equal`, the larger."""
    bounds: PairBounds | None
    """Averaged over the claim's editors."""


class ClaimVerdict(Record):
    """A claim with its verdict."""

    claim: Claim
    words: str
    verdict: Verdict
    reasons: tuple[str, ...]
    evidence: Evidence
    """Under the run's first judge, which decides."""
    p_holm: float | None
    others: tuple[Evidence, ...]
    """Under the run's further judges."""
    matched: Matched
    matching: str
    vectors: dict[str, dict[str, float]]


class ClaimPage(Record):
    """All claims of a run on one page."""

    name: str
    suite: str
    metric: str
    planner: str
    editors: tuple[str, ...]
    judge: str
    n_cases: int
    alpha: float
    verdicts: tuple[ClaimVerdict, ...]
    warnings: tuple[str, ...]
    records_sha256: str
    """Hash of the run's configuration, cases, outcomes and scores."""


def claim_page(run: Run) -> ClaimPage:
    """The verdicts on a run's claims, corrected over them (Holm). Raises `ConfigError` for a run without claims."""
    claims = run.experiment.claims
    if not claims:
        raise ConfigError(f"{run.experiment.name} declares no claim: add [[claims]] to the file before it is run")
    first, *others = run.judges
    found = [_evidence(Measured(run, first), claim) for claim in claims]
    tested = [at for at, each in enumerate(found) if each.p is not None]
    corrected = dict(zip(tested, holm([p for each in found if (p := each.p) is not None]), strict=True))
    verdicts = tuple(
        _verdict(run, claim, evidence, corrected.get(at), others)
        for at, (claim, evidence) in enumerate(zip(claims, found, strict=True))
    )
    return ClaimPage(
        name=run.experiment.name,
        suite=run.suite,
        metric=run.metric,
        planner=run.experiment.planner,
        editors=run.experiment.editors,
        judge=first,
        n_cases=len(run.cases),
        alpha=ALPHA,
        verdicts=verdicts,
        warnings=_warnings(run),
        records_sha256=records_hash(run),
    )


def gains_of(measured: Measured, claim: Claim) -> Sample | None:
    """The paired differences that a claim speaks of, averaged over its editors; None where nothing was measured.

    Raises `ConfigError` for a column or a group that the run doesn't have.
    """
    among = cases_of(measured, claim)
    pairs = []
    for editor in editors_of(claim, measured.run.experiment):
        pair = pair_of(measured, claim.a, claim.b, editor)
        kept = None if pair is None else restricted(pair, [case.case_id in among for case in pair.cases])
        if kept is None:
            return None
        pairs.append(kept)
    shared = set.intersection(*({case.case_id for case in pair.cases} for pair in pairs))
    kept_pairs = [restricted(pair, [case.case_id in shared for case in pair.cases]) for pair in pairs]
    gains = [pair.gains for pair in kept_pairs if pair is not None]
    if len(gains) < len(pairs):
        return None
    return Sample(np.mean([each.values for each in gains], axis=0), gains[0].units, gains[0].bounds)


def editors_of(claim: Claim, experiment: Experiment) -> tuple[str, ...]:
    """The editors that a claim is about."""
    return (claim.editor,) if claim.editor else experiment.editors


def cases_of(measured: Measured, claim: Claim) -> frozenset[str]:
    """The ids of the cases that a claim is about."""
    kept = {case.case_id for case in measured.run.cases}
    for column, group in claim.where.items():
        labels = measured.labels.get(column, {})
        if group not in labels.values():
            known = sorted({f"{name} = {value}" for name, of in measured.labels.items() for value in of.values()})
            raise ConfigError(f"claim {claim.name}: no case has {column} = {group}; known: {', '.join(known)}")
        kept &= {case for case, value in labels.items() if value == group}
    return frozenset(kept)


def decide(claim: Claim, difference: PairedDifference, p: float, alpha: float = ALPHA) -> Verdict:
    """The verdict of the figures alone: the interval lies beyond the margin, or wholly on its other side."""
    low, high, margin = difference.ci.lo, difference.ci.hi, claim.margin
    if claim.says == "equal":
        if -margin < low and high < margin:
            return "supported"
        return "contradicted" if high < -margin or low > margin else "inconclusive"
    if claim.says == "less":
        low, high = -high, -low
    if p >= alpha:
        return "inconclusive"
    return "supported" if low > margin else "contradicted" if high < margin else "inconclusive"


def p_against_margin(claim: Claim, gains: Sample, plan: Resampling) -> float:
    """Two-sided p of the mean difference against the claim's margin."""
    margins = {"greater": (claim.margin,), "less": (-claim.margin,), "equal": (-claim.margin, claim.margin)}
    low, high = gains.bounds
    found = []
    for margin in margins[claim.says]:
        shifted = Sample(gains.values - margin, gains.units, (low - margin, high - margin))
        found.append(difference_of(shifted, plan).p)
    return max(found)


def _evidence(measured: Measured, claim: Claim) -> Evidence:
    gains = gains_of(measured, claim)
    among = cases_of(measured, claim)
    editors = editors_of(claim, measured.run.experiment)
    bounds = [pair_bounds(measured, claim.a, claim.b, editor, among) for editor in editors]
    return Evidence(
        judge=measured.judge,
        difference=None if gains is None else difference_of(gains, measured.resampling),
        p=None if gains is None else p_against_margin(claim, gains, measured.resampling),
        bounds=_averaged([each for each in bounds if each is not None]),
    )


def _averaged(bounds: Sequence[PairBounds]) -> PairBounds | None:
    if not bounds:
        return None
    spans = [each.abstention for each in bounds if each.abstention is not None]
    return PairBounds(
        n=max(each.n for each in bounds),
        missing=sum(each.missing for each in bounds),
        absence=_mean_span([each.absence for each in bounds]),
        abstained=sum(each.abstained for each in bounds),
        abstention=_mean_span(spans) if len(spans) == len(bounds) else None,
    )


def _mean_span(spans: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(low for low, _ in spans) / len(spans), sum(high for _, high in spans) / len(spans)


def _verdict(run: Run, claim: Claim, evidence: Evidence, p_holm: float | None, others: Sequence[str]) -> ClaimVerdict:
    measured = Measured(run, evidence.judge)
    among = cases_of(measured, claim)
    both = [
        (x, y)
        for case in run.cases
        if case.case_id in among
        for editor in editors_of(claim, run.experiment)
        for a, b in zip(run.keys_of(case, claim.a, editor), run.keys_of(case, claim.b, editor), strict=True)
        if (x := run.rows.get(a)) is not None and (y := run.rows.get(b)) is not None
    ]
    match = matched(both)
    verdict, reasons = _decided(claim, evidence, p_holm, match)
    return ClaimVerdict(
        claim=claim,
        words=claim.words,
        verdict=verdict,
        reasons=reasons,
        evidence=evidence,
        p_holm=p_holm,
        others=tuple(_evidence(Measured(run, judge), claim) for judge in others),
        matched=match,
        matching=matching_words(match),
        vectors={"a": mean_vector(x for x, _ in both), "b": mean_vector(y for _, y in both)},
    )


def _decided(
    claim: Claim, evidence: Evidence, p_holm: float | None, match: Matched
) -> tuple[Verdict, tuple[str, ...]]:
    """The verdict with its reasons; unequal calls and what is missing can only make it inconclusive."""
    if evidence.difference is None or p_holm is None:
        return "inconclusive", ("no case was measured in both arms",)
    verdict = decide(claim, evidence.difference, p_holm)
    reasons = [_figures_reason(verdict)]
    if claim.matched and not match.fully:
        reasons.append(f"the arms are not matched: {matching_words(match)}")
        verdict = "inconclusive"
    if verdict != "inconclusive" and not _survives(claim, verdict, evidence.bounds):
        reasons.append("what is missing could undo it: see the bounds")
        verdict = "inconclusive"
    return verdict, tuple(reasons)


def _figures_reason(verdict: Verdict) -> str:
    return {
        "supported": "the interval lies beyond the margin on the claim's side",
        "contradicted": "the interval lies wholly on the other side of the margin",
        "inconclusive": "the interval doesn't settle it, or the corrected p is not below the level",
    }[verdict]


def _survives(claim: Claim, verdict: Verdict, bounds: PairBounds | None) -> bool:
    """Whether the verdict holds whatever the missing runs and verdicts were."""
    if bounds is None or not bounds.missing:
        return True
    low, high = bounds.absence
    if claim.says == "equal":
        inside = -claim.margin < low and high < claim.margin
        return inside if verdict == "supported" else high < -claim.margin or low > claim.margin
    if claim.says == "less":
        low, high = -high, -low
    return low > claim.margin if verdict == "supported" else high < claim.margin


def _warnings(run: Run) -> tuple[str, ...]:
    found = [
        f"{judge} judges plans of its own model family: its gains may flatter"
        for judge in run.judges
        if same_family(run.experiment.planner, judge)
    ]
    found += [each.words for each in differing_settings(run)]
    open_runs = len(run.experiment.conditions) * len(run.experiment.editors) * run.n - len(run.rows)
    if open_runs > 0:
        found.append(f"{open_runs} runs were not made")
    if run.experiment.planner.startswith("embedded"):
        found.append("the planner is an embedded program: this is no evidence about learned models")
    return tuple(found)


def records_hash(run: Run) -> str:
    """SHA-256 over configuration, cases, outcomes and scores, in a fixed order."""
    found = hashlib.sha256(canonical_json(run.experiment.identity()).encode())
    for case in run.cases:
        found.update(case.model_dump_json().encode())
    for _, row in sorted(run.rows.items(), key=lambda item: canonical_json(item[0].model_dump())):
        found.update(row.model_dump_json().encode())
    return found.hexdigest()
