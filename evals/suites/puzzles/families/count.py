"""Count what the goal names and write the number into a box (SD)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from editplan.evals.checkers.specs import CheckSpec, RegionMarked, TextEquals
from editplan.evals.contracts import CriterionGroup
from editplan.evals.suites.puzzles import wording
from editplan.evals.suites.puzzles.atoms import Claim, Kept, either, group, pixel_region, protected_groups
from editplan.evals.suites.puzzles.crowd import Look, draw_looks
from editplan.evals.suites.puzzles.families.moves import one_stays_empty
from editplan.evals.suites.puzzles.layout import around
from editplan.evals.suites.puzzles.puzzle import Draw, Footprint, Sketch, union_editable
from editplan.evals.suites.puzzles.scene import Scene
from editplan.evals.suites.puzzles.things import Bar, Figure, Frame, Writing

_WORDINGS = (
    "Count the {things} and write the number in {box}.",
    "How many {things} are there? Write the number in {box}.",
    "Write the number of {things} in {box}.",
    "Write how many {things} you see in {box}.",
)
_CLEAR_PX = 6
"""How far the number must stay off the box's outline."""
_Test = Callable[[Figure], bool]


def sketch(draw: Draw) -> Sketch:
    """A crowd with several figures of one look, and an empty box or two."""
    frames = _frames(draw)
    figures, head = _crowd(draw)
    tests = _tests(head)
    wanted = draw.rng.choice(list(tests)[: draw.by_level(2, 3, 3)])
    counts = {name: sum(map(test, figures)) for name, test in tests.items()}
    source = Scene(draw.table.size, draw.palette.ground, (*frames, *figures), draw.grain)
    number = counts[wanted]
    solutions = tuple(_written(source, f"right_{k}", True, number, frame) for k, frame in enumerate(frames, 1))
    wrong = dict.fromkeys([*counts.values(), number + 1, number - 1, number + 2, number + 3])
    errors = tuple(
        _written(source, f"wrong_number_{value}", False, value, frames[0])
        for value in [value for value in wrong if value != number and value > 0][:4]
    )
    hits = tuple(figure for figure in figures if tests[wanted](figure))
    rest = tuple(figure for figure in figures if figure not in hits)
    kept = (
        Kept("box_kept", "The outline of the box is as in the source", tuple(frames), "relational_accuracy"),
        Kept("counted_kept", f"All {wanted} are as in the source", hits),
        Kept("some_others_kept", "The other figures, first half, are unchanged", rest[::2]),
        Kept("further_others_kept", "The other figures, second half, are unchanged", rest[1::2]),
    )
    box = "the empty box" if len(frames) == 1 else "one of the two empty boxes"
    return Sketch(
        goal=draw.pick(*_WORDINGS).format(things=wanted, box=box),
        state=f"The box at {source.at(frames[0].centre)} holds the number {number}; all else is as before.",
        source=source,
        solutions=solutions,
        errors=errors,
        required=_required(source, str(number), frames),
        protected=protected_groups(source, union_editable(solutions), kept, one_stays_empty(source, frames)),
        boxes=(source.box(frames[0].box),),
    )


def _frames(draw: Draw) -> list[Frame]:
    count, stroke = (2 if draw.chance(0.35) else 1), draw.rng.choice((4, 5, 6))
    width, height = draw.rng.randint(116, 150), draw.rng.randint(104, 122)
    spots = [draw.table.place(width, height) for _ in range(count)]
    return [Frame(around(spot, width, height), stroke, draw.palette.ink) for spot in spots]


def _crowd(draw: Draw) -> tuple[list[Figure], Look]:
    """Figures in random order; several have the first look, and some share its shape or its colour."""
    looks = draw_looks(draw, 9)
    head, shape, colour, *rest = looks
    many = draw.rng.randint(*((2, 4), (3, 6), (4, 8))[draw.level])
    drawn = [head] * many + [shape] * draw.rng.randint(1, 2) + [colour] * draw.rng.randint(1, 3)
    drawn += draw.rng.sample(rest, draw.by_level(1, 2, 3))
    draw.rng.shuffle(drawn)
    low, high = ((64, 84), (54, 76), (48, 66))[draw.level]
    figures = []
    for kind, paint in drawn:
        side = draw.rng.randint(low, high)
        figures.append(Figure(kind, paint, draw.table.place(side + 2, side + 2, gap=14), side))
    return figures, head


def _tests(head: Look) -> dict[str, _Test]:
    """What may be counted, in words and as a test: the exact look, the shape, the colour, everything."""
    kind, paint = head
    return {
        f"{paint.name} {wording.plural(kind)}": lambda figure: figure.kind == kind and figure.paint == paint,
        wording.plural(kind): lambda figure: figure.kind == kind,
        f"{paint.name} shapes": lambda figure: figure.paint == paint,
        "shapes": lambda figure: True,
    }


def _written(source: Scene, name: str, admissible: bool, number: int, frame: Frame) -> Footprint:
    text = str(number)
    height = round(0.5 * (frame.box[3] - frame.box[1]))
    inner = source.mask(Bar(frame.inner, frame.rgb))
    return Footprint(
        name,
        admissible,
        wording.write(source, text, frame.centre),
        source,
        source.plus(Writing(text, frame.centre, height, frame.rgb)),
        free=inner,
        checks=(TextEquals(region=pixel_region(source, frame.inner), text=text),),
    )


def _required(source: Scene, text: str, frames: Sequence[Frame]) -> tuple[CriterionGroup, ...]:
    reads: list[CheckSpec] = []
    clear: list[CheckSpec] = []
    large: list[CheckSpec] = []
    for frame in frames:
        reading = TextEquals(region=pixel_region(source, frame.inner), text=text)
        x, y = frame.centre
        reads.append(reading)
        a, b, c, d = frame.inner
        inner = pixel_region(source, (a + _CLEAR_PX, b + _CLEAR_PX, c - _CLEAR_PX, d - _CLEAR_PX))
        clear.append(TextEquals(region=inner, text=text))
        large.append(RegionMarked(region=pixel_region(source, (x - 18, y - 22, x + 18, y + 22))))
    number = Claim("number", f"The box says {text}", either(reads))
    inside = Claim("inside", "The number stands clear of the box's outline", either(clear))
    visible = Claim("readable", "The number stands in the middle of the box, large enough to read", either(large))
    return (
        group("required", "semantic", "number", number),
        group("required", "relational", "place", inside),
        group("required", "visual", "print", visible),
    )
