"""Collects what a solver saw and decided, and makes the plan of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from editplan.pixels.geometry import PixelBox
from editplan.planner.embedded.places import normalised
from editplan.planner.embedded.view import View
from editplan.planner.embedded.wording import compose
from editplan.records import (
    Challenge,
    Evidence,
    EvidenceSource,
    Obligation,
    Plan,
    ResolvedVariable,
    Transition,
    Validity,
)


@dataclass(frozen=True)
class Decision:
    """What a solver wants done, before it is put into the published form."""

    chosen: Transition
    steps: tuple[str, ...]
    """Whole sentences for the editor, in order."""
    keep: str
    """One sentence on what must not change."""
    others: tuple[Transition, ...] = ()
    question: str = ""
    """Which visible fact would make the first of `others` right."""
    deciding: tuple[str, ...] = ()
    """Claims that answer the question."""
    uncertainties: tuple[str, ...] = ()


@dataclass(eq=False)
class Notebook:
    """The claims and variables of one plan; boxes are in pixels of the view's canvas."""

    view: View
    evidence: list[Evidence] = field(default_factory=list)
    variables: list[ResolvedVariable] = field(default_factory=list)

    def claim(
        self,
        text: str,
        source: EvidenceSource,
        box: PixelBox | None = None,
        *,
        seen: str = "",
        confidence: float = 0.97,
    ) -> str:
        """Write down one visible fact; returns its id."""
        claim_id = f"e{len(self.evidence) + 1}"
        crop = self.view.crop_of(box) if box is not None else None
        self.evidence.append(
            Evidence(
                claim_id=claim_id,
                claim=text,
                source=source,
                image=self.view.source.number,
                bbox=None if box is None else normalised(box, self.view.size),
                query_id=crop.crop.query_id if crop is not None and crop.crop is not None else None,
                evidence=seen or text,
                confidence=confidence,
            )
        )
        return claim_id

    def variable(
        self,
        name: str,
        resolution: str,
        claims: tuple[str, ...],
        status: Literal["resolved", "uncertain"] = "resolved",
    ) -> None:
        """Write down what an open variable turned out to be."""
        self.variables.append(ResolvedVariable(name=name, status=status, resolution=resolution, claim_ids=claims))

    def plan(self, decision: Decision) -> Plan:
        """The plan of a decision that the claims support."""
        chosen = decision.chosen
        other = decision.others[0].transition_id if decision.others else None
        sure = chosen.validity is Validity.SUPPORTED
        return Plan(
            variables=tuple(self.variables),
            evidence=tuple(self.evidence),
            candidates=(chosen, *decision.others),
            selected=chosen.transition_id,
            challenge=Challenge(
                alternative_transition_id=other,
                question=decision.question,
                discriminating_claim_ids=decision.deciding if other else (),
                outcome="not_applicable" if other is None else "supported" if sure else "uncertain",
            ),
            obligations=(
                *(Obligation(kind="completion", text=text) for text in chosen.goal_state),
                *(Obligation(kind="preservation", text=text) for text in chosen.preserve),
            ),
            instruction=compose(decision.steps, decision.keep),
            uncertainties=decision.uncertainties,
        )
