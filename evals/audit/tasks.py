"""What an audit asks and what it gets: outputs whose truth is known, and a judge's word on each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from pydantic import Field

from editplan.evals.cases import Regime
from editplan.evals.contracts import CONTRACT_V3, Contract, Role
from editplan.evals.judging import JudgeTask, ScoreStatus, Verdicts
from editplan.evals.solvescore import score_judge_reply
from editplan.evals.verdicts import Verdict
from editplan.records import Record, digest

Part = Literal["puzzles", "pictures"]


class AtomTruth(Record):
    """What is true of one atom of one output."""

    id: str
    role: Role
    property: str
    verdict: Verdict


class AuditTask(Record):
    """One output for the judge, and beside it what the judge never sees."""

    part: Part
    unit: str
    """The picture or scene that it was made from; the unit of resampling."""
    kind: str
    """What was done to it: "solution", "error", ..., a kind of damage, or a kind of no-op."""
    size: float | None = None
    """Side of the damaged patch as a share of the picture's shorter side; mean CIE76 of a tint; a shift's share."""
    damaged: bool = False
    """Whether a protected thing was damaged on purpose."""
    regime: Regime | None = None
    truth: tuple[AtomTruth, ...]
    """Atoms whose truth isn't certain are left out."""
    score: float
    """The SolveScore that follows from the truth, or its best bound where an atom's truth is open."""
    task: JudgeTask

    @cached_property
    def task_id(self) -> str:
        """A digest of everything that the judge is shown, and of nothing else."""
        return task_digest(self.task)


class AuditRow(Record):
    """One judged task, as `rows.jsonl` keeps it."""

    task_id: str
    judge: str
    part: Part
    unit: str
    kind: str
    size: float | None
    damaged: bool
    regime: Regime | None
    truth: tuple[AtomTruth, ...]
    verdicts: dict[str, Verdict] = Field(default_factory=dict)
    """The judge's, by atom id; a missing one counts as an abstention."""
    status: ScoreStatus
    score_true: float
    score_judged: float | None
    gate: str = ""
    model: str = ""
    notes: tuple[str, ...] = ()

    @property
    def judged(self) -> bool:
        """Whether the judge gave verdicts at all."""
        return self.status == "scored"

    def verdict(self, atom: str) -> Verdict:
        """The judge's verdict on an atom."""
        return self.verdicts.get(atom, "abstain")

    @property
    def alarms(self) -> bool:
        """Whether the judge called any protected atom damaged, or failed the gate."""
        protected = [truth.id for truth in self.truth if truth.role == "protected"]
        named = protected or list(self.verdicts)
        return self.gate == "fail" or any(self.verdict(atom) in ("fail", "partial") for atom in named)

    @property
    def seen(self) -> bool:
        """Whether planted damage was noticed: an atom that it breaks is called fail or partial, or the gate fails."""
        broken = [truth.id for truth in self.truth if truth.role == "protected" and truth.verdict != "pass"]
        return self.gate == "fail" or any(self.verdict(atom) in ("fail", "partial") for atom in broken)


def task_digest(task: JudgeTask) -> str:
    """24 hex digits that stand for what a judge is shown."""
    return digest(task.model_dump(mode="json"))[:24]


def judged_row(task: AuditTask, judge: str, verdicts: Verdicts) -> AuditRow:
    """The row of a task and what the judge said."""
    return AuditRow(
        task_id=task.task_id,
        judge=judge,
        part=task.part,
        unit=task.unit,
        kind=task.kind,
        size=task.size,
        damaged=task.damaged,
        regime=task.regime,
        truth=task.truth,
        verdicts={atom.id: atom.verdict for atom in verdicts.atoms},
        status=verdicts.status,
        score_true=task.score,
        score_judged=verdicts.score,
        gate=verdicts.gate,
        model=verdicts.model,
        notes=verdicts.notes,
    )


def true_score(contract: Contract, verdicts: Mapping[str, Verdict]) -> float:
    """The SolveScore of an output with these verdicts and a gate that passes."""
    results = [{"id": atom, "verdict": verdict} for atom, verdict in verdicts.items()]
    reply = {"quality_gate": {"status": "pass"}, "atomic_results": results}
    # Only what weights are made of: the checks of a puzzle are long, and dumping them costs more than scoring.
    groups = [
        {"role": group.role, "property": group.property, "atoms": [{"id": atom.id} for atom in group.atoms]}
        for group in contract.criterion_groups
    ]
    return score_judge_reply({"schema_version": CONTRACT_V3, "criterion_groups": groups}, reply).score


def without_checks(contract: Contract) -> Contract:
    """The contract as a model alone judges it: no atom is assigned to code."""
    groups = tuple(
        group.model_copy(update={"atoms": tuple(atom.model_copy(update={"check": None}) for atom in group.atoms)})
        for group in contract.criterion_groups
    )
    return contract.model_copy(update={"criterion_groups": groups})
