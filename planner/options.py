"""What a user may set about planning; equal for all arms of a comparison."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from editplan.errors import ConfigError
from editplan.records import Record


class PlannerOptions(Record):
    """Settings of all agent calls and of what happens round the generation."""

    temperature: float | None = 0.0
    """None leaves it to the provider."""
    max_tokens: int = Field(default=9000, ge=256)
    """The ceiling on output tokens, the same for every agent call of every arm."""
    max_crops: int = Field(default=6, ge=0, le=6)
    instruction_language: str = ""
    """BCP 47 tag or name; empty keeps the goal's language."""
    editor_guide: bool = False
    """Shows the editor's own advice on wording to the agent calls of every arm."""
    on_plan_failure: Literal["fail", "direct"] = "fail"
    """"direct" sends the goal as it is where the agent calls gave no instruction; the outcome says so."""
    review: bool = False
    """Pauses before the generation; needs a checkpointer."""

    def on_failure(self, what: Literal["fail", "direct"]) -> PlannerOptions:
        """The same with another `on_plan_failure`. Raises `ConfigError` for an unknown one."""
        if what not in ("fail", "direct"):
            raise ConfigError(f'on_plan_failure is "fail" or "direct", not {what!r}')
        return self.model_copy(update={"on_plan_failure": what})
