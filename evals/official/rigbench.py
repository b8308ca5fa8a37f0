"""RIG-Bench's tables (arXiv 2609.02864, tables 3, 4 and 6): common and full rubric, open against closed, subtasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from editplan.evals.official.rows import Arm, ArmRow, PublishedTable, bracketed, plain
from editplan.evals.protocols.rigbench.rubric import PASS_MARK, RubricScores
from editplan.evals.protocols.rigbench.subtasks import Subtask
from editplan.evals.protocols.rigbench.tables import RigScore, table


def figures(arm: Arm) -> dict[str, Any]:
    """The lines of the arm's images; for answers in words their correctness instead."""
    texts = [row for row in arm.rows if row.verdicts is not None and "text_correctness" in row.verdicts.report]
    if texts:
        marks = [fmean(row.verdicts.report["text_correctness"]) for row in texts if row.verdicts is not None]
        passed = sum(mark >= PASS_MARK for mark in marks) / len(marks)
        return {"text": {"mean": fmean(marks) * 20.0, "passed": passed, "n": len(arm.rows), "judged": len(marks)}}
    return table(_score(row) for row in arm.rows).model_dump(mode="json")


def _score(row: ArmRow) -> RigScore:
    samples = row.verdicts.report.get("samples", ()) if row.verdicts is not None else ()
    return RigScore(
        item_id=row.case.case_id,
        subtask=Subtask(row.case.groups["subtask"]),
        status=row.ending,
        samples=tuple(RubricScores.model_validate(sample) for sample in samples),
    )


def tables(arms: Mapping[str, Mapping[str, Any]]) -> Sequence[PublishedTable]:
    """Headlines by arm, then the subtasks by arm; rubric scores on 0 to 100."""
    columns = (
        "arm",
        "Common",
        "95% CI",
        "Full",
        "Open",
        "Closed",
        "Gap",
        "VQ",
        "SA",
        "RC",
        "N",
        "missing",
        "unmeasured",
    )
    heads = PublishedTable(
        title="RIG-Bench, published form (rubric, 0 to 100; dimensions 0 to 5)",
        columns=columns,
        rows=tuple(_head(name, each, len(columns)) for name, each in arms.items()),
    )
    shown = [str(each) for each in Subtask if any(str(each) in arm.get("subtasks", {}) for arm in arms.values())]
    rows = tuple((name, *(_cell(each, subtask) for subtask in shown)) for name, each in arms.items())
    return (heads, PublishedTable(title="RIG-Bench by subtask", columns=("arm", *shown), rows=rows))


def _head(name: str, each: Mapping[str, Any], width: int) -> tuple[str, ...]:
    if "text" in each:
        text = each["text"]
        told = (name, f"text {plain(text['mean'])}", f"passed {text['passed']:.2f}")
        return (*told, *[""] * (width - len(told)))
    common, full = each["common"], each["full"]
    return (
        name,
        plain(common["mean"]),
        bracketed(common["ci"]),
        plain(full["mean"]),
        plain(each["open_ended"]["mean"]),
        plain(each["closed"]["mean"]),
        plain(each["open_minus_closed"]),
        *(plain(value) for value in each["dimensions"].values()),
        str(full["n"]),
        str(full["missing_outputs"]),
        str(full["unmeasured"]),
    )


def _cell(each: Mapping[str, Any], subtask: str) -> str:
    found = each.get("subtasks", {}).get(subtask)
    return "" if found is None else plain(found["mean"])
