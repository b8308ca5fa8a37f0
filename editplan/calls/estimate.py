"""What work will cost before it is done: from declared budgets and typical calls, or from calls already made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field

from editplan.calls.budget import CallBudget
from editplan.calls.prices import PriceTable, is_in_process
from editplan.records import CallKind, Record, Usage


class Typical(Record):
    """One call, as it usually is."""

    tokens_in: float
    tokens_out: float
    images_out: float = 0.0
    seconds: float
    cost_usd: float | None = None
    """As it was billed or counted; None = by the table."""


TYPICAL = {
    CallKind.AGENT: Typical(tokens_in=4500, tokens_out=900, seconds=12.0),
    CallKind.GENERATION: Typical(tokens_in=1300, tokens_out=2000, images_out=1.0, seconds=30.0),
    CallKind.JUDGE: Typical(tokens_in=5000, tokens_out=1500, seconds=15.0),
}
"""In: our prompts at four characters a token and 765 tokens a picture. Out and seconds are assumed."""

TOKENS_PER_IMAGE = 765
"""Of a picture of 1024 × 1024 in detail; providers differ by a factor of three either way."""

IN_PROCESS = Typical(tokens_in=0, tokens_out=0, seconds=0.2)


class Calling(Record):
    """So many calls of one kind to one model."""

    model: str
    kind: CallKind
    calls: float = Field(ge=0.0)
    in_process: bool = False
    each: Typical


class EstimateLine(Record):
    """What the calls of one kind to one model come to."""

    model: str
    kind: CallKind
    calls: int
    tokens_in: int
    tokens_out: int
    images_out: int
    cost_usd: float | None
    """None where the price is unknown."""


class Estimate(Record):
    """Calls, tokens, cost and time, before a cent is spent."""

    basis: str
    """What it rests on, in words."""
    lines: tuple[EstimateLine, ...]
    minutes: float
    """Time inside calls, divided by how many may be out at a time."""
    spent_usd: float | None = None
    """Of the cost, what is spent already."""

    @property
    def calls(self) -> int:
        """Calls of all kinds."""
        return sum(line.calls for line in self.lines)

    @property
    def cost_usd(self) -> float | None:
        """The sum; None where a price is unknown."""
        costs = [line.cost_usd for line in self.lines]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Models of unknown price."""
        return tuple(dict.fromkeys(line.model for line in self.lines if line.cost_usd is None))

    def document(self) -> dict[str, object]:
        """As a command prints it."""
        sums = {"calls": self.calls, "cost_usd": self.cost_usd, "unpriced": list(self.unpriced)}
        return {**self.model_dump(mode="json"), **sums}


def typical(model: str, kind: CallKind, calls: float, *, in_process: bool, further_images: int = 0) -> Calling:
    """So many typical calls, each with so many images beyond the usual ones."""
    each = IN_PROCESS if in_process else TYPICAL[kind]
    if not in_process:
        each = each.model_copy(update={"tokens_in": each.tokens_in + further_images * TOKENS_PER_IMAGE})
    return Calling(model=model, kind=kind, calls=calls, in_process=in_process, each=each)


def budgeted(
    budget: CallBudget, models: Mapping[CallKind, Any], *, requests: int, further_images: int = 0
) -> list[Calling]:
    """Typical calls of so many requests that use their budget up; kinds without a model are left out."""
    logical = {CallKind.AGENT: budget.agent_calls, CallKind.GENERATION: budget.generations}
    return [
        typical(
            model.id,
            kind,
            requests * logical[kind],
            in_process=is_in_process(model),
            further_images=further_images,
        )
        for kind, model in models.items()
        if model is not None
    ]


def estimated(work: Iterable[Calling], prices: PriceTable, *, concurrency: int, basis: str) -> Estimate:
    """What `work` comes to at these prices with `concurrency` calls out at a time."""
    work = tuple(each for each in work if each.calls > 0)
    seconds = sum(each.calls * each.each.seconds for each in work)
    total = sum(each.calls for each in work)
    lines = tuple(_line(each, prices) for each in work)
    return Estimate(basis=basis, lines=lines, minutes=seconds / 60.0 / max(1.0, min(concurrency, total)))


def _line(work: Calling, prices: PriceTable) -> EstimateLine:
    usage = Usage(
        tokens_in=round(work.calls * work.each.tokens_in),
        tokens_out=round(work.calls * work.each.tokens_out),
        images_out=round(work.calls * work.each.images_out),
    )
    return EstimateLine(
        model=work.model,
        kind=work.kind,
        calls=round(work.calls),
        tokens_in=usage.tokens_in,
        tokens_out=usage.tokens_out,
        images_out=usage.images_out,
        cost_usd=_cost(work, usage, prices),
    )


def _cost(work: Calling, usage: Usage, prices: PriceTable) -> float | None:
    if work.each.cost_usd is not None:
        return work.calls * work.each.cost_usd
    return prices.priced(usage, work.model, in_process=work.in_process).cost_usd
