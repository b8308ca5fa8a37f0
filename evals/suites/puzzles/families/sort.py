"""Fill a row of boxes in an order that the picture itself shows (RD)."""

from __future__ import annotations

from collections.abc import Sequence

from editplan.evals.checkers.specs import NoResidue, ObjectAt, ObjectMoved
from editplan.evals.contracts import CriterionGroup
from editplan.evals.suites.puzzles.atoms import Claim, Kept, every, group, protected_groups, region
from editplan.evals.suites.puzzles.crowd import draw_kinds
from editplan.evals.suites.puzzles.families.moves import landing, moved
from editplan.evals.suites.puzzles.layout import around, grid, grid_size
from editplan.evals.suites.puzzles.palette import GREY
from editplan.evals.suites.puzzles.puzzle import Draw, Footprint, Sketch, union_editable
from editplan.evals.suites.puzzles.scene import Scene
from editplan.evals.suites.puzzles.things import Arrow, Figure, Frame, Thing

_BY_COLOUR = (
    "Put the shapes into the boxes from left to right in the color order that the key shows.",
    "Fill the boxes from left to right with the loose shapes, in the order of the colors in the key.",
    "Sort the loose shapes into the row of boxes, left to right, as the key's colors go.",
)
_BY_SIZE = (
    "Put the shapes into the boxes from left to right in the size order that the key shows.",
    "Fill the boxes from left to right with the loose shapes, ordered by size as in the key.",
    "Sort the loose shapes into the row of boxes, left to right, by size as the key's arrow shows.",
)


def sketch(draw: Draw) -> Sketch:
    """A key, a row of empty boxes, and as many loose shapes."""
    frames = _row(draw)
    by_size = draw.chance(0.5)
    ordered = _shapes(draw, len(frames), by_size)
    rising = draw.chance(0.5)
    if by_size and not rising:
        ordered.reverse()
    key = _size_key(draw, rising) if by_size else _colour_key(draw, ordered)
    loose = [figure.moved(draw.table.place(figure.side + 4, figure.side + 4)) for figure in ordered]
    source = Scene(draw.table.size, draw.palette.ground, (*frames, *key, *loose), draw.grain)
    solution = _filled(source, "right_order", True, loose, frames)
    kept = (
        Kept("boxes_kept", "The outlines of the boxes are as in the source", tuple(frames), "relational_accuracy"),
        Kept(
            "key_frame_kept",
            "The key's frame and arrows are unchanged",
            tuple(t for t in key if not isinstance(t, Figure)),
        ),
        Kept(
            "key_shapes_kept", "The shapes in the key are unchanged", tuple(t for t in key if isinstance(t, Figure))
        ),
    )
    return Sketch(
        goal=draw.pick(*(_BY_SIZE if by_size else _BY_COLOUR)),
        state="From left to right the boxes hold " + ", ".join(f"the {figure.name}" for figure in loose) + ".",
        source=source,
        solutions=(solution,),
        errors=_errors(source, draw, loose, frames),
        required=_required(source, loose, frames),
        protected=protected_groups(source, union_editable((solution,)), kept),
        boxes=tuple(source.box(frame.box) for frame in frames),
    )


def _row(draw: Draw) -> list[Frame]:
    count = draw.by_level(3, 4, 5)
    side, gap = draw.rng.randint(98, 108), draw.rng.randint(6, 14)
    width, height = grid_size(count, 1, (side, side), (gap, gap))
    x, y = draw.table.place(width, height)
    stroke = draw.rng.choice((4, 5))
    boxes = grid((x - width // 2, y - height // 2), count, 1, (side, side), (gap, gap))
    return [Frame(box, stroke, draw.palette.ink) for box in boxes]


def _shapes(draw: Draw, count: int, by_size: bool) -> list[Figure]:
    """Shapes in their rising order, still without a place; names are distinct."""
    kinds, paints = draw_kinds(draw, 5), draw.rng.sample(draw.palette.paints, count)
    one_kind = draw.chance(0.5)
    first, step = (34, 48 // count) if by_size else (60, 0)
    return [
        Figure(kinds[0 if one_kind else number % len(kinds)], paint, (0, 0), first + step * number)
        for number, paint in enumerate(paints)
    ]


def _colour_key(draw: Draw, ordered: Sequence[Figure]) -> list[Thing]:
    """A framed strip of dots in the wanted order of colours, with small arrows between them."""
    count, dot, pitch = len(ordered), 26, 62
    width, height = (count - 1) * pitch + dot + 44, dot + 38
    x, y = draw.table.place(width, height)
    left = x - (count - 1) * pitch // 2
    key: list[Thing] = [Frame(around((x, y), width, height), 3, draw.palette.ink)]
    for number, figure in enumerate(ordered):
        spot = left + number * pitch, y
        key.append(Figure("circle", figure.paint, spot, dot))
        if number:
            key.append(Arrow((spot[0] - pitch + 20, y), (spot[0] - 19, y), 5, draw.palette.ink))
    return key


def _size_key(draw: Draw, rising: bool) -> list[Thing]:
    """A framed pair of discs, small and large, with an arrow between them."""
    width, height = 168, 82
    x, y = draw.table.place(width, height)
    sizes = (18, 46) if rising else (46, 18)
    return [
        Frame(around((x, y), width, height), 3, draw.palette.ink),
        Figure("circle", GREY, (x - 50, y), sizes[0]),
        Arrow((x - 20, y), (x + 20, y), 6, draw.palette.ink),
        Figure("circle", GREY, (x + 50, y), sizes[1]),
    ]


def _filled(
    source: Scene, name: str, admissible: bool, figures: Sequence[Figure], frames: Sequence[Frame]
) -> Footprint:
    """The transition that puts figures into the boxes one after the other."""
    return moved(source, name, admissible, *((f, frame.centre) for f, frame in zip(figures, frames, strict=False)))


def _errors(source: Scene, draw: Draw, loose: list[Figure], frames: list[Frame]) -> tuple[Footprint, ...]:
    at = draw.rng.randrange(len(loose) - 1)
    swapped = [*loose[:at], loose[at + 1], loose[at], *loose[at + 2 :]]
    return (
        _filled(source, "reversed_order", False, loose[::-1], frames),
        _filled(source, "two_swapped", False, swapped, frames),
        _filled(source, "one_place_off", False, [*loose[1:], loose[0]], frames),
        _filled(source, "half_done", False, loose[: len(loose) // 2], frames),
    )


def _required(source: Scene, loose: Sequence[Figure], frames: Sequence[Frame]) -> tuple[CriterionGroup, ...]:
    rows = [(f, region(f.mask(source.size)), frame) for f, frame in zip(loose, frames, strict=True)]
    each = [
        Claim(
            f"box_{number}",
            f"Box {number} from the left holds the {figure.name}",
            ObjectAt(source=place, destination=landing(source, figure, frame, wholly=False)),
            "It is damaged.",
        )
        for number, (figure, place, frame) in enumerate(rows, 1)
    ]
    order = every([ObjectMoved(source=p, destination=landing(source, f, frame, wholly=True)) for f, p, frame in rows])
    clean = every([NoResidue(region=place) for _, place, _ in rows])
    return (
        group("required", "semantic", "places", *each),
        group(
            "required",
            "relational",
            "order",
            Claim("order", "All boxes are filled in the order of the key, nothing twice", order),
        ),
        group("required", "visual", "old_places", Claim("no_residue", "The old places are clean background", clean)),
    )
