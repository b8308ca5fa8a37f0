"""Place a loose object in the only empty slot, or in either of two (SD)."""

from __future__ import annotations

from editplan.evals.suites.puzzles.atoms import Kept, protected_groups
from editplan.evals.suites.puzzles.crowd import draw_looks
from editplan.evals.suites.puzzles.families.moves import copied, moved, one_stays_empty, required_move
from editplan.evals.suites.puzzles.layout import grid, grid_size
from editplan.evals.suites.puzzles.puzzle import Draw, Sketch, union_editable
from editplan.evals.suites.puzzles.scene import Scene
from editplan.evals.suites.puzzles.things import Figure, Frame
from editplan.evals.suites.puzzles.wording import listed

_ONE = (
    "Place the {target} in the only empty slot.",
    "Put the {target} into the one slot that is still empty.",
    "Move the {target} to the slot that has nothing in it.",
    "There is one empty slot. Put the {target} there.",
)
_TWO = (
    "Place the {target} in an empty slot; any empty one will do.",
    "Move the {target} into one of the empty slots, whichever you like.",
)


def sketch(draw: Draw) -> Sketch:
    """A rack of slots, all but one or two of them full, and loose figures beside it."""
    frames = _rack(draw)
    open_slots = 2 if draw.chance(0.4) else 1
    empty = draw.rng.sample(frames, open_slots)
    full = [frame for frame in frames if frame not in empty]
    loose, occupants = _figures(draw, full)
    target = loose[0]
    source = Scene(draw.table.size, draw.palette.ground, (*frames, *occupants, *loose), draw.grain)
    solutions = tuple(
        moved(source, f"into_slot_{number}", True, (target, frame.centre)) for number, frame in enumerate(empty, 1)
    )
    spot = draw.table.place(target.side + 4, target.side + 4)
    errors = (
        moved(source, "onto_another_piece", False, (target, full[0].centre)),
        moved(source, "wrong_piece", False, (draw.rng.choice(occupants), empty[0].centre)),
        moved(source, "beside_the_rack", False, (target, spot)),
        copied(source, "copy_only", target, empty[0].centre),
    )
    others = tuple(loose[1:])
    kept = (
        Kept("slots_kept", "The outlines of the slots are as in the source", tuple(frames), "relational_accuracy"),
        Kept("first_pieces_kept", f"{listed(occupants[::2])} in the rack unchanged", tuple(occupants[::2])),
        Kept("further_pieces_kept", f"{listed(occupants[1::2])} in the rack unchanged", tuple(occupants[1::2])),
        Kept("loose_pieces_kept", f"{listed(others)} beside the rack unchanged", others, "relational_accuracy"),
    )
    return Sketch(
        goal=draw.pick(*(_TWO if open_slots > 1 else _ONE)).format(target=target.name),
        state=f"The {target.name} stands in the slot at {source.at(empty[0].centre)}; its old place is empty.",
        source=source,
        solutions=solutions,
        errors=errors,
        required=required_move(source, target, empty),
        protected=protected_groups(source, union_editable(solutions), kept, one_stays_empty(source, empty)),
        boxes=(source.box(target.box), source.box(empty[0].box)),
    )


def _rack(draw: Draw) -> list[Frame]:
    """Slots in one grid."""
    columns, rows = draw.rng.choice((((4, 1), (2, 2)), ((3, 2), (2, 3)), ((4, 2), (3, 3)))[draw.level])
    cell, gap = draw.rng.randint(88, 104), draw.rng.randint(8, 30)
    width, height = grid_size(columns, rows, (cell, cell), (gap, gap))
    x, y = draw.table.place(width, height)
    stroke = draw.rng.choice((4, 5))
    boxes = grid((x - width // 2, y - height // 2), columns, rows, (cell, cell), (gap, gap))
    return [Frame(box, stroke, draw.palette.ink) for box in boxes]


def _figures(draw: Draw, full: list[Frame]) -> tuple[list[Figure], list[Figure]]:
    """Loose figures, the one to be placed first, and an occupant for each full slot; no two look alike the target."""
    count = len(full) + draw.by_level(1, 2, 3)
    looks = draw_looks(draw, max(count, 3))
    side = draw.rng.randint(56, 66)
    n_loose = draw.by_level(1, 2, 3)
    loose = [
        Figure(kind, paint, draw.table.place(side + 4, side + 4), side)
        for kind, paint in (looks[0], *looks[1 + len(full) : len(full) + n_loose])
    ]
    inside = looks[1 : 1 + len(full)]
    occupants = [Figure(kind, paint, frame.centre, side) for (kind, paint), frame in zip(inside, full, strict=True)]
    return loose, occupants
