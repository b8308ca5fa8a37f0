"""How many logical calls a graph may make, and the meter that holds it to that."""

from __future__ import annotations

from pydantic import Field

from editplan.errors import BudgetExceeded
from editplan.records import CallKind, CallRecord, Record


class CallBudget(Record):
    """The logical calls of one condition: agent calls and generations."""

    agent_calls: int = Field(ge=0)
    generations: int = Field(ge=0)

    def __add__(self, other: CallBudget) -> CallBudget:
        return CallBudget(
            agent_calls=self.agent_calls + other.agent_calls, generations=self.generations + other.generations
        )


class BudgetMeter:
    """Counts the logical calls of one outcome; refuses the one too many before it is sent."""

    def __init__(self, budget: CallBudget | None) -> None:
        self._budget = budget
        self._used = dict.fromkeys(CallKind, 0)

    def resume(self, records: tuple[CallRecord, ...]) -> None:
        """Takes up the count of an outcome whose first part ran earlier."""
        for record in records:
            self._used[record.kind] += not record.reask

    def take(self, kind: CallKind) -> None:
        """Counts one logical call. Raises `BudgetExceeded`, with nothing sent, if it is over the budget."""
        if self._budget is not None and kind is not CallKind.JUDGE:
            allowed = self._budget.agent_calls if kind is CallKind.AGENT else self._budget.generations
            if self._used[kind] >= allowed:
                raise BudgetExceeded(
                    f"the graph asks for {kind} call {self._used[kind] + 1}, its budget is {allowed}: "
                    "declare a larger budget or fix the graph"
                )
        self._used[kind] += 1
