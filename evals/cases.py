"""What a suite yields: a request for the conditions, and beside it what only the evaluator may see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Protocol

from pydantic import Field

from editplan.evals.contracts import Contract
from editplan.planner.hints import KnowledgeHint, OracleSpec
from editplan.records import EditRequest, Media, Record
from editplan.store import ImageStore

Regime = Literal["IS", "SD", "RD"]
"""Instruction-specified, state-dependent, rule-dependent (SolveEdit, section 3)."""


class Rubric(Record):
    """What a rubric judge needs beside request and output; `ground_truth` only where the benchmark shows it."""

    protocol: str
    """Whose rubric: "rigbench" | "wiseedit" | "risebench" | ..."""
    subtask: str = ""
    criteria: str = ""
    hint: str = ""
    ground_truth: tuple[Media, ...] = ()
    fields: dict[str, Any] = Field(default_factory=dict)


class Case(Record):
    """One item of a suite. A condition sees `request` and nothing else of it."""

    case_id: str
    request: EditRequest
    contract: Contract | None = None
    rubric: Rubric | None = None
    reference: Media | None = None
    """The one right picture, where the benchmark has one."""
    regime: Regime | None = None
    domain: str = ""
    difficulty: str = ""
    provenance: str = ""
    scene_group: str = ""
    """Cases that share a scene or nearly so; the unit of resampling. Empty = the case itself."""
    oracle: OracleSpec | None = None
    hint: KnowledgeHint | None = None
    groups: dict[str, str] = Field(default_factory=dict)
    """Further columns for tables: family, subtask, visual condition, ..."""

    @property
    def unit(self) -> str:
        """What is resampled."""
        return self.scene_group or self.case_id


class InvalidCase(Record):
    """An item that can't be run; it is listed with its error and never scored."""

    case_id: str
    error: str


class Suite(Protocol):
    """Yields cases one by one, in a fixed order; a broken item becomes an `InvalidCase` and the rest goes on."""

    @property
    def id(self) -> str:
        """The suite's spec with all its parameters."""
        ...

    @property
    def metric(self) -> str:
        """The headline score: "solvescore" | "mean_iou" | "rubric" | ..."""
        ...

    def cases(self, images: ImageStore) -> Iterator[Case | InvalidCase]:
        """Reads or makes the items; their pictures go into `images`. Raises `DatasetError` for an unusable suite."""
        ...
