"""Which tile of a pattern belongs in a place, from the generator's layout of grids and circles."""

from __future__ import annotations

import math
from typing import Any

from editplan.evals.protocols.paintbench.places import Place, drawn_centre
from editplan.evals.protocols.paintbench.problems import PaintProblem

Tile = dict[str, Any]

_FILL = 0.9
"""Share of the narrower canvas side that the generator's grids take."""


def tiles_at(problem: PaintProblem, facts: dict[str, Any], places: tuple[Place, ...]) -> list[Tile] | None:
    """The tile of each place; None if a place doesn't have the colour of the tile that is due there."""
    if "pattern_steps" in facts:
        steps, total = facts["pattern_steps"], int(facts["n_shapes"])
        due = [steps[_step(place, facts, total) % int(facts["period_k"])] for place in places]
    else:
        cells = {(cell["row"], cell["col"]): cell for cell in facts["pattern_cells"]}
        due = []
        for place in places:
            row, column = _cell(place, facts, drawn_centre(problem, facts["bg_colors"]))
            due.append(cells[row % int(facts["period_r"]), column % int(facts["period_c"])])
    fits = all(tile["color"].upper() == place.colour for tile, place in zip(due, places, strict=True))
    return due if fits else None


def _step(place: Place, facts: dict[str, Any], total: int) -> int:
    """Steps go clockwise on the screen, from the point at the right."""
    angle = math.atan2((place.y - 0.5) * facts["H"], (place.x - 0.5) * facts["W"])
    return round(angle / (2 * math.pi) * total)


def _cell(place: Place, facts: dict[str, Any], centre: tuple[float, float]) -> tuple[int, int]:
    """Row and column; the grid's centre is that of all that is drawn, to less than half a cell."""
    width, height, rows, columns = (int(facts[name]) for name in ("W", "H", "rows", "cols"))
    side = _FILL * min(width / columns, height / rows)
    column = round((place.x - centre[0]) * width / side + (columns - 1) / 2)
    row = round((place.y - centre[1]) * height / side + (rows - 1) / 2)
    return row, column
