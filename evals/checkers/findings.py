"""What one measurement says: a verdict with its numbers, before it gets an atom's id."""

from __future__ import annotations

from editplan.evals.verdicts import Verdict
from editplan.records import Box, Record


class Finding(Record):
    """The result of one check spec on one pair of images."""

    verdict: Verdict
    reason: str
    evidence: dict[str, float | int | str | bool]
    box: Box | None = None


def unmeasured(reason: str, **evidence: float | int | str | bool) -> Finding:
    """An abstention: the reason says why it can't be measured."""
    return Finding(verdict="abstain", reason=reason, evidence=evidence)


def graded(value: float, pass_from: float, partial_from: float) -> Verdict:
    """Pass, partial or fail of a value that is better when larger."""
    return "pass" if value >= pass_from else "partial" if value >= partial_from else "fail"


def graded_down(value: float, pass_to: float, fail_from: float) -> Verdict:
    """Pass, partial or fail of a value that is better when smaller."""
    return "pass" if value <= pass_to else "fail" if value >= fail_from else "partial"


def best(findings: list[Finding]) -> Finding:
    """The best of several alternatives; an abstention counts before a partial, for it might have been a pass."""
    for verdict in ("pass", "abstain", "partial", "fail"):
        for finding in findings:
            if finding.verdict == verdict:
                return finding
    raise ValueError("no finding to choose from")


def worst(findings: list[Finding]) -> Finding:
    """The worst of several parts; a fail decides, else an abstention does."""
    for verdict in ("fail", "abstain", "partial", "pass"):
        for finding in findings:
            if finding.verdict == verdict:
                return finding
    raise ValueError("no finding to choose from")
