"""Crowds of figures: the one that a goal names, and others that share its shape or its colour but never both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from editplan.evals.suites.puzzles.atoms import Kept
from editplan.evals.suites.puzzles.palette import Paint
from editplan.evals.suites.puzzles.puzzle import Draw
from editplan.evals.suites.puzzles.things import KINDS, Figure
from editplan.evals.suites.puzzles.wording import listed
from editplan.pixels.geometry import PixelBox

Look = tuple[str, Paint]
"""Shape name and colour."""

_ALIKE = ({"pentagon", "hexagon"}, {"circle", "hexagon"}, {"square", "diamond"})
"""Shapes that small pictures confuse; a crowd has one of each set."""


def draw_kinds(draw: Draw, count: int) -> list[str]:
    """Distinct shape names that are told apart easily."""
    kinds: list[str] = []
    for kind in draw.rng.sample(KINDS, len(KINDS)):
        if all(not (kind in pair and set(kinds) & pair) for pair in _ALIKE):
            kinds.append(kind)
    return kinds[:count]


def draw_looks(draw: Draw, count: int, paints: Sequence[Paint] = ()) -> list[Look]:
    """Distinct looks in some paints. The second shares the first one's shape, the third its colour."""
    kinds = draw_kinds(draw, 6)
    paints = list(paints or draw.palette.paints[:7])
    head = kinds.pop(0), draw.rng.choice(paints)
    others = [paint for paint in paints if paint != head[1]]
    looks: list[Look] = [head, (head[0], draw.rng.choice(others)), (draw.rng.choice(kinds), head[1])]
    rest = [(kind, paint) for kind in [head[0], *kinds] for paint in paints if (kind, paint) not in looks]
    draw.rng.shuffle(rest)
    return (looks + rest)[:count]


def draw_side(draw: Draw) -> int:
    """A figure's side in pixels: large on easy scenes, mixed on hard ones."""
    low, high = ((72, 104), (60, 96), (54, 88))[draw.level]
    return draw.rng.randint(low, high)


def scatter(draw: Draw, looks: Iterable[Look], within: PixelBox | None = None) -> list[Figure]:
    """A figure for each look, at free places. Raises `NoRoom`."""
    figures = []
    for kind, paint in looks:
        side = draw_side(draw)
        figures.append(Figure(kind, paint, draw.table.place(side + 4, side + 4, within), side))
    return figures


def bystanders(same_kind: Figure, same_colour: Figure, rest: Sequence[Figure]) -> tuple[Kept, ...]:
    """Claims on all figures that a goal doesn't name; each can fail alone."""
    halves = [(name, tuple(part)) for name, part in (("some", rest[::2]), ("further", rest[1::2])) if part]
    return (
        Kept("same_shape_kept", f"The {same_kind.name} is as in the source", (same_kind,)),
        Kept("same_colour_kept", f"The {same_colour.name} is as in the source", (same_colour,)),
        *(
            Kept(f"{name}_others_kept", f"{listed(part)} unchanged, in place", part, "relational_accuracy")
            for name, part in halves
        ),
    )
