"""Draw the way through a maze (SD)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from editplan.evals.checkers.specs import CheckSpec, PathConnects, UnchangedInside
from editplan.evals.contracts import CriterionGroup
from editplan.evals.suites.puzzles import wording
from editplan.evals.suites.puzzles.atoms import (
    Claim,
    Kept,
    every,
    group,
    in_any_shade,
    protected_groups,
    region,
)
from editplan.evals.suites.puzzles.crowd import draw_kinds
from editplan.evals.suites.puzzles.families.labyrinth import Cell, Labyrinth, corners, draw_labyrinth
from editplan.evals.suites.puzzles.layout import NoRoom, around
from editplan.evals.suites.puzzles.palette import Paint
from editplan.evals.suites.puzzles.puzzle import Draw, Footprint, Sketch, union_editable
from editplan.evals.suites.puzzles.scene import Scene
from editplan.evals.suites.puzzles.things import Bar, Figure, Line, Spot, Thing
from editplan.pixels.masks import Mask, grown

_WORDINGS = (
    "Draw {a_colour} line from the {start} to the {end} without crossing any wall.",
    "Show the way through the maze from the {start} to the {end} with {a_colour} line.",
    "Trace the path from the {start} to the {end} in {colour}, staying between the walls.",
    "Connect the {start} and the {end} with {a_colour} line that never crosses a wall.",
)
STROKE = 8
WALL_MARGIN_PX = 3
"""The rim of a corridor that counts with the wall beside it."""


@dataclass(frozen=True, eq=False)
class Maze:
    """A labyrinth on a canvas, with its marks."""

    source: Scene
    labyrinth: Labyrinth
    corner: Spot
    pitch: int
    walls: tuple[Bar, ...]
    marks: tuple[tuple[Cell, Figure], ...]
    """Start, end, and then those that are neither."""
    paint: Paint

    @property
    def start(self) -> Figure:
        """Where the line begins."""
        return self.marks[0][1]

    @property
    def end(self) -> Figure:
        """Where it leads."""
        return self.marks[1][1]

    def spot(self, cell: Cell) -> Spot:
        """The middle of a cell."""
        x, y = (edge + step * self.pitch + self.pitch // 2 for edge, step in zip(self.corner, cell, strict=True))
        return x, y

    def corridors(self, cells: Sequence[Cell] | None = None) -> Mask:
        """The pixels between the walls, in all cells or in some."""
        (x, y), (columns, rows), pitch = self.corner, self.labyrinth.size, self.pitch
        boxes = [(x, y, x + columns * pitch, y + rows * pitch)]
        if cells is not None:
            boxes = [around(self.spot(cell), pitch, pitch) for cell in cells]
        return self.source.mask(*(Bar(box, self.source.ground) for box in boxes)) & ~self.source.mask(*self.walls)


def sketch(draw: Draw) -> Sketch:
    """A maze with a start, an end, and marks that are neither."""
    maze = _maze(draw)
    source, (start, end, decoy) = maze.source, (cell for cell, _ in maze.marks[:3])
    ways = maze.labyrinth.ways(start, end)[:2]
    solutions = tuple(_way(maze, f"way_{number}", True, way, maze.end) for number, way in enumerate(ways, 1))
    ends = [maze.spot(start), maze.spot(end)]
    lines = (
        _drawn(maze, "straight_through_walls", ends),
        _drawn(maze, "down_and_across", [ends[0], (ends[0][0], ends[1][1]), ends[1]]),
        _drawn(maze, "across_and_down", [ends[0], (ends[1][0], ends[0][1]), ends[1]]),
        _way(maze, "to_another_mark", False, maze.labyrinth.ways(start, decoy)[0], maze.marks[2][1]),
    )
    errors = tuple(error for error in lines if _is_new(error, solutions))
    if len(errors) < 3:
        raise NoRoom
    return Sketch(
        goal=draw.pick(*_WORDINGS).format(
            colour=maze.paint.name,
            a_colour=wording.with_article(maze.paint.name),
            start=maze.start.name,
            end=maze.end.name,
        ),
        state=f"A {maze.paint.name} line leads between the walls from the {maze.start.name} to the {maze.end.name}.",
        source=source,
        solutions=solutions,
        errors=errors,
        required=_required(maze),
        protected=protected_groups(source, union_editable(solutions), _kept(maze), _marks_kept(maze)),
        boxes=(source.box(maze.start.box), source.box(maze.end.box)),
    )


def _maze(draw: Draw) -> Maze:
    columns, rows = draw.rng.choice((((4, 4), (4, 5), (5, 4)), ((5, 5), (6, 5)), ((6, 6), (7, 6)))[draw.level])
    labyrinth = draw_labyrinth(draw.rng, columns, rows, loops=draw.rng.choice((0, 1, 2)))
    wall = draw.rng.choice((6, 7, 8))
    room = min((draw.table.size[0] - 60) // columns, (draw.table.size[1] - 60) // rows)
    pitch = draw.rng.randint(room - 14, room)
    x, y = draw.table.place(columns * pitch + wall, rows * pitch + wall)
    corner = x - columns * pitch // 2, y - rows * pitch // 2
    kinds, paints = _plump_kinds(draw), draw.rng.sample(draw.palette.paints, 5)
    side = min(round(pitch * 0.5), 46)
    ends = labyrinth.ends()
    count = draw.by_level(3, 3, 4)
    if len(ends) < count:
        raise NoRoom
    draw.rng.shuffle(ends)
    start = ends.pop()
    ends.sort(key=lambda cell: -len(labyrinth.ways(start, cell)[0]))
    cells = [start, *ends[: count - 1]]
    bare = Maze(
        Scene(draw.table.size, draw.palette.ground, (), draw.grain), labyrinth, corner, pitch, (), (), paints[4]
    )
    marks = tuple(
        (cell, Figure(kind, paint, bare.spot(cell), side))
        for cell, kind, paint in zip(cells, kinds, paints, strict=False)
    )
    walls = _walls(labyrinth, corner, pitch, wall, draw)
    things: tuple[Thing, ...] = (*walls, *(figure for _, figure in marks))
    source = Scene(draw.table.size, draw.palette.ground, things, draw.grain)
    return Maze(source, labyrinth, corner, pitch, walls, marks, paints[4])


def _plump_kinds(draw: Draw) -> list[str]:
    """Shapes of which enough is left to be seen when a line runs across."""
    return [kind for kind in draw_kinds(draw, 9) if kind not in ("star", "cross", "triangle")]


def _walls(labyrinth: Labyrinth, corner: Spot, pitch: int, wall: int, draw: Draw) -> tuple[Bar, ...]:
    """The walls around the maze and between cells without a passage."""
    columns, rows = labyrinth.size
    half = wall // 2
    bars = []
    for row in range(rows + 1):
        for column in range(columns + 1):
            x, y = corner[0] + column * pitch, corner[1] + row * pitch
            if column < columns and frozenset(((column, row - 1), (column, row))) not in labyrinth.open:
                bars.append(Bar((x - half, y - half, x + pitch + wall - half, y + wall - half), draw.palette.ink))
            if row < rows and frozenset(((column - 1, row), (column, row))) not in labyrinth.open:
                bars.append(Bar((x - half, y - half, x + wall - half, y + pitch + wall - half), draw.palette.ink))
    return tuple(bars)


def _drawn(maze: Maze, name: str, spots: Sequence[Spot], admissible: bool = False) -> Footprint:
    """The transition that draws a polyline."""
    first, *middle, last = (maze.source.at(spot) for spot in spots)
    through = f" through {', '.join(middle)}" if middle else ""
    words = f"Draw {wording.with_article(maze.paint.name)} line from {first}{through} to {last}."
    line = Line(tuple(spots), STROKE, maze.paint.rgb)
    return Footprint(name, admissible, words, maze.source, maze.source.plus(line))


def _way(maze: Maze, name: str, admissible: bool, way: Sequence[Cell], end: Figure) -> Footprint:
    """The transition that draws a line along a way; anywhere between the walls of its cells will do."""
    plain = _drawn(maze, name, [maze.spot(cell) for cell in corners(list(way))], admissible)
    free = maze.corridors(way)
    check = PathConnects(
        start=region(maze.start.mask(maze.source.size)),
        end=region(end.mask(maze.source.size)),
        free=region(free),
        gap_px=4,
        pass_outside=0.05,
    )
    inner = free & ~grown(maze.source.mask(*maze.walls), WALL_MARGIN_PX)
    return Footprint(name, admissible, plain.words, plain.source, plain.target, free=inner, checks=(check,))


def _is_new(error: Footprint, solutions: Sequence[Footprint]) -> bool:
    """Whether a wrong line leaves the corridors that the right ones may use."""
    return all((error.changed & ~solution.editable).sum() > 0.1 * error.changed.sum() for solution in solutions)


def _required(maze: Maze) -> tuple[CriterionGroup, ...]:
    size = maze.source.size
    start, end = region(maze.start.mask(size)), region(maze.end.mask(size))
    everywhere = region(~maze.source.mask())
    free = region(maze.corridors())

    def line(gap_px: int, colour: str | None = None, *, walled: bool = True) -> CheckSpec:
        return PathConnects(start=start, end=end, free=free if walled else everywhere, gap_px=gap_px, colour=colour)

    words = f"the {maze.start.name} to the {maze.end.name}"
    coloured = in_any_shade(maze.paint.name, lambda value: line(8, value, walled=False))
    joins = Claim("connects", f"A drawn line leads from {words}", line(8, walled=False))
    inside = Claim("no_wall_crossed", f"The line from {words} crosses no wall", line(8), "It grazes a wall.")
    colour = Claim("line_color", f"The line is {maze.paint.name}", coloured)
    unbroken = Claim(
        "unbroken", "The line has no gap and keeps off the walls", every([line(0, walled=False), line(0)])
    )
    return (
        group("required", "semantic", "line", joins, colour),
        group("required", "relational", "route", inside),
        group("required", "visual", "stroke", unbroken),
    )


def _kept(maze: Maze) -> tuple[Kept, ...]:
    upright = tuple(wall for wall in maze.walls if wall.box[3] - wall.box[1] > wall.box[2] - wall.box[0])
    level = tuple(wall for wall in maze.walls if wall not in upright)
    decoys = tuple(figure for _, figure in maze.marks[2:])
    return (
        Kept("upright_walls_kept", "The upright walls are as in the source", upright, "relational_accuracy"),
        Kept("level_walls_kept", "The level walls are as in the source", level, "relational_accuracy"),
        Kept("decoys_kept", "The marks that are neither start nor end are unchanged", decoys),
    )


def _marks_kept(maze: Maze) -> tuple[CriterionGroup, ...]:
    """Start and end may be crossed by the line but must stay visible, and where they are."""
    claims = []
    for name, figure in (("start", maze.start), ("end", maze.end)):
        mask = figure.mask(maze.source.size)
        around_it = grown(mask, 8) & ~grown(mask, 2)
        visible = UnchangedInside(region=region(mask), pass_changed=0.35, fail_changed=0.7)
        still = UnchangedInside(region=region(around_it), pass_changed=0.25, fail_changed=0.7)
        text = f"The {figure.name} can still be seen at its place"
        claims.append(Claim(f"{name}_kept", text, every([visible, still])))
    return (group("protected", "semantic", "keep_ends", *claims),)
