"""Patterns in outlined cells: the piece that the one empty cell lacks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from editplan.planner.embedded.boxes import Cell, occupants, slots
from editplan.planner.embedded.lattice import Arrangement, fillings, looks_of
from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import around, at, coordinates, shape_words
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.recognition.scene import Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_GOAL = re.compile(
    r"\b(?:pattern|sequence|series|row)\b.*\b(?:empty|missing)\b|\b(?:missing|empty)\b.*\b(?:pattern|sequence|series)\b|"
    r"\bwhat (?:belongs|comes|goes) in the (?:empty|missing) (?:cell|box|slot)|"
    r"\b(?:complete|continue) the (?:pattern|sequence|series)\b",
    re.IGNORECASE | re.DOTALL,
)


class CellPattern:
    """Goals that complete a pattern whose places are outlined cells."""

    name = "cell pattern"

    def reads(self, goal: str) -> bool:
        return _GOAL.search(goal) is not None

    def inspect(self, goal: str, view: View) -> Inspection:
        variables = (
            open_variable("rule", "In which order do the pieces repeat?", VariableSource.RULE, "it is only shown"),
            open_variable("place", "Which cell is empty?", VariableSource.STATE, "it is visible only"),
        )
        boxes = tuple(cell.outer for cell in slots(view)) or tuple(shape.box for shape in view.scene.shapes)
        return inspection(view, variables, boxes, ("all pieces and cells that are there stay as they are",))

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        found = _cells_of_pattern(view)
        if found is None:
            return Unsolved("no rows of equal cells with exactly one empty cell can be seen")
        cells, columns = found
        pieces = [next(iter(occupants(cell, view)), None) for cell in cells]
        hole = pieces.index(None)
        shapes = [piece for piece in pieces if piece is not None]
        looks = iter(looks_of(shapes))
        sequence = [None if piece is None else next(looks) for piece in pieces]
        answers = _answers(sequence, hole, columns)
        if not answers:
            return Unsolved("the pieces repeat in no order that tells what the empty cell lacks")
        return _plan(view, cells[hole], [pieces[sequence.index(look)] for _, look in answers], answers)


def _cells_of_pattern(view: View) -> tuple[list[Cell], int] | None:
    """Equal cells in rows with one of them empty, and how many stand in a row."""
    every = slots(view)
    groups = [
        [c for c in every if abs(c.size[0] - first.size[0]) <= 4 and abs(c.size[1] - first.size[1]) <= 4]
        for first in every
    ]
    cells = max(groups, key=len, default=[])
    if len(cells) < 3 or sum(not occupants(cell, view) for cell in cells) != 1:
        return None
    height = cells[0].size[1]
    rows: list[list[Cell]] = []
    for cell in sorted(cells, key=lambda c: c.middle[1]):
        if rows and abs(rows[-1][0].middle[1] - cell.middle[1]) < height / 2:
            rows[-1].append(cell)
        else:
            rows.append([cell])
    if len({len(row) for row in rows}) != 1:
        return None
    ordered = [cell for row in rows for cell in sorted(row, key=lambda c: c.middle[0])]
    return ordered, len(rows[0])


def _answers(sequence: Sequence[int | None], hole: int, columns: int) -> list[tuple[str, int]]:
    """Readings of the rule and the look that each puts into the hole; the simplest first, none twice."""
    found: list[tuple[str, int]] = []
    for period in range(1, len(sequence) // 2 + 1):
        table: dict[int, set[int]] = {}
        for number, look in enumerate(sequence):
            if look is not None:
                table.setdefault(number % period, set()).add(look)
        looks = table.get(hole % period, set())
        if all(len(each) == 1 for each in table.values()) and looks:
            found.append((f"in reading order the pieces repeat every {period}", next(iter(looks))))
    rows = len(sequence) // columns
    if rows > 1:
        cells = {divmod(i, columns): i for i, look in enumerate(sequence) if look is not None}
        flat = tuple(-1 if look is None else look for look in sequence)
        grid = Arrangement(rows, columns, False, cells, flat, lambda start, end: (0.0, 0.0))
        for period_2d, filling in fillings(grid):
            words = f"the pieces repeat every {period_2d[0]} rows and {period_2d[1]} columns"
            found.append((words, next(iter(filling.values()))))
    unique: dict[int, tuple[str, int]] = {}
    for words, look in found:
        unique.setdefault(look, (words, look))
    return list(unique.values())


def _plan(
    view: View, hole: Cell, pieces: Sequence[Shape | None], answers: Sequence[tuple[str, int]]
) -> Plan | Unsolved:
    piece = pieces[0]
    if piece is None:
        return Unsolved("no piece like the missing one can be seen")
    book, place = Notebook(view), coordinates(hole.middle, view.size)
    rule = book.claim(answers[0][0], EvidenceSource.IN_SCENE_RULE, around((hole.outer, piece.box)))
    bare = book.claim(f"the cell around {place} is empty", EvidenceSource.OBSERVED_STATE, hole.outer)
    book.variable("rule", answers[0][0], (rule,))
    book.variable("place", f"the cell around {place}", (bare,))
    others = tuple(
        _transition(f"z{number}", view, other, place, (rule,), Validity.REJECTED)
        for number, other in enumerate(pieces[1:3], start=2)
        if other is not None
    )
    decision = Decision(
        chosen=_transition("z1", view, piece, place, (rule, bare), Validity.SUPPORTED),
        steps=(f"Copy the shape at {at(piece, view.size)} to {place}.",),
        keep="Keep everything else exactly as it is.",
        others=others,
        question=f"Is the rule rather that {answers[1][0]}?" if others else "",
        deciding=(rule,),
    )
    return book.plan(decision)


def _transition(
    name: str, view: View, piece: Shape, place: str, claims: tuple[str, ...], validity: Validity
) -> Transition:
    return Transition(
        transition_id=name,
        targets=(f"the empty cell around {place}",),
        actions=("copy",),
        destination=(place,),
        goal_state=(
            f"the cell around {place} holds a {piece.colour} {piece.kind} like {shape_words(piece, view.scene)}",
        ),
        preserve=("all pieces and cells that are there stay unchanged",),
        supporting_claim_ids=claims,
        validity=validity,
    )
