"""Recolour a named object (IS)."""

from __future__ import annotations

from editplan.evals.contracts import CriterionGroup
from editplan.evals.suites.puzzles import wording
from editplan.evals.suites.puzzles.atoms import Claim, evenly_painted, group, outlined, painted, protected_groups
from editplan.evals.suites.puzzles.crowd import bystanders, draw_looks, scatter
from editplan.evals.suites.puzzles.palette import Paint
from editplan.evals.suites.puzzles.puzzle import Draw, Footprint, Sketch, union_editable
from editplan.evals.suites.puzzles.scene import Scene
from editplan.evals.suites.puzzles.things import Figure

_WORDINGS = (
    "Recolor the {target} {colour}.",
    "Change the color of the {target} to {colour}.",
    "Paint the {target} {colour}.",
    "Make the {target} {colour}.",
    "Turn the {target} {colour}.",
    "The {target} should be {colour} instead.",
)


def sketch(draw: Draw) -> Sketch:
    """A crowd in which one object gets another colour."""
    figures = scatter(draw, draw_looks(draw, draw.by_level(5, 8, 11)))
    target, same_kind, same_colour = figures[:3]
    new_paints = [p for p in draw.palette.paints[:7] if p not in (target.paint, same_kind.paint)]
    paint, wrong = draw.rng.sample(new_paints, 2)
    source = Scene(draw.table.size, draw.palette.ground, tuple(figures), draw.grain)
    solution = recoloured(source, "recolour_target", True, (target, paint))
    errors = (
        recoloured(source, "recolour_same_shape", False, (same_kind, paint)),
        recoloured(source, "recolour_same_colour", False, (same_colour, paint)),
        recoloured(source, "wrong_colour", False, (target, wrong)),
        recoloured(source, "recolour_every_such_shape", False, (target, paint), (same_kind, paint)),
    )
    kept = bystanders(same_kind, same_colour, figures[3:])
    return Sketch(
        goal=draw.pick(*_WORDINGS).format(target=target.name, colour=paint.name),
        state=f"The {target.kind} at {source.at(target.centre)} is {paint.name}; all else is as before.",
        source=source,
        solutions=(solution,),
        errors=errors,
        required=_required(source, target, paint),
        protected=protected_groups(source, union_editable((solution,)), kept),
        boxes=(source.box(target.box),),
    )


def recoloured(source: Scene, name: str, admissible: bool, *changes: tuple[Figure, Paint]) -> Footprint:
    """The transition that paints some figures; any shade of a colour's name will do."""
    return Footprint(
        name,
        admissible,
        " ".join(wording.recolour(source, figure, paint.name) for figure, paint in changes),
        source,
        source.swapped(*((figure, figure.painted(paint)) for figure, paint in changes)),
        checks=tuple(painted(figure.mask(source.size), paint.name) for figure, paint in changes),
    )


def _required(source: Scene, target: Figure, paint: Paint) -> tuple[CriterionGroup, ...]:
    where, colour = target.mask(source.size), paint.name
    new = Claim("new_color", f"The former {target.name} is {colour}", painted(where, colour), "A part of it is.")
    same = Claim(
        "same_shape",
        f"What became {colour} is the whole {target.kind} at {source.at(target.centre)} in its old outline",
        outlined(where, colour),
        "Its outline has changed somewhat.",
    )
    even = Claim(
        "even_fill",
        f"The {colour} fill is even, without streaks or leftovers",
        evenly_painted(where, colour),
        "Slight streaks.",
    )
    return (
        group("required", "semantic", "color", new),
        group("required", "relational", "identity", same),
        group("required", "visual", "fill", even),
    )
