"""Mark the one figure that differs from the rest (SD)."""

from __future__ import annotations

from collections.abc import Sequence

from editplan.evals.checkers.specs import AllOf, CheckSpec, RegionMarked, UnchangedInside
from editplan.evals.contracts import CriterionGroup
from editplan.evals.suites.puzzles import wording
from editplan.evals.suites.puzzles.atoms import Claim, Kept, group, in_any_shade, protected_groups, region
from editplan.evals.suites.puzzles.crowd import draw_kinds
from editplan.evals.suites.puzzles.layout import around, grid, grid_size
from editplan.evals.suites.puzzles.palette import Paint
from editplan.evals.suites.puzzles.puzzle import Draw, Footprint, Sketch, union_editable
from editplan.evals.suites.puzzles.scene import Scene
from editplan.evals.suites.puzzles.things import Bar, Figure, Ring

_WORDINGS = (
    "Draw {a_colour} circle around the odd one out.",
    "One shape doesn't fit with the others. Circle it in {colour}.",
    "Mark the shape that is different from all the others with {a_colour} ring.",
    "Find the odd one out and draw {a_colour} ring around it.",
)
_BY_SHAPE = "The colors don't matter, only the shapes do. "
_STROKE = 6


def sketch(draw: Draw) -> Sketch:
    """Rows of figures, all alike in one respect but for one of them."""
    figures, odd, words = _figures(draw)
    ring_paint = draw.rng.choice([p for p in draw.palette.paints if p not in {f.paint for f in figures}])
    source = Scene(draw.table.size, draw.palette.ground, tuple(figures), draw.grain)
    others = [figure for figure in figures if figure is not odd]
    near = sorted(others, key=lambda f: abs(f.centre[0] - odd.centre[0]) + abs(f.centre[1] - odd.centre[1]))
    wrong = [near[0], near[1], draw.rng.choice(near[2:])]
    solution = _ringed(source, "ring_odd", True, ring_paint, others, odd)
    errors = (
        *(
            _ringed(
                source, f"ring_wrong_{number}", False, ring_paint, [f for f in figures if f is not figure], figure
            )
            for number, figure in enumerate(wrong, 1)
        ),
        _ringed(source, "ring_two", False, ring_paint, near[1:], odd, near[0]),
    )
    half = len(others) // 2
    kept = (
        Kept("first_half_kept", "The other figures in the first half are unchanged", tuple(others[:half])),
        Kept("second_half_kept", "The other figures in the second half are unchanged", tuple(others[half:])),
    )
    return Sketch(
        goal=words
        + draw.pick(*_WORDINGS).format(colour=ring_paint.name, a_colour=wording.with_article(ring_paint.name)),
        state=f"A {ring_paint.name} ring surrounds the {odd.name} at {source.at(odd.centre)}, and nothing else does.",
        source=source,
        solutions=(solution,),
        errors=errors,
        required=_required(source, odd, others, ring_paint),
        protected=protected_groups(source, union_editable((solution,)), kept, _odd_kept(source, odd)),
        boxes=(source.box(odd.box),),
    )


def _figures(draw: Draw) -> tuple[list[Figure], Figure, str]:
    """All figures, the odd one, and what the goal has to say about what counts."""
    columns, rows = draw.rng.choice((((3, 2), (4, 2)), ((4, 3), (3, 4)), ((5, 4), (4, 5)))[draw.level])
    side = draw.rng.randint(*((66, 84), (60, 74), (50, 60))[draw.level])
    cell, gap = side + 34, draw.rng.randint(0, draw.by_level(60, 36, 16))
    width, height = grid_size(columns, rows, (cell, cell), (gap, gap))
    x, y = draw.table.place(width, height)
    boxes = grid((x - width // 2, y - height // 2), columns, rows, (cell, cell), (gap, gap))
    kinds, paints = draw_kinds(draw, 2), list(draw.palette.paints[:6])
    way = draw.rng.choice(("shape", "colour", "shape_only")[: draw.by_level(2, 2, 3)])
    at = draw.rng.randrange(len(boxes))
    figures = []
    for number, box in enumerate(boxes):
        jitter = draw.rng.randint(-6, 6), draw.rng.randint(-6, 6)
        centre = (box[0] + box[2]) // 2 + jitter[0], (box[1] + box[3]) // 2 + jitter[1]
        kind = kinds[1 if number == at and way != "colour" else 0]
        paint = paints[1 if number == at and way == "colour" else 0]
        if way == "shape_only":
            paint = draw.rng.choice(paints[:3])
        figures.append(Figure(kind, paint, centre, side))
    return figures, figures[at], _BY_SHAPE if way == "shape_only" else ""


def _ringed(
    source: Scene, name: str, admissible: bool, paint: Paint, others: Sequence[Figure], *marked: Figure
) -> Footprint:
    """The transition that draws a ring around some figures, in any size that surrounds no other."""
    rings = [Ring(figure.centre, round(0.68 * figure.side), _STROKE, paint.rgb) for figure in marked]
    words = " ".join(
        f"Draw {wording.with_article(paint.name)} ring around the {f.name} at {source.at(f.centre)}." for f in marked
    )
    rest = tuple(region(figure.mask(source.size)) for figure in others)
    return Footprint(
        name,
        admissible,
        words,
        source,
        source.plus(*rings),
        free=source.mask(*(Bar(around(f.centre, f.side + 34, f.side + 34), paint.rgb) for f in marked)),
        checks=tuple(RegionMarked(region=region(f.mask(source.size)), others=rest) for f in marked),
    )


def _required(source: Scene, odd: Figure, others: Sequence[Figure], paint: Paint) -> tuple[CriterionGroup, ...]:
    place = region(odd.mask(source.size))
    rest = tuple(region(figure.mask(source.size)) for figure in others)

    def in_colour(value: str) -> CheckSpec:
        return RegionMarked(region=place, colour=value, tolerance=25.0)

    visible = UnchangedInside(region=place, pass_changed=0.1, fail_changed=0.5)
    marked = Claim("marked", f"A mark was drawn around the {odd.name} at its place", RegionMarked(region=place))
    alone = Claim(
        "only_one", "That mark singles it out: no other figure is marked", RegionMarked(region=place, others=rest)
    )
    colour = Claim("mark_color", f"The mark is {paint.name}", in_any_shade(paint.name, in_colour))
    clear = Claim(
        "mark_clear",
        "The mark goes around the figure without covering it",
        AllOf(checks=(RegionMarked(region=place), visible)),
        "It covers a part of it.",
    )
    return (
        group("required", "semantic", "mark", marked, colour),
        group("required", "relational", "choice", alone),
        group("required", "visual", "drawing", clear),
    )


def _odd_kept(source: Scene, odd: Figure) -> tuple[CriterionGroup, ...]:
    check = UnchangedInside(region=region(odd.mask(source.size)), inset_px=4, pass_changed=0.1, fail_changed=0.4)
    claim = Claim("odd_kept", f"The {odd.name} itself keeps its color and its place", check)
    return (group("protected", "semantic", "keep_odd", claim),)
