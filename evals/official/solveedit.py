"""SolveEdit's table (section 4, table 1): six diagnostics, R, D and SolveScore, by the published rule and by ours.

The published run leaves judge failures out of the mean and counts failed generations 0; ours keeps every case in N
and says what the unmeasured could come to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from editplan.evals.judging import Verdicts
from editplan.evals.official.rows import Arm, PublishedTable, bracketed, percent
from editplan.evals.solvescore import DIAGNOSTICS, ELIGIBLE_COVERAGE

_SHORT = {
    "required": "req",
    "protected": "pro",
    "semantic_accuracy": "SA",
    "relational_accuracy": "RA",
    "visual_quality": "VQ",
}


def figures(arm: Arm) -> dict[str, Any]:
    """`solvescore` by the published rule over `n` cases; `strict` with bounds over all of them."""
    supported = [row for row in arm.rows if row.ending != "unsupported"]
    measured = [row.verdicts for row in supported if row.ending != "judge_failed" and row.verdicts is not None]
    scored = [row.verdicts for row in supported if row.ending == "scored" and row.verdicts is not None]
    failed, total = len(supported) - len(measured), len(supported)
    scores = [verdicts.score or 0.0 for verdicts in measured]
    return {
        "n": len(measured),
        "judge_failures": failed,
        "missing_outputs": len(measured) - len(scored),
        "solvescore": _mean(scores),
        "required": _mean([verdicts.required or 0.0 for verdicts in measured]),
        "damage": _mean([verdicts.damage for verdicts in scored if verdicts.damage is not None]),
        "gate_pass": _mean([float(verdicts.gate == "pass") for verdicts in scored]),
        "coverage": _mean([verdicts.coverage for verdicts in scored if verdicts.coverage is not None]),
        "leaderboard_eligible": sum(_eligible(verdicts) for verdicts in scored),
        "diagnostics": {cell: _cell(scored, cell) for cell in DIAGNOSTICS},
        "strict": {
            "n": total,
            "solvescore": _mean(scores) if not failed else None,
            "bounds": [sum(scores) / total, (sum(scores) + failed) / total] if total else None,
        },
    }


def tables(arms: Mapping[str, Mapping[str, Any]]) -> Sequence[PublishedTable]:
    """Table 1 with both rules beside each other, in per cent."""
    cells = [f"{_SHORT[role]} {_SHORT[name]}" for role, name in (cell.split(".") for cell in DIAGNOSTICS)]
    columns = ("arm", *cells, "R", "D", "official", "n", "strict", "N", "gate", "cover")
    rows = tuple(_line(name, each) for name, each in arms.items())
    return (
        PublishedTable(
            title="SolveEdit, published form: SolveScore by the official and by the strict rule (per cent)",
            columns=columns,
            rows=rows,
        ),
    )


def _line(name: str, each: Mapping[str, Any]) -> tuple[str, ...]:
    strict = each["strict"]
    bounded = f"within {bracketed(strict['bounds'], 1, 100.0)}"
    return (
        name,
        *(percent(each["diagnostics"][cell]) for cell in DIAGNOSTICS),
        percent(each["required"]),
        percent(each["damage"]),
        percent(each["solvescore"]),
        str(each["n"]),
        bounded if strict["solvescore"] is None else percent(strict["solvescore"]),
        str(strict["n"]),
        percent(each["gate_pass"]),
        percent(each["coverage"]),
    )


def _eligible(verdicts: Verdicts) -> bool:
    return verdicts.gate == "pass" and (verdicts.coverage or 0.0) >= ELIGIBLE_COVERAGE


def _cell(scored: Sequence[Verdicts], name: str) -> float | None:
    values = [verdicts.diagnostics.get(name) for verdicts in scored]
    return _mean([value for value in values if value is not None])


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
