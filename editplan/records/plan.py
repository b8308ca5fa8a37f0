"""What Inspect and Resolve leave behind."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from editplan.records.base import Box, Record, Unit


class VariableSource(StrEnum):
    """Where the answer to an open variable must come from."""

    BINDING = "binding"
    STATE = "state"
    RULE = "rule"
    PRESERVATION = "preservation"


class EvidenceSource(StrEnum):
    """Where a claim was read."""

    BINDING = "binding"
    OBSERVED_STATE = "observed_state"
    IN_SCENE_RULE = "in_scene_rule"
    PRESERVATION = "preservation"


class Validity(StrEnum):
    """How well a candidate transition is supported."""

    SUPPORTED = "supported"
    PLAUSIBLE = "plausible"
    REJECTED = "rejected"


class OpenVariable(Record):
    """Something that the request leaves open and only the image can settle."""

    name: str
    question: str
    required_source: VariableSource
    why_unresolved: str = ""


class VisualQuery(Record):
    """A crop that Inspect asks for."""

    query_id: str
    variable: str = ""
    image: int = Field(default=1, ge=1)
    """1-based index of the part that the box lies in."""
    bbox: Box
    query: str = ""


class Inspection(Record):
    """What is open in a request, and where to look closer."""

    unresolved_variables: tuple[OpenVariable, ...] = ()
    visual_queries: tuple[VisualQuery, ...] = ()
    preservation_hypotheses: tuple[str, ...] = ()


class ResolvedVariable(Record):
    """An open variable with the answer that the evidence gives, or honestly without one."""

    name: str
    status: Literal["resolved", "uncertain"]
    resolution: str = ""
    claim_ids: tuple[str, ...] = ()


class Evidence(Record):
    """One visible fact that a plan may cite."""

    claim_id: str
    claim: str
    source: EvidenceSource
    image: int = Field(default=1, ge=1)
    """1-based index of the image that shows it."""
    bbox: Box | None = None
    """Normalised [x1, y1, x2, y2] of the canonical image; None for a fact about the whole scene."""
    query_id: str | None = None
    """The crop that gave it."""
    evidence: str = ""
    confidence: Unit | None = None


class Transition(Record):
    """One candidate z: what changes, how, where to, and what stays."""

    transition_id: str
    targets: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    destination: tuple[str, ...] = ()
    goal_state: tuple[str, ...] = ()
    preserve: tuple[str, ...] = ()
    supporting_claim_ids: tuple[str, ...] = ()
    validity: Validity = Validity.PLAUSIBLE


class Challenge(Record):
    """The closest alternative and the visible fact that would make it right."""

    alternative_transition_id: str | None = None
    question: str = ""
    discriminating_claim_ids: tuple[str, ...] = ()
    outcome: Literal["supported", "uncertain", "not_applicable"] = "not_applicable"


class Obligation(Record):
    """One thing that the output must show (completion) or must still show (preservation)."""

    kind: Literal["completion", "preservation"]
    text: str


class Plan(Record):
    """A determined transition, its evidence, and the one instruction for the editor."""

    variables: tuple[ResolvedVariable, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    candidates: tuple[Transition, ...] = ()
    selected: str = ""
    challenge: Challenge = Challenge()
    obligations: tuple[Obligation, ...] = ()
    instruction: str
    uncertainties: tuple[str, ...] = ()
    inspection: Inspection | None = None

    @property
    def transition(self) -> Transition | None:
        """The selected candidate, if the plan names one that exists."""
        return next((z for z in self.candidates if z.transition_id == self.selected), None)

    @property
    def certain(self) -> bool:
        """Whether every variable is resolved and the selected transition is supported."""
        chosen = self.transition
        resolved = all(variable.status == "resolved" for variable in self.variables)
        return resolved and chosen is not None and chosen.validity is Validity.SUPPORTED
