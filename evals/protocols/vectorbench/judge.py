"""The judge `svg`: Vector-Bench's verdict on the source of an output, computed, blind to the condition."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from editplan.errors import ConfigError, JudgeError
from editplan.evals.cases import Case
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.protocols.vectorbench.evaluator import EVALUATOR, evaluate_task
from editplan.evals.protocols.vectorbench.rules import OFFICIAL, Rules
from editplan.evals.protocols.vectorbench.suite import PROTOCOL
from editplan.evals.protocols.vectorbench.tasks import VectorTask
from editplan.evals.verdicts import AtomVerdict
from editplan.protocols import Images

_GATES = ("repair_pass", "preservation_pass", "source_preservation_pass", "validity_pass", "near_pass", "structural")


class SvgJudge:
    """Judges one SVG output against the hidden target in the task's rubric."""

    def __init__(self, rules: Rules = OFFICIAL) -> None:
        self.id = f"svg:{EVALUATOR}" if rules == OFFICIAL else f"svg:{rules.grammar.value}"
        self._rules = rules

    def check_cases(self, cases: Iterable[Case]) -> None:
        """Raises `ConfigError` before a run where no case comes from Vector-Bench."""
        if not any(case.rubric is not None and case.rubric.protocol == PROTOCOL for case in cases):
            raise ConfigError("the judge `svg` needs cases of the suite vectorbench, and no case is one")

    async def judge(self, task: JudgeTask, images: Images) -> Verdicts:
        """The verdict; score 1 for a full pass, else 0. `raw` holds the whole report as JSON.

        Raises:
            JudgeError: the task carries no Vector-Bench rubric, so the run is set up wrongly.
        """
        vector_task = _vector_task(task)
        if task.output is None:
            return Verdicts(status="missing_output", score=0.0, required=0.0, gate="fail")
        svg = ""
        if task.output.kind == "svg":
            svg = images[task.output.sha256].png().decode("utf-8", "replace")
        report = evaluate_task(vector_task, svg, self._rules)
        notes = [] if task.output.kind == "svg" else [f"the output is {task.output.kind}, not svg"]
        if report["invalid_reason"]:
            notes.append(report["invalid_reason"])
        return _verdicts(report, tuple(notes))


def _vector_task(task: JudgeTask) -> VectorTask:
    if task.rubric is None or task.rubric.protocol != PROTOCOL:
        raise JudgeError("the judge `svg` needs cases of the suite vectorbench: this one has no such rubric")
    try:
        return VectorTask.model_validate(task.rubric.fields)
    except ValidationError as wrong:
        raise JudgeError(f"the rubric holds no Vector-Bench task: {wrong.errors()[0]['msg']}") from wrong


def _verdicts(report: dict[str, Any], notes: tuple[str, ...]) -> Verdicts:
    valid = report["validity_pass"]
    return Verdicts(
        status="scored",
        score=float(report["reward"]),
        required=report["edit_completion"],
        damage=report["unintended_change_rate"] if valid else None,
        gate="pass" if valid else "fail",
        diagnostics={
            **{gate: float(report[gate]) for gate in _GATES},
            "repair_progress": report["repair_progress"],
            "edit_completion": report["edit_completion"],
            "unintended_change_rate": report["unintended_change_rate"] if valid else None,
        },
        atoms=tuple(_atom(check) for check in report["expected_changes"]),
        raw=(json.dumps(report, ensure_ascii=False, allow_nan=False),),
        notes=notes,
    )


def _atom(check: dict[str, Any]) -> AtomVerdict:
    measured = ("distance", "tolerance", "baseline_distance", "progress")
    return AtomVerdict(
        id=f"{check['part']}.{check['attribute']}",
        verdict="pass" if check["passed"] else "fail",
        reason=check["detail"] or check["comparison"],
        evidence={name: check[name] for name in measured if check[name] is not None},
    )
