"""One generated case: its scene, the goal, every admissible answer, and wrong answers that look right."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Literal

import numpy as np

from editplan.evals.cases import Regime
from editplan.evals.checkers.specs import CheckSpec
from editplan.evals.contracts import Contract, CriterionGroup
from editplan.evals.suites.puzzles.layout import Table
from editplan.evals.suites.puzzles.palette import Palette
from editplan.evals.suites.puzzles.scene import Picture, Scene
from editplan.pixels.masks import Mask, grown
from editplan.planner.hints import OracleSpec
from editplan.records import Box

Difficulty = Literal["easy", "medium", "hard"]
LEVELS: tuple[Difficulty, ...] = ("easy", "medium", "hard")
REACH_PX = 8
"""How far around its exact pixels an honest editor's rendering may change things."""


@dataclass(frozen=True, eq=False)
class Footprint:
    """One transition as the generator renders it: what it changes, pixel by pixel."""

    name: str
    admissible: bool
    words: str
    """The transition as an explicit instruction, with places in percent."""
    source: Scene
    target: Scene
    free: Mask | None = None
    """Where its rendering is free (a number's box, a corridor, the surroundings of a mark)."""
    checks: tuple[CheckSpec, ...] = ()
    """Where the rendering is free: what shows that it was realised; all must pass. Else pixels are compared."""

    @property
    def picture(self) -> Picture:
        """The source after the transition, H x W x 3."""
        return self.target.picture

    @cached_property
    def changed(self) -> Mask:
        """The pixels that the generator's rendering changes."""
        return np.asarray((self.source.picture != self.target.picture).any(axis=-1))

    @cached_property
    def editable(self) -> Mask:
        """Where a rendering of it may differ from the source."""
        near = grown(self.changed, REACH_PX)
        return near if self.free is None else np.asarray(near | self.free)


@dataclass(frozen=True, eq=False)
class Draw:
    """What a family draws from: one seeded stream, the difficulty, colours and a canvas."""

    rng: Random
    difficulty: Difficulty
    palette: Palette
    table: Table
    grain: int | None

    @property
    def level(self) -> int:
        """0, 1 or 2."""
        return LEVELS.index(self.difficulty)

    def by_level(self, *values: int) -> int:
        """The value of this difficulty, out of three."""
        return values[self.level]

    def chance(self, share: float) -> bool:
        """True with this probability."""
        return self.rng.random() < share

    def pick(self, *wordings: str) -> str:
        """One of several wordings."""
        return self.rng.choice(wordings)


@dataclass(frozen=True, eq=False)
class Sketch:
    """What a family returns."""

    goal: str
    state: str
    """What the right output shows, in one sentence."""
    source: Scene
    solutions: tuple[Footprint, ...]
    errors: tuple[Footprint, ...]
    """Inadmissible transitions that a careless reader could take for right ones; at least three."""
    required: tuple[CriterionGroup, ...]
    protected: tuple[CriterionGroup, ...]
    boxes: tuple[Box, ...] = ()
    """Targets and destinations of the first solution."""


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A finished case with its enumerated truth."""

    case_id: str
    family: str
    difficulty: Difficulty
    regime: Regime
    domain: str
    scene_group: str
    goal: str
    source: Picture
    transitions: tuple[Footprint, ...]
    """Admissible ones first."""
    contract: Contract
    oracle: OracleSpec
    editable: Mask = field(repr=False)

    @property
    def solutions(self) -> tuple[Footprint, ...]:
        """The admissible transitions."""
        return tuple(step for step in self.transitions if step.admissible)

    @property
    def errors(self) -> tuple[Footprint, ...]:
        """The inadmissible transitions."""
        return tuple(step for step in self.transitions if not step.admissible)


def union_editable(solutions: tuple[Footprint, ...]) -> Mask:
    """Where any admissible answer may change things."""
    return np.asarray(np.logical_or.reduce([step.editable for step in solutions]))
