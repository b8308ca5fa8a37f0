"""Vector-Bench's tables (arXiv 2607.19056): the main table, where outputs stop, and the operation families."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from editplan.evals.official.rows import Arm, ArmRow, PublishedTable, percent
from editplan.evals.protocols.vectorbench.published import FULL_COLUMNS, table
from editplan.evals.protocols.vectorbench.tables import (
    ModelRow,
    ScoredOutput,
    decomposition,
    family_of,
    family_rows,
    summary,
)
from editplan.evals.protocols.vectorbench.tasks import VectorTask

_CUT_OFF = "token ceiling"
"""In the note that the SVG editor leaves on a reply that was cut off."""


def figures(arm: Arm) -> dict[str, Any]:
    """The arm as a line of the published tables; a request that ended without a document is an error."""
    outputs = [_scored(arm.name, row) for row in arm.rows if row.ending != "unsupported"]
    return {
        "row": summary(arm.name, outputs).model_dump(mode="json"),
        "decomposition": decomposition(output.report for output in outputs).model_dump(mode="json"),
        "families": [family.model_dump(mode="json") for family in family_rows(outputs)],
    }


def _scored(name: str, row: ArmRow) -> ScoredOutput:
    from editplan.evals.protocols.vectorbench.evaluator import evaluate_task

    rubric = row.case.rubric
    task = VectorTask.model_validate(rubric.fields if rubric is not None else {})
    said = row.verdicts.raw if row.verdicts is not None else ()
    report = json.loads(said[0]) if said else evaluate_task(task, None)
    outcome = row.row.outcome if row.row is not None else None
    return ScoredOutput(
        model=name,
        task_id=task.task_id,
        report=report,
        families=tuple(family_of(change.attribute) for change in task.changes),
        truncated=any(_CUT_OFF in note for note in outcome.notes) if outcome is not None else False,
        cost_usd=outcome.calls.usage().cost_usd if outcome is not None else None,
    )


def tables(arms: Mapping[str, Mapping[str, Any]]) -> Sequence[PublishedTable]:
    """The appendix table in the order of the arms, and the families."""
    rows = [ModelRow.model_validate(each["row"]) for each in arms.values()]
    header, *lines = table(rows, FULL_COLUMNS)
    named = tuple((name, *line[1:]) for name, line in zip(arms, lines, strict=True))
    families = list(dict.fromkeys(family["family"] for each in arms.values() for family in each["families"]))
    cells = tuple((name, *(_family(each, family) for family in families)) for name, each in arms.items())
    return (
        PublishedTable(title="Vector-Bench, published form (per cent)", columns=("arm", *header[1:]), rows=named),
        PublishedTable(title="Mean progress by operation family", columns=("arm", *families), rows=cells),
    )


def _family(each: Mapping[str, Any], family: str) -> str:
    return next((percent(row["progress"]) for row in each["families"] if row["family"] == family), "")
