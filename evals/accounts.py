"""What each arm's calls came to, and whether two arms made the same number of them; all from the ledgers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from editplan.evals.rows import RunRow
from editplan.records import CallKind, Ledger, Record, Usage

NAMED_CASES = 20
"""How many unmatched cases a table names; it counts all."""


class Vector(Record):
    """What one run's planning and generating came to."""

    agent: int
    """Answered agent calls, re-asks included."""
    generations: int
    """Answered generations."""
    vision: int
    """Answered agent calls that saw an image."""
    image_pixels: int
    tokens_out: int
    instruction_words: int


class Matched(Record):
    """Whether two arms made equally many answered calls in every run that both have."""

    agent: bool
    generations: bool
    total: bool
    n_differing: int = 0
    """Runs in which agent calls or generations differ."""
    differing: tuple[str, ...] = ()
    """The first cases among them."""

    @property
    def fully(self) -> bool:
        """The word *matched* needs both equal."""
        return self.agent and self.generations


def vector_of(row: RunRow) -> Vector:
    """The matching vector of a run and what stands beside it."""
    ledger = row.outcome.calls
    agent = [call for call in ledger.calls if call.kind is CallKind.AGENT]
    usage = sum((call.usage for call in agent), Usage())
    return Vector(
        agent=ledger.answered(CallKind.AGENT),
        generations=ledger.answered(CallKind.GENERATION),
        vision=sum(1 for call in agent if call.answered and call.usage.images_in),
        image_pixels=usage.image_pixels,
        tokens_out=usage.tokens_out,
        instruction_words=len((row.outcome.instruction or "").split()),
    )


def matched(pairs: Sequence[tuple[RunRow, RunRow]]) -> Matched:
    """The matching vector of two arms over the runs that both made."""
    vectors = [(a.key.case_id, vector_of(a), vector_of(b)) for a, b in pairs]
    differing = [name for name, a, b in vectors if (a.agent, a.generations) != (b.agent, b.generations)]
    return Matched(
        agent=all(a.agent == b.agent for _, a, b in vectors),
        generations=all(a.generations == b.generations for _, a, b in vectors),
        total=all(a.agent + a.generations == b.agent + b.generations for _, a, b in vectors),
        n_differing=len(differing),
        differing=tuple(dict.fromkeys(differing))[:NAMED_CASES],
    )


def mean_vector(rows: Iterable[RunRow]) -> dict[str, float]:
    """The mean vector of an arm."""
    vectors = [vector_of(row) for row in rows]
    return {
        name: sum(getattr(vector, name) for vector in vectors) / len(vectors) if vectors else 0.0
        for name in Vector.model_fields
    }


def calls_of(rows: Iterable[RunRow], judge_rows: bool = True) -> dict[str, Any]:
    """Totals of an arm: logical calls by kind, answered calls, wire attempts, tokens, pixels, cost, seconds.

    A plan that editors share is counted in each arm's total; `billed` of the summary counts it once.
    """
    ledgers: list[Ledger] = []
    for row in rows:
        ledgers.append(row.outcome.calls)
        ledgers += [score.verdicts.calls for score in row.scores] if judge_rows else []
    usage = sum((ledger.usage() for ledger in ledgers), Usage())
    return {
        **{kind.value: sum(ledger.logical(kind) for ledger in ledgers) for kind in CallKind},
        "answered": sum(ledger.answered() for ledger in ledgers),
        "wire_attempts": sum(ledger.wire_attempts() for ledger in ledgers),
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "image_pixels": usage.image_pixels,
        "cost_usd": usage.cost_usd,
        "seconds": round(sum(ledger.seconds for ledger in ledgers), 3),
    }
