"""RISEBench's table (arXiv 2504.02826): score and accuracy overall and by category, published rule and ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from editplan.evals.official.rows import Arm, ArmRow, PublishedTable, bracketed, percent, plain
from editplan.evals.protocols.carried import item_in
from editplan.evals.protocols.risebench.items import RiseItem
from editplan.evals.protocols.risebench.scoring import Judgement
from editplan.evals.protocols.risebench.tables import table

_DIMENSIONS = ("consistency", "reasoning", "plausibility")


def figures(arm: Arm) -> dict[str, Any]:
    """The published lines under both rules."""
    rows = [row for row in arm.rows if row.ending != "unsupported"]
    items = [item_in(row.case.rubric, RiseItem) for row in rows]
    judgements = [_judgement(row) for row in rows]
    return {
        "official": [line.model_dump(mode="json") for line in table(items, judgements, "official")],
        "strict": [line.model_dump(mode="json") for line in table(items, judgements, "strict")],
    }


def _judgement(row: ArmRow) -> Judgement:
    report = row.verdicts.report if row.verdicts is not None else {}
    # A dimension that failed leaves the others to be seen; the score is missing all the same.
    marks = {name: report.get(name) for name in _DIMENSIONS}
    failed = row.ending == "judge_failed" and not any(value is not None for value in marks.values())
    status: Any = "missing_output" if row.ending == "missing_output" else "judge_failed" if failed else "scored"
    return Judgement(index=row.case.case_id, status=status, **marks)


def tables(arms: Mapping[str, Mapping[str, Any]]) -> Sequence[PublishedTable]:
    """One table an arm: the lines in the published order."""
    return tuple(_table(name, each) for name, each in arms.items())


def _table(name: str, each: Mapping[str, Any]) -> PublishedTable:
    columns = (
        "",
        "Score (official)",
        "%",
        "Accuracy %",
        "Score (strict)",
        "%",
        "Accuracy %",
        "within",
        "N",
        "unmeasured",
    )
    rows = tuple(
        (
            published["label"],
            plain(published["score"]),
            plain(published["percentage"], 1),
            percent(published["accuracy"]),
            plain(ours["score"]),
            plain(ours["percentage"], 1),
            percent(ours["accuracy"]),
            bracketed(ours["bounds"], 1),
            str(ours["n"]),
            str(ours["unmeasured"]),
        )
        for published, ours in zip(each["official"], each["strict"], strict=True)
    )
    return PublishedTable(title=f"RISEBench, published form: {name}", columns=columns, rows=rows)
