"""`pixels`: a judge that compares with the one right picture, by PaintBench's score."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from editplan.errors import ConfigError, JudgeError
from editplan.evals.cases import Case
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.protocols import Images
from editplan.records import Media

VERSION = 1
"""Raised whenever a change can alter a score."""


class PixelsJudge:
    """Mean IoU of the edited pixels over eleven colour tolerances (arXiv 2606.00188)."""

    id = f"pixels@{VERSION}"

    def check_cases(self, cases: Iterable[Case]) -> None:
        """Raises `ConfigError` before a run where no case has a reference picture."""
        if all(case.reference is None for case in cases):
            raise ConfigError(f"{self.id} compares with a reference picture, and no case has one: use another judge")

    async def judge(self, task: JudgeTask, images: Images) -> Verdicts:
        """The score with edit and preservation accuracy beside it; a missing output scores 0."""
        if task.reference is None:
            raise JudgeError(
                f"{self.id} compares with a reference picture, and this case has none: use another judge"
            )
        return await asyncio.to_thread(judge_by_reference, task.reference, task, images)


def judge_by_reference(reference: Media, task: JudgeTask, images: Images) -> Verdicts:
    """What `PixelsJudge` says, computed in this thread."""
    from editplan.evals.protocols.paintbench.metric import score

    if task.output is None:
        return Verdicts(status="missing_output", score=0.0)
    source = images[task.source[0].media.sha256].array()
    report = score(source, images[reference.sha256].array(), images[task.output.sha256].array())
    means = {name: sum(report[name]) / len(report[name]) for name in ("edit_accuracy", "preservation_accuracy")}
    return Verdicts(status="scored", score=report["mean_iou"], diagnostics=means)
