"""What a judge or a checker says of one output: a gate and one verdict an atom."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from editplan.records import Box, Record, Unit

Verdict = Literal["pass", "partial", "fail", "abstain"]
GateStatus = Literal["pass", "fail", "abstain"]


class AtomVerdict(Record):
    """The verdict on one atom, always of its *positive* criteria, with what it rests on."""

    id: str
    verdict: Verdict
    confidence: Unit = 1.0
    reason: str = ""
    evidence: dict[str, float | int | str | bool] = Field(default_factory=dict)
    """Measured numbers by name; shares are 0..1, lengths end in `_px`, areas in `_px` of the source image."""
    box: Box | None = None
    """The part of the source image that the verdict points at."""

    def as_reply(self) -> dict[str, Any]:
        """The item of `atomic_results` in a judge's reply (SolveEdit, judge-response format)."""
        shown = ", ".join(f"{name}={_short(value)}" for name, value in self.evidence.items())
        if self.box is not None:
            shown = f"{shown}; box={[round(edge, 4) for edge in self.box]}" if shown else f"box={list(self.box)}"
        return {
            "id": self.id,
            "verdict": self.verdict,
            "confidence": self.confidence,
            "reason": self.reason,
            "visual_evidence": shown,
        }


class GateVerdict(Record):
    """Whether an output is an image that can be judged at all; a merely wrong edit passes."""

    status: GateStatus
    reason: str = ""
    evidence: dict[str, float | int | str | bool] = Field(default_factory=dict)

    def as_reply(self) -> dict[str, Any]:
        """The `quality_gate` of a judge's reply."""
        shown = ", ".join(f"{name}={_short(value)}" for name, value in self.evidence.items())
        return {"status": self.status, "confidence": 1.0, "reason": self.reason, "visual_evidence": shown}


def _short(value: float | int | str | bool) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
