"""Move a named object into a named box (IS)."""

from __future__ import annotations

from editplan.evals.suites.puzzles.atoms import Kept, protected_groups
from editplan.evals.suites.puzzles.crowd import bystanders, draw_looks
from editplan.evals.suites.puzzles.families.moves import copied, moved, one_stays_empty, required_move
from editplan.evals.suites.puzzles.layout import around
from editplan.evals.suites.puzzles.palette import Paint
from editplan.evals.suites.puzzles.puzzle import Draw, Sketch, union_editable
from editplan.evals.suites.puzzles.scene import Scene
from editplan.evals.suites.puzzles.things import Figure, Frame, Writing

_LETTER = (
    "Move the {target} into box {box}.",
    "Put the {target} in the box labelled {box}.",
    "Place the {target} inside box {box}.",
    "The {target} belongs in box {box}: move it there.",
)
_COLOUR = (
    "Move the {target} into the box with the {box} outline.",
    "Put the {target} in the {box} box.",
    "Place the {target} inside the {box} frame.",
)
_EITHER = (
    "Move the {target} into one of the two {box} boxes; either one will do.",
    "Put the {target} in either of the {box} boxes.",
)


def sketch(draw: Draw) -> Sketch:
    """A few boxes, some figures, one of which is to go into a box."""
    way = draw.rng.choice(("letter", "colour", "either"))
    frames, paints = _frames(draw, way)
    figures = _figures(draw, paints if way != "letter" else [])
    target, same_kind, same_colour = figures[:3]
    letters = [_letter(frame, "ABCD"[number], draw) for number, frame in enumerate(frames)]
    signs = tuple(letters) if way == "letter" else ()
    source = Scene(draw.table.size, draw.palette.ground, (*frames, *signs, *figures), draw.grain)
    chosen = draw.rng.randrange(len(frames)) if way == "letter" else 0
    right = frames[:2] if way == "either" else [frames[chosen]]
    wrong = next(frame for frame in reversed(frames) if frame not in right)
    solutions = tuple(
        moved(source, f"into_box_{number}", True, (target, frame.centre)) for number, frame in enumerate(right, 1)
    )
    errors = (
        moved(source, "into_another_box", False, (target, wrong.centre)),
        moved(source, "move_same_shape", False, (same_kind, right[0].centre)),
        moved(source, "move_same_colour", False, (same_colour, right[0].centre)),
        copied(source, "copy_only", target, right[0].centre),
    )
    box = "ABCD"[chosen] if way == "letter" else paints[0].name
    wordings = {"letter": _LETTER, "colour": _COLOUR, "either": _EITHER}[way]
    kept = (
        Kept(
            "boxes_kept", "The boxes and their labels are as in the source", (*frames, *signs), "relational_accuracy"
        ),
        *bystanders(same_kind, same_colour, figures[3:]),
    )
    return Sketch(
        goal=draw.pick(*wordings).format(target=target.name, box=box),
        state=f"The {target.name} stands inside the box at {source.at(right[0].centre)} and nowhere else.",
        source=source,
        solutions=solutions,
        errors=errors,
        required=required_move(source, target, right),
        protected=protected_groups(source, union_editable(solutions), kept, one_stays_empty(source, right)),
        boxes=(source.box(target.box), source.box(right[0].box)),
    )


def _frames(draw: Draw, way: str) -> tuple[list[Frame], list[Paint]]:
    """Boxes of one size; in the way "either" the first two are of one colour."""
    count = max(draw.by_level(2, 3, 4), 3 if way == "either" else 2)
    side, stroke = draw.rng.randint(118, 138), draw.rng.choice((4, 5, 6))
    paints = list(draw.palette.paints[:count])
    if way == "either":
        paints[1] = paints[0]
    frames = []
    for paint in paints:
        x, y = draw.table.place(side, side + 84)
        rgb = draw.palette.ink if way == "letter" else paint.rgb
        frames.append(Frame(around((x, y + 21), side, side), stroke, rgb))
    return frames, paints


def _figures(draw: Draw, framed: list[Paint]) -> list[Figure]:
    """Figures small enough for the boxes, none in the colour of a box."""
    figures = []
    paints = [paint for paint in draw.palette.paints if paint not in framed]
    for kind, paint in draw_looks(draw, draw.by_level(3, 5, 7), paints):
        side = draw.rng.randint(58, 78)
        figures.append(Figure(kind, paint, draw.table.place(side + 4, side + 4), side))
    return figures


def _letter(frame: Frame, sign: str, draw: Draw) -> Writing:
    x1, y1, x2, _ = frame.box
    return Writing(sign, ((x1 + x2) // 2, y1 - 24), 26, draw.palette.ink)
