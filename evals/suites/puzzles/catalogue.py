"""The families by name: what they need to be known beside their pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from editplan.evals.cases import Regime
from editplan.evals.suites.puzzles.puzzle import Draw, Sketch


@dataclass(frozen=True)
class Family:
    """One kind of puzzle."""

    name: str
    regime: Regime
    domain: str
    """One of SolveEdit's ten domains."""
    core: bool = False
    """One of the six families of the core set."""

    @property
    def sketch(self) -> Callable[[Draw], Sketch]:
        """Draws one case."""
        module = import_module(f"editplan.evals.suites.puzzles.families.{self.name}")
        drawn: Callable[[Draw], Sketch] = module.sketch
        return drawn


FAMILIES = {
    family.name: family
    for family in (
        Family("recolour", "IS", "art & design", core=True),
        Family("empty_slot", "SD", "games & puzzles", core=True),
        Family("legend", "RD", "geography & maps", core=True),
        Family("move", "IS", "objects & mechanisms", core=True),
        Family("count", "SD", "science & technology", core=True),
        Family("pattern", "RD", "art & design", core=True),
        Family("remove", "IS", "general scenes"),
        Family("maze", "SD", "geography & maps"),
        Family("sort", "RD", "objects & mechanisms"),
        Family("odd_one", "SD", "games & puzzles"),
    )
}
"""In the order in which a suite deals them."""
