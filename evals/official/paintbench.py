"""PaintBench's rollup (arXiv 2606.00188): problems to tasks to categories to the benchmark, a missing output 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from editplan.evals.official.rows import Arm, PublishedTable, bracketed, percent
from editplan.evals.protocols.paintbench.problems import CATEGORIES


def figures(arm: Arm) -> dict[str, Any]:
    """The rollup of all problems, and beside it that of those whose answer does what the words say."""
    from editplan.evals.protocols.paintbench.rollup import ProblemScore, as_worded, roll_up

    scores = [
        ProblemScore(
            problem_id=row.case.case_id,
            task=row.case.groups.get("task", ""),
            category=row.case.groups.get("category", ""),
            visual_condition=row.case.groups.get("visual_condition", ""),
            mean_iou=(row.verdicts.score if row.verdicts is not None else None) or 0.0,
            follows_words=row.case.groups.get("as_worded", "yes") == "yes",
        )
        for row in arm.rows
        if row.ending != "unsupported"
    ]
    everything, worded = roll_up(scores), roll_up(as_worded(scores), resamples=0)
    return {
        **everything.model_dump(mode="json"),
        "as_worded": worded.benchmark.model_dump(mode="json") if worded.benchmark else None,
    }


def tables(arms: Mapping[str, Mapping[str, Any]]) -> Sequence[PublishedTable]:
    """Categories and the benchmark, mean IoU in per cent."""
    columns = ("arm", *CATEGORIES, "mIoU", "95% CI", "as worded")
    rows = []
    for name, each in arms.items():
        whole = each["benchmark"] or {}
        cells = [percent((each["categories"].get(category) or {}).get("mean")) for category in CATEGORIES]
        interval = bracketed(whole.get("ci"), 1, 100.0)
        rows.append(
            (name, *cells, percent(whole.get("mean")), interval, percent((each["as_worded"] or {}).get("mean")))
        )
    return (PublishedTable(title="PaintBench, published form (per cent)", columns=columns, rows=tuple(rows)),)
