"""A request on its way: ready for a graph, and its events while it runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from editplan.calls.session import Scope
from editplan.errors import ConfigError
from editplan.planner.deps import Deps
from editplan.planner.giving import Giving
from editplan.planner.result import EditResult
from editplan.planner.state import ConditionInput
from editplan.records import EditRequest, Outcome, Plan
from editplan.store import ImageStore

if TYPE_CHECKING:
    from editplan.planner.graph import Compiled

Finisher = Callable[[Outcome], Awaitable[EditResult]]


@dataclass(frozen=True)
class Prepared:
    """A request that is ready for `agent.graph`: its input, and the handles to give as `context`."""

    request: EditRequest
    deps: Deps
    images: ImageStore
    scope: Scope
    notes: tuple[str, ...] = ()
    giving: Giving | None = None
    """How the output is given back; None = as the editor made it."""

    @property
    def input(self) -> ConditionInput:
        """What the graph is invoked with."""
        return ConditionInput(request=self.request.model_dump(mode="json"))

    def in_window(self, plan: Plan | None) -> Prepared:
        """With an editor that sees only the window round the region, where the finish wants that."""
        if self.giving is None or self.deps.editor is None:
            return self
        giving, editor = self.giving.cropped(plan, self.deps.editor, self.images)
        return replace(self, giving=giving, deps=replace(self.deps, editor=editor))


class EditStream:
    """The events of one edit as they come; `result` is there after the last."""

    def __init__(self, graph: Compiled, prepared: Prepared, finishing: AbstractAsyncContextManager[Finisher]) -> None:
        self._graph = graph
        self._prepared = prepared
        self._finishing = finishing
        self.result: EditResult | None = None

    async def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        prepared, outcome = self._prepared, None
        async with self._finishing as finish:
            stream: AsyncIterator[Any] = self._graph.astream(
                prepared.input, context=prepared.deps, stream_mode=["custom", "values"], subgraphs=True
            )
            async for place, mode, chunk in stream:
                if mode == "custom":
                    yield chunk
                elif place == () and "outcome" in chunk:
                    outcome = Outcome.model_validate(chunk["outcome"])
            if outcome is None:
                raise ConfigError("the graph left no outcome: its last node must set it")
            self.result = await finish(outcome)
