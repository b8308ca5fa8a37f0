"""`summary.csv`: one row a run, those that were not made included."""

from __future__ import annotations

import csv
import io
from typing import Any

from editplan.evals.accounts import vector_of
from editplan.evals.cases import Case
from editplan.evals.rows import RunKey, RunRow
from editplan.evals.run import Run
from editplan.evals.summary import NOT_RUN, groups_of

_VECTOR = ("agent", "generations", "vision", "image_pixels", "tokens_out", "instruction_words")


def summary_csv(run: Run) -> str:
    """The sheet as text, in the suite's order; cells that a spreadsheet would run as a formula are quoted."""
    columns = sorted({column for case in run.cases for column in groups_of(case)})
    head = ["case_id", "condition", "editor", "replicate", "status", "regime", "scene_group", *columns]
    head += [f"{judge}:{part}" for judge in run.judges for part in ("status", "score", "required", "damage", "gate")]
    head += [*_VECTOR, "wire_attempts", "cost_usd", "seconds", "output"]
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(head)
    for condition in run.experiment.conditions:
        for editor in run.experiment.editors:
            for case in run.cases:
                for key in run.keys_of(case, condition, editor):
                    writer.writerow([_safe(cell) for cell in _line(run, case, key, columns)])
    return buffer.getvalue()


def _line(run: Run, case: Case, key: RunKey, columns: list[str]) -> list[Any]:
    row = run.rows.get(key)
    groups = groups_of(case)
    line: list[Any] = [key.case_id, key.condition, key.editor, key.replicate]
    line += [row.outcome.status.value if row else NOT_RUN, case.regime or "", case.unit]
    line += [groups.get(column, "") for column in columns]
    for judge in run.judges:
        found = row.score_of(judge) if row else None
        line += [found.status, found.score, found.required, found.damage, found.gate] if found else [""] * 5
    return line + (_spent(row) if row else [""] * (len(_VECTOR) + 4))


def _spent(row: RunRow) -> list[Any]:
    vector = vector_of(row)
    ledger, media = row.outcome.calls, row.outcome.media
    values = [getattr(vector, name) for name in _VECTOR]
    return [
        *values,
        ledger.wire_attempts(),
        ledger.usage().cost_usd,
        round(row.outcome.seconds, 3),
        media and media.sha256,
    ]


def _safe(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in {"=", "+", "-", "@", "\t", "\r"} else cell
