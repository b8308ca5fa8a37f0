"""Complete a repeating pattern in its empty cell (RD)."""

from __future__ import annotations

from editplan.evals.checkers.specs import AllOf, CheckSpec, ColourAt, ColourEven, ShapeAt
from editplan.evals.contracts import CriterionGroup
from editplan.evals.suites.puzzles import wording
from editplan.evals.suites.puzzles.atoms import (
    Claim,
    Kept,
    group,
    in_any_shade,
    pixel_region,
    protected_groups,
    region,
)
from editplan.evals.suites.puzzles.crowd import Look, draw_looks
from editplan.evals.suites.puzzles.families.moves import moved
from editplan.evals.suites.puzzles.layout import around, grid, grid_size
from editplan.evals.suites.puzzles.puzzle import Draw, Footprint, Sketch, union_editable
from editplan.evals.suites.puzzles.scene import Scene
from editplan.evals.suites.puzzles.things import Bar, Figure, Frame
from editplan.pixels.geometry import PixelBox

_WORDINGS = (
    "Complete the pattern in the empty cell.",
    "Draw the missing piece of the pattern into the empty box.",
    "Continue the pattern: fill in the empty cell.",
    "What belongs in the empty cell? Draw it there.",
)
_SHAPES = (((6, 1, 2), (5, 1, 2)), ((7, 1, 3), (4, 2, 3)), ((4, 3, 4), (5, 2, 4), (4, 3, 3)))
"""Columns, rows and period for each difficulty; the sequence runs in reading order."""


def sketch(draw: Draw) -> Sketch:
    """Cells that repeat a sequence of pieces, one of them empty."""
    frames, period = _cells(draw)
    side = round(0.56 * (frames[0].box[2] - frames[0].box[0]))
    looks = draw_looks(draw, 9)
    pieces = [Figure(*looks[number % period], frame.centre, side) for number, frame in enumerate(frames)]
    hole = draw.rng.randrange(len(frames))
    missing, cell = pieces.pop(hole), frames[hole]
    strays = tuple(_stray(draw, look) for look in looks[4 : 4 + draw.by_level(1, 2, 3)])
    source = Scene(draw.table.size, draw.palette.ground, (*frames, *pieces, *strays), draw.grain)
    like = tuple(piece for piece in pieces if piece.name == missing.name)
    unlike = tuple(piece for piece in pieces if piece.name != missing.name)
    solution = _copied(source, "right_piece", True, like[0], cell)
    wrong = list({piece.name: piece for piece in unlike}.values())[:3]
    errors = (
        *(_copied(source, f"wrong_piece_{n}", False, piece, cell) for n, piece in enumerate(wrong, 1)),
        _copied(source, "stray_piece", False, strays[0], cell),
        moved(source, "taken_from_the_pattern", False, (like[0], cell.centre)),
    )
    kept = (
        Kept("cells_kept", "The outlines of the cells are as in the source", tuple(frames), "relational_accuracy"),
        Kept("like_pieces_kept", f"The pieces like the missing {missing.name} are unchanged", like),
        Kept("further_pieces_kept", "All further pieces of the pattern are unchanged", unlike),
        Kept("strays_kept", "The shapes beside the pattern are unchanged", strays, "relational_accuracy"),
    )
    return Sketch(
        goal=draw.pick(*_WORDINGS),
        state=f"The cell at {source.at(cell.centre)} holds a {missing.name}; all else is as before.",
        source=source,
        solutions=(solution,),
        errors=errors,
        required=_required(source, missing, cell),
        protected=protected_groups(source, union_editable((solution,)), kept),
        boxes=(source.box(cell.box), source.box(like[0].box)),
    )


def _cells(draw: Draw) -> tuple[list[Frame], int]:
    """The cells in reading order, and the period of their sequence."""
    columns, rows, period = draw.rng.choice(_SHAPES[draw.level])
    gap, stroke = draw.rng.randint(0, 12), draw.rng.choice((3, 4, 5))
    room = (draw.table.size[0] - 52 - gap * (columns - 1)) // columns
    cell = min(draw.rng.randint(88, 116), room)
    pitch = gap if gap > 3 else -stroke
    width, height = grid_size(columns, rows, (cell, cell), (pitch, pitch))
    x, y = draw.table.place(width, height)
    boxes = grid((x - width // 2, y - height // 2), columns, rows, (cell, cell), (pitch, pitch))
    return [Frame(box, stroke, draw.palette.ink) for box in boxes], period


def _stray(draw: Draw, look: Look) -> Figure:
    side = draw.rng.randint(52, 78)
    kind, paint = look
    return Figure(kind, paint, draw.table.place(side + 4, side + 4), side)


def _copied(source: Scene, name: str, admissible: bool, piece: Figure, cell: Frame) -> Footprint:
    """The transition that puts a copy of a piece into the cell; anywhere in it will do."""
    return Footprint(
        name,
        admissible,
        wording.copy(source, piece, cell.centre),
        source,
        source.plus(piece.moved(cell.centre)),
        free=source.mask(Bar(cell.inner, cell.rgb)),
    )


def _required(source: Scene, missing: Figure, cell: Frame) -> tuple[CriterionGroup, ...]:
    shape = region(missing.mask(source.size))
    x, y = missing.centre
    core = pixel_region(source, around((x, y), 14, 14))
    middle = around((x, y), missing.side + 24, missing.side + 24)

    def drawn_in(box: PixelBox) -> CheckSpec:
        area = pixel_region(source, box)
        return in_any_shade(missing.paint.name, lambda value: ShapeAt(shape=shape, colour=value, area=area))

    coloured = in_any_shade(
        missing.paint.name, lambda value: ColourAt(region=core, colour=value, tolerance=15.0, inset_px=0)
    )
    piece = Claim("piece", f"The empty cell now holds a {missing.name}", drawn_in(cell.inner), "Its outline is off.")
    colour = Claim("piece_color", f"What was drawn in it is {missing.paint.name}", coloured)
    fits = Claim(
        "centered", "The piece stands in the middle of its cell, like the others", drawn_in(middle), "It is off."
    )
    even = Claim("even_fill", "The piece is evenly filled", AllOf(checks=(coloured, ColourEven(region=core))))
    return (
        group("required", "semantic", "piece", piece, colour),
        group("required", "relational", "fit", fits),
        group("required", "visual", "fill", even),
    )
