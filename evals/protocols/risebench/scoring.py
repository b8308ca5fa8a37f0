"""RISEBench's score of one output (arXiv 2504.02826, section 3; the released script)."""

from __future__ import annotations

from typing import Literal

from editplan.evals.protocols.risebench.items import Mode, RiseItem
from editplan.records import Record

Status = Literal["scored", "missing_output", "judge_failed"]

LOWEST, HIGHEST = 1.0, 5.0


class Judgement(Record):
    """The dimensions of one output, as the judge gave them: 1 to 5, or 0 or 1 for a logical item."""

    index: str
    status: Status = "scored"
    consistency: int | None = None
    """None where the item has no such demand."""
    reasoning: int | None = None
    plausibility: int | None = None
    """None for a logical item."""

    def dimension(self, name: Literal["consistency", "reasoning", "plausibility"], item: RiseItem) -> float | None:
        """One dimension on 1 to 5; a missing output has 1 in each that applies."""
        applies = {
            "consistency": not item.consistency_free,
            "reasoning": True,
            "plausibility": not item.logical,
        }
        if self.status == "missing_output":
            return LOWEST if applies[name] else None
        value: int | None = getattr(self, name)
        if value is None or self.status == "judge_failed":
            return None
        return 4.0 * min(value, 1) + 1.0 if item.logical else float(value)


def score(item: RiseItem, judgement: Judgement, mode: Mode = "strict") -> float | None:
    """The weighted score on 1 to 5; None if a dimension that it needs wasn't measured.

    0.3 consistency + 0.5 reasoning + 0.2 plausibility; 0.3 and 0.7 of the first two for a logical item; 0.8
    reasoning + 0.2 plausibility without a demand for consistency. Reasoning 1 halves it, down to 1.
    """
    consistency = judgement.dimension("consistency", item)
    reasoning = judgement.dimension("reasoning", item)
    plausibility = judgement.dimension("plausibility", item)
    if reasoning is None:
        return None
    if item.logical:
        total = None if consistency is None else 0.3 * consistency + 0.7 * reasoning
    elif plausibility is None:
        total = None
    elif item.official_consistency_free if mode == "official" else item.consistency_free:
        total = 0.2 * plausibility + 0.8 * reasoning
    else:
        total = None if consistency is None else 0.3 * consistency + 0.5 * reasoning + 0.2 * plausibility
    if total is not None and reasoning == LOWEST:
        return max(total * 0.5, LOWEST)
    return total


def accurate(item: RiseItem, judgement: Judgement, mode: Mode = "strict") -> bool:
    """True if every dimension is 5.

    `official` asks for consistency even where it wasn't judged, so such an item never counts, as in the
    released script; `strict` asks for the dimensions that apply.
    """
    names: list[Literal["consistency", "reasoning", "plausibility"]] = ["reasoning"]
    if mode == "official" or not item.consistency_free:
        names.append("consistency")
    if not item.logical:
        names.append("plausibility")
    return all(judgement.dimension(name, item) == HIGHEST for name in names)


def percent(value: float) -> float:
    """A score on 1 to 5 as 0 to 100."""
    return 25.0 * (value - 1.0)
