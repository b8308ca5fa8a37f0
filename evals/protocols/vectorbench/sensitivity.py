"""How much the verdicts depend on the protocol's own choices: tolerances and the semantic form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from editplan.evals.protocols.vectorbench.evaluator import evaluate_task
from editplan.evals.protocols.vectorbench.rules import Grammar, Rules, SemanticForm
from editplan.evals.protocols.vectorbench.tasks import VectorTask
from editplan.evals.protocols.vectorbench.tolerance import CEILING, SLACK
from editplan.records import Record

TOLERANCE_SCALES = (0.5, 1.0, 1.5)
"""Published; exact checks, validity and preservation don't change with them."""

FORMS: dict[str, SemanticForm] = {
    "published": SemanticForm(),
    "any element order": SemanticForm(child_order=False),
    "style storage counts": SemanticForm(style_storage=True),
    "id renames count": SemanticForm(id_names=True),
}

Judged = tuple[VectorTask, str | None]
"""A task and one output for it."""


class SensitivityRow(Record):
    """What one variant of the rules would have decided."""

    variant: str
    n: int
    passes: int
    repairs: int
    clean: int
    flipped: tuple[int, ...]
    """Positions of the outputs whose full pass differs from the official one."""


def tolerance_sensitivity(
    reports: Sequence[Mapping[str, Any]], scales: Iterable[float] = TOLERANCE_SCALES
) -> tuple[SensitivityRow, ...]:
    """Passes under scaled tolerances, from the distances in official reports (protocol section 4.4)."""
    official = [bool(report["specification_pass"]) for report in reports]
    return tuple(_scaled(reports, scale, official) for scale in scales)


def _scaled(reports: Sequence[Mapping[str, Any]], scale: float, official: Sequence[bool]) -> SensitivityRow:
    repairs = [
        report["validity_pass"] and all(_near_enough(check, scale) for check in report["expected_changes"])
        for report in reports
    ]
    clean = [report["preservation_pass"] for report in reports]
    return _row(f"tolerance x {scale:g}", repairs, clean, official)


def _near_enough(check: Mapping[str, Any], scale: float) -> bool:
    """The tolerance times the scale, at most 0.9 of the requested change; exact checks stay as they are."""
    distance, tolerance, delta = (check[key] for key in ("distance", "tolerance", "baseline_distance"))
    if distance is None or tolerance is None:
        return bool(check["passed"])
    limit = tolerance * scale
    if delta is not None and delta > 0:
        limit = min(limit, CEILING * delta)
    return bool(distance <= limit + SLACK)


def form_sensitivity(outputs: Sequence[Judged]) -> tuple[SensitivityRow, ...]:
    """Passes where the semantic form forgives more (element order) or less (style storage, id renames)."""
    return _compared(outputs, {name: Rules(form=form) for name, form in FORMS.items()})


def grammar_sensitivity(outputs: Sequence[Judged]) -> tuple[SensitivityRow, ...]:
    """Passes where every legal SVG number and CSS colour is read, beside the official subset."""
    return _compared(outputs, {grammar.value: Rules(grammar=grammar) for grammar in Grammar})


def _compared(outputs: Sequence[Judged], variants: dict[str, Rules]) -> tuple[SensitivityRow, ...]:
    official = [bool(evaluate_task(task, svg)["specification_pass"]) for task, svg in outputs]
    rows = []
    for name, rules in variants.items():
        reports = [evaluate_task(task, svg, rules) for task, svg in outputs]
        repairs = [report["repair_pass"] for report in reports]
        rows.append(_row(name, repairs, [report["preservation_pass"] for report in reports], official))
    return tuple(rows)


def _row(name: str, repairs: Sequence[bool], clean: Sequence[bool], official: Sequence[bool]) -> SensitivityRow:
    passes = [repaired and kept for repaired, kept in zip(repairs, clean, strict=True)]
    return SensitivityRow(
        variant=name,
        n=len(passes),
        passes=sum(passes),
        repairs=sum(repairs),
        clean=sum(clean),
        flipped=tuple(place for place, (a, b) in enumerate(zip(passes, official, strict=True)) if a != b),
    )
