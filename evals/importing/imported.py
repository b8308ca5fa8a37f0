"""What stands for condition and editor of outputs that another tool made: names that can't generate anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from editplan.calls.budget import CallBudget
from editplan.errors import ConfigError, Unsupported
from editplan.records import Capabilities

if TYPE_CHECKING:
    from langgraph.types import Checkpointer

    from editplan.planner.graph import Compiled
    from editplan.protocols import Images
    from editplan.records import Edited, EditJob

IMPORTED = "imported"
"""The editor's and the planner's name, and what a condition's name begins with: `imported:<model>`."""


@dataclass(frozen=True)
class ImportedCondition:
    """The outputs of one model, as they were found."""

    id: str

    @property
    def budget(self) -> CallBudget:
        """No call at all."""
        return CallBudget(agent_calls=0, generations=0)

    def build(self, checkpointer: Checkpointer = None) -> Compiled:
        """Raises `ConfigError`: there is nothing to run."""
        raise ConfigError(f"{self.id} holds outputs of another tool: they can be judged, and not be made again")


@dataclass(frozen=True)
class ImportedEditor:
    """Makes nothing."""

    id: str = IMPORTED

    @property
    def capabilities(self) -> Capabilities:
        """Takes nothing."""
        return Capabilities(max_images=0, in_process=True)

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """Raises `Unsupported`."""
        raise Unsupported("outputs of another tool can't be made again")
