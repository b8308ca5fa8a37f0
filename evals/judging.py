"""The judge protocol: a blind task in, verdicts out."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from pydantic import Field

from editplan.evals.cases import Rubric
from editplan.evals.contracts import Contract
from editplan.evals.verdicts import AtomVerdict
from editplan.protocols import Images
from editplan.records import Ledger, Media, Part, Record

ScoreStatus = Literal[
    "scored", "missing_output", "judge_refused", "judge_unparseable", "judge_incomplete", "judge_error"
]


class JudgeTask(Record):
    """What a judge is given: never the condition, the editor, the plan or the instruction of an arm."""

    source: tuple[Part, ...]
    output: Media | None = None
    """None: there was none; the judge decides what that scores (`missing_output`)."""
    text: str | None = None
    """The answer of a condition that answers in words."""
    goal: str
    contract: Contract | None = None
    rubric: Rubric | None = None
    reference: Media | None = None
    attempt: int = Field(default=0, ge=0)
    """How often judging this output has failed before: a new attempt asks models anew."""


class Verdicts(Record):
    """One judge's word on one output."""

    status: ScoreStatus
    score: float | None = None
    """The headline on the suite's scale; None where nothing was measured (a judge failure)."""
    required: float | None = None
    damage: float | None = None
    coverage: float | None = None
    gate: str = ""
    """"pass" | "fail" | "abstain" where the protocol has a gate."""
    diagnostics: dict[str, float | None] = Field(default_factory=dict)
    atoms: tuple[AtomVerdict, ...] = ()
    samples: int = 1
    """Judge samples that the score is made of."""
    sample_scores: tuple[float, ...] = ()
    """The score that each usable sample alone gives, in order."""
    not_returned: int = 0
    """Atoms that the judge left out twice; they count as abstained."""
    report: dict[str, Any] = Field(default_factory=dict)
    """What a benchmark's own tables are made of, in its own terms and scales."""
    model: str = ""
    """The judge model that the provider returned."""
    raw: tuple[str, ...] = ()
    """Raw replies, in order."""
    calls: Ledger = Ledger()
    attempt: int = 0
    """The task's attempt."""
    notes: tuple[str, ...] = ()

    @property
    def spread(self) -> float | None:
        """Largest minus smallest score over the samples; None for fewer than two."""
        return max(self.sample_scores) - min(self.sample_scores) if len(self.sample_scores) > 1 else None


class Judge(Protocol):
    """Judges one output."""

    @property
    def id(self) -> str:
        """Name and version, or the model's spec."""
        ...

    async def judge(self, task: JudgeTask, images: Images) -> Verdicts:
        """Never raises for a bad output: that is a verdict."""
        ...
