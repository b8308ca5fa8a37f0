"""How good a simulated planner, editor and judge are."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from editplan.records import Record

Chance = Annotated[float, Field(ge=0.0, le=1.0)]


class Rates(Record):
    """The `[simulation]` table of an experiment file: chances that are planted, to see whether they are found."""

    recovers: dict[str, Chance] = Field(default_factory=dict)
    """Condition → chance that what reaches the editor says the right thing; `direct`: that the editor guesses it."""
    otherwise_recovers: Chance = 0.5
    """Of the conditions that are not named."""
    executes: dict[str, Chance] = Field(default_factory=dict)
    """Editor → chance that it carries the right thing out."""
    otherwise_executes: Chance = 0.8
    damages: Chance = 0.1
    """Chance that a right output changes something else too, which costs `damage`."""
    damage: Chance = 0.4
    """D of such an output."""
    detects: Chance = 1.0
    """Chance that the judge calls a right output right."""
    false_alarm: Chance = 0.0
    """Chance that the judge calls a wrong output right."""
    judge_fails: Chance = 0.0
    """Chance that it gives no verdict."""
    unevenness: float = Field(default=0.5, ge=0.0, lt=1.0)
    """How far cases differ in difficulty: 0 = all alike, near 1 = each case is hopeless or certain in every arm."""
    cases: int = Field(default=60, ge=2)
    cases_per_scene: int = Field(default=1, ge=1)
    """Cases of one scene share their difficulty."""

    def recovery(self, condition: str) -> float:
        """The chance of a condition, or that of all unnamed ones."""
        return self.recovers.get(condition, self.otherwise_recovers)

    def execution(self, editor: str) -> float:
        """The chance of an editor, or that of all unnamed ones."""
        return self.executes.get(editor, self.otherwise_executes)
