"""From reports to the published tables: one row a model, ranking, gates, families (protocol section 4.4)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import Field

from editplan.records import Record

Z_95 = 1.959963984540054
"""Two-sided 95% quantile of the normal distribution, as published."""

FAMILIES = ("Add/remove", "Color", "Opacity", "Line weight", "Path shape", "Position/shape", "Other")
_FAMILY = {
    "exists": "Add/remove",
    **dict.fromkeys(("fill", "stroke", "color"), "Color"),
    "opacity": "Opacity",
    "stroke-width": "Line weight",
    "d": "Path shape",
    **dict.fromkeys(("x", "y", "cx", "cy", "points"), "Position/shape"),
}


class ScoredOutput(Record):
    """One output of one model with its report, as a table needs it."""

    model: str
    task_id: str
    report: dict[str, Any]
    """What `evaluate` returned."""
    families: tuple[str, ...] = ()
    """Families of the task's requested repairs; they count as missed where the report has no checks."""
    truncated: bool = False
    """The reply ended at the token ceiling."""
    cost_usd: float | None = None


class Share(Record):
    """A count out of n, with its Wilson 95% interval; all shares 0..1."""

    count: int = Field(ge=0)
    n: int = Field(ge=0)

    @property
    def value(self) -> float:
        """Count over n, 0 for an empty set."""
        return self.count / self.n if self.n else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson (1927), z = 1.95996; (0, 1) for an empty set."""
        return wilson(self.count, self.n)


def wilson(count: int, n: int, z: float = Z_95) -> tuple[float, float]:
    """The Wilson score interval of a share (E. B. Wilson, JASA 1927), clipped to 0..1."""
    if n == 0:
        return (0.0, 1.0)
    share, shift = count / n, z * z / n
    centre = (share + shift / 2) / (1 + shift)
    half = z * math.sqrt(share * (1 - share) / n + shift / (4 * n)) / (1 + shift)
    return (max(0.0, centre - half), min(1.0, centre + half))


class ModelRow(Record):
    """A model's line in the published tables."""

    model: str
    full: Share
    near: Share
    repair: Share
    clean: Share
    source_clean: Share
    target_match: Share
    valid: Share
    truncation: Share
    errors: Share
    progress: float
    """Mean repair progress over all outputs, invalid ones and errors at 0."""
    valid_progress: float | None
    """The same over valid outputs; None where there are none."""
    ucr: float | None
    """Mean unintended change rate over VALID outputs; None where there are none."""
    statuses: dict[str, int]
    cost_usd: float | None = None


class Decomposition(Record):
    """Each output at the first gate that stops it."""

    invalid: int
    incomplete: int
    side_effects: int
    passed: int


class FamilyRow(Record):
    """All requested repairs of one family."""

    family: str
    n: int
    progress: float
    """Mean progress, 0..1; a check without progress counts as 0."""
    passed: Share


def model_rows(outputs: Iterable[ScoredOutput]) -> tuple[ModelRow, ...]:
    """One row a model, in the published order of rank."""
    by_model: dict[str, list[ScoredOutput]] = {}
    for output in outputs:
        by_model.setdefault(output.model, []).append(output)
    return ranked(summary(model, rows) for model, rows in by_model.items())


def ranked(rows: Iterable[ModelRow]) -> tuple[ModelRow, ...]:
    """Full pass, progress (both falling), UCR (rising, None last), validity (falling), name."""

    def key(row: ModelRow) -> tuple[float, float, float, float, str]:
        ucr = math.inf if row.ucr is None else row.ucr
        return (-row.full.value, -row.progress, ucr, -row.valid.value, row.model)

    return tuple(sorted(rows, key=key))


def summary(model: str, outputs: Sequence[ScoredOutput]) -> ModelRow:
    """The row of one set of outputs, whether of one model or of all."""
    reports = [output.report for output in outputs]
    valid = [report for report in reports if report["validity_pass"]]
    costs = [output.cost_usd for output in outputs if output.cost_usd is not None]
    statuses: dict[str, int] = {}
    for report in reports:
        statuses[report["status"]] = statuses.get(report["status"], 0) + 1
    return ModelRow(
        model=model,
        full=_share(reports, "specification_pass"),
        near=_share(reports, "near_pass"),
        repair=_share(reports, "repair_pass"),
        clean=_share(reports, "preservation_pass"),
        source_clean=_share(reports, "source_preservation_pass"),
        target_match=_share(reports, "structural"),
        valid=_share(reports, "validity_pass"),
        truncation=Share(count=sum(output.truncated for output in outputs), n=len(outputs)),
        errors=Share(count=statuses.get("ERR", 0), n=len(outputs)),
        progress=_mean(reports, "repair_progress") or 0.0,
        valid_progress=_mean(valid, "repair_progress"),
        ucr=_mean(valid, "unintended_change_rate"),
        statuses=dict(sorted(statuses.items())),
        cost_usd=math.fsum(costs) if costs else None,
    )


def _share(reports: Sequence[Mapping[str, Any]], gate: str) -> Share:
    return Share(count=sum(bool(report[gate]) for report in reports), n=len(reports))


def _mean(reports: Sequence[Mapping[str, Any]], key: str) -> float | None:
    return math.fsum(report[key] for report in reports) / len(reports) if reports else None


def decomposition(reports: Iterable[Mapping[str, Any]]) -> Decomposition:
    """Counts by the first gate that fails: validity, repairs, side effects; errors are invalid."""
    counts = dict.fromkeys(Decomposition.model_fields, 0)
    for report in reports:
        if not report["validity_pass"]:
            counts["invalid"] += 1
        elif not report["repair_pass"]:
            counts["incomplete"] += 1
        else:
            counts["passed" if report["preservation_pass"] else "side_effects"] += 1
    return Decomposition(**counts)


def family_of(attribute: str) -> str:
    """The operation family of a requested repair, by its attribute."""
    return _FAMILY.get(attribute, "Other")


def family_rows(outputs: Iterable[ScoredOutput]) -> tuple[FamilyRow, ...]:
    """Progress and passes by operation family, in the published order; families without repairs are left out."""
    found: dict[str, list[tuple[float, bool]]] = {family: [] for family in FAMILIES}
    for output in outputs:
        checks = output.report["expected_changes"]
        for check in checks:
            found[family_of(check["attribute"])].append((check["progress"] or 0.0, check["passed"]))
        if not checks:
            for family in output.families:
                found[family].append((0.0, False))
    return tuple(
        FamilyRow(
            family=family,
            n=len(results),
            progress=math.fsum(progress for progress, _ in results) / len(results),
            passed=Share(count=sum(passed for _, passed in results), n=len(results)),
        )
        for family, results in found.items()
        if results
    )
