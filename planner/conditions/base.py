"""What a condition is: an id, a budget of calls, and a graph from {request} to {outcome}."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from editplan.calls.budget import CallBudget
from editplan.planner.graph import Step, chain

if TYPE_CHECKING:
    from langgraph.types import Checkpointer

    from editplan.planner.graph import Compiled

Given = Literal["", "oracle", "hint"]


@runtime_checkable
class Condition(Protocol):
    """What the runner needs of a condition; one of a user's own needs no more."""

    @property
    def id(self) -> str:
        """Its name in tables and in the journal's keys."""
        ...

    @property
    def budget(self) -> CallBudget:
        """The logical calls that its graph may make."""
        ...

    def build(self, checkpointer: Checkpointer = None) -> Compiled:
        """The compiled graph."""
        ...


@dataclass(frozen=True)
class ChainCondition:
    """A condition whose graph is a chain of steps."""

    id: str
    budget: CallBudget
    steps: tuple[Step, ...]
    given: Given = ""
    """What the suite hands over to it, beside the request."""

    def build(self, checkpointer: Checkpointer = None) -> Compiled:
        """The compiled graph; without a checkpointer always the same one."""
        return self._graph if checkpointer is None else chain(self.steps, name=self.id, checkpointer=checkpointer)

    @cached_property
    def _graph(self) -> Compiled:
        return chain(self.steps, name=self.id)

    @property
    def thinking(self) -> tuple[Step, ...]:
        """The steps that make the instruction, up to the first generation."""
        first = next((place for place, step in enumerate(self.steps) if not step.thinking), len(self.steps))
        return self.steps[:first]

    @property
    def asks(self) -> bool:
        """Whether it calls a vision model."""
        return self.budget.agent_calls > 0

    @property
    def edits(self) -> bool:
        """Whether it makes an image."""
        return self.budget.generations > 0
