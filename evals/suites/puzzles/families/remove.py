"""Remove a named object, or either one of two that are alike (IS)."""

from __future__ import annotations

from collections.abc import Sequence

from editplan.evals.checkers.specs import ColourAt, NoResidue, ObjectAbsent, UnchangedInside
from editplan.evals.contracts import CriterionGroup
from editplan.evals.suites.puzzles import wording
from editplan.evals.suites.puzzles.atoms import Claim, either, group, protected_groups, region
from editplan.evals.suites.puzzles.crowd import bystanders, draw_looks, scatter
from editplan.evals.suites.puzzles.families.recolour import recoloured
from editplan.evals.suites.puzzles.palette import hex_of
from editplan.evals.suites.puzzles.puzzle import Draw, Footprint, Sketch, union_editable
from editplan.evals.suites.puzzles.scene import Scene
from editplan.evals.suites.puzzles.things import Figure

_ONE = (
    "Remove the {target}.",
    "Delete the {target}.",
    "Erase the {target} from the picture.",
    "Take the {target} away.",
    "Get rid of the {target}.",
)
_EITHER = (
    "Remove one of the two {targets}; either one will do.",
    "Delete one of the two {targets}. It doesn't matter which.",
    "Take away just one of the two {targets}.",
)


def sketch(draw: Draw) -> Sketch:
    """A crowd from which one object goes."""
    figures = scatter(draw, draw_looks(draw, draw.by_level(5, 8, 11)))
    target, same_kind, same_colour = figures[:3]
    twins: tuple[Figure, ...] = (target,)
    if draw.chance(0.4):
        twins = (target, target.moved(draw.table.place(target.side + 4, target.side + 4)))
    source = Scene(draw.table.size, draw.palette.ground, (*figures, *twins[1:]), draw.grain)
    solutions = tuple(_removed(source, f"remove_{number}", True, twin) for number, twin in enumerate(twins, 1))
    other = draw.rng.choice([paint for paint in draw.palette.paints[:7] if paint != target.paint])
    errors = (
        _removed(source, "remove_same_shape", False, same_kind),
        _removed(source, "remove_same_colour", False, same_colour),
        _removed(source, "remove_too_much", False, *(twins if len(twins) > 1 else (target, same_kind))),
        recoloured(source, "recolour_instead", False, (target, other)),
    )
    wordings = _EITHER if len(twins) > 1 else _ONE
    targets = f"{target.paint.name} {wording.plural(target.kind)}"
    return Sketch(
        goal=draw.pick(*wordings).format(target=target.name, targets=targets),
        state=f"One {target.name} is gone and plain background shows in its place.",
        source=source,
        solutions=solutions,
        errors=errors,
        required=_required(source, twins),
        protected=protected_groups(
            source,
            union_editable(solutions),
            bystanders(same_kind, same_colour, figures[3:]),
            _other_twin(source, twins),
        ),
        boxes=(source.box(target.box),),
    )


def _removed(source: Scene, name: str, admissible: bool, *figures: Figure) -> Footprint:
    words = " ".join(wording.remove(source, figure) for figure in figures)
    return Footprint(name, admissible, words, source, source.without(*figures))


def _required(source: Scene, twins: Sequence[Figure]) -> tuple[CriterionGroup, ...]:
    places = [region(figure.mask(source.size)) for figure in twins]
    ground = hex_of(source.ground)
    gone = Claim(
        "gone",
        f"A {twins[0].name} that was to go is gone",
        either([ObjectAbsent(source=place) for place in places]),
        "A ghost of it is left.",
    )
    nothing = Claim(
        "nothing_instead",
        "Background and nothing else stands in its place",
        either([ColourAt(region=place, colour=ground, tolerance=11.0, pass_share=0.9) for place in places]),
        "Background in part.",
    )
    clean = Claim(
        "no_residue",
        "No outline, shade or patch is left of it",
        either([NoResidue(region=place) for place in places]),
        "A faint trace is left.",
    )
    return (
        group("required", "semantic", "absence", gone),
        group("required", "relational", "replacement", nothing),
        group("required", "visual", "surface", clean),
    )


def _other_twin(source: Scene, twins: Sequence[Figure]) -> tuple[CriterionGroup, ...]:
    if len(twins) == 1:
        return ()
    checks = [UnchangedInside(region=region(figure.mask(source.size))) for figure in twins]
    stays = Claim("other_twin_kept", f"At least one of the two like the {twins[0].name} is untouched", either(checks))
    return (group("protected", "semantic", "keep_other_twin", stays),)
