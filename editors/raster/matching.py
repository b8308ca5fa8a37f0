"""Which figures a description fits: by kind, colour, position and point."""

from __future__ import annotations

from collections.abc import Sequence

from editplan.editors.raster.phrases import Selection
from editplan.editors.raster.vocabulary import ACCEPTS, POSITIONS
from editplan.pixels.colours import FAMILY, colour_difference, difference_to_name
from editplan.pixels.geometry import Point, distance
from editplan.recognition.scene import Outline, Rgb, Shape

_NEAR_COLOUR = 32.0
"""Largest CIE76 at which a colour word may mean a colour that has another name."""
_SAME_COLOUR = 6.0
"""Largest CIE76 at which two values are one colour."""


def of_kind(found: list[int], kinds: Sequence[str], kind: str | None) -> list[int]:
    """The figures of exactly a kind, else of a kind that its word also covers; "rectangle" covers squares at once."""
    if kind is None:
        return found
    exact = [i for i in found if kinds[i] == kind]
    if exact and kind != "rectangle":
        return exact
    return [i for i in found if kinds[i] in ACCEPTS.get(kind, (kind,))]


def coloured(
    found: list[int], figures: Sequence[Shape] | Sequence[Outline], name: str | None, rgb: Rgb | None
) -> list[int]:
    """The figures of a colour: of its hex, else of its name, else of its family, else the nearest one in sight."""
    if rgb is not None:
        exact = [i for i in found if colour_difference(figures[i].rgb, rgb) <= _SAME_COLOUR]
        if exact or name is None:
            return exact
    if name is None:
        return found
    if any(figure.colour == name for figure in figures):
        return [i for i in found if figures[i].colour == name]
    kin = [i for i in found if FAMILY.get(figures[i].colour) == name]
    if kin:
        return kin
    gaps = {i: difference_to_name(figures[i].rgb, name) for i in found}
    best = min(gaps.values(), default=_NEAR_COLOUR + 1)
    return [i for i in found if gaps[i] <= best + _SAME_COLOUR] if best <= _NEAR_COLOUR else []


def by_position(
    found: list[int], middles: dict[int, Point], selection: Selection, size: tuple[int, int]
) -> list[int] | None:
    """The ones that a position word or an ordinal picks; None where it picks none."""
    if selection.position is None:
        ordinal = selection.ordinal or 1
        index = ordinal - 1 if ordinal > 0 else ordinal
        return [found[index]] if -len(found) <= index < len(found) else []
    dx, dy = POSITIONS[selection.position]
    if (dx, dy) == (0, 0):
        goal = (size[0] / 2, size[1] / 2)
        return [min(found, key=lambda i: distance(middles[i], goal))] if found else []
    order = sorted(found, key=lambda i: -(dx * middles[i][0] / size[0] + dy * middles[i][1] / size[1]))
    if selection.ordinal is not None:
        index = selection.ordinal - 1 if selection.ordinal > 0 else selection.ordinal
        return [order[index]] if -len(order) <= index < len(order) else []
    if selection.every:
        half = (size[0] / 2, size[1] / 2)
        return [i for i in found if dx * (middles[i][0] - half[0]) >= 0 and dy * (middles[i][1] - half[1]) >= 0]
    return order[:1]


def in_box(shape: Shape, point: Point) -> bool:
    """Whether a point lies in a shape's box."""
    x1, y1, x2, y2 = shape.box
    return x1 <= point[0] < x2 and y1 <= point[1] < y2


def covers(outline: Outline, point: Point) -> bool:
    """Whether a point lies in an outlined region."""
    x, y = int(point[0]) - outline.box[0], int(point[1]) - outline.box[1]
    rows, columns = outline.hole.shape
    return 0 <= x < columns and 0 <= y < rows and bool(outline.hole[y, x])
