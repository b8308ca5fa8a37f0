"""Outlined boxes of a scene: cells, what stands in them, and which letter or colour names them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from editplan.pixels.colours import FAMILY, canonical_name
from editplan.pixels.geometry import PixelBox, Point
from editplan.planner.embedded.glyphs import LETTERS, read_character
from editplan.planner.embedded.view import View
from editplan.recognition.scene import Outline, Rgb, Shape

_LABEL_REACH = 0.6
"""A label lies within this share of a box's height from its outline."""
_SMALLEST = 0.03
"""A cell is at least this share of the picture's longer side across."""


@dataclass(frozen=True)
class Cell:
    """The room inside an outline, or one of the rooms where lines divide it."""

    box: PixelBox
    """Of the room, without the line."""
    outer: PixelBox
    """With the line around it."""
    rgb: Rgb
    """Of the line."""
    colour: str
    corner_count: int
    """Of the outline that it belongs to; 0 for a round one."""

    @property
    def middle(self) -> Point:
        """Middle of the room."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the room."""
        return self.box[2] - self.box[0], self.box[3] - self.box[1]

    def holds(self, point: Point) -> bool:
        """Whether a point lies in the room's box."""
        return self.box[0] <= point[0] < self.box[2] and self.box[1] <= point[1] < self.box[3]


def cells(view: View) -> tuple[Cell, ...]:
    """All rooms of upright or round outlines, in reading order of the outlines."""
    found: list[Cell] = []
    for outline in view.scene.outlines:
        if outline.kind in {"square", "rectangle", "circle"}:
            found += _rooms(outline, round(_SMALLEST * max(view.size)))
    return tuple(found)


def occupants(cell: Cell, view: View) -> tuple[Shape, ...]:
    """The shapes whose middle lies in a cell."""
    return tuple(shape for shape in view.scene.shapes if cell.holds(shape.middle))


def slots(view: View) -> tuple[Cell, ...]:
    """Cells that hold one thing or nothing: no legend, no key, no frame around other cells."""
    every = cells(view)
    return tuple(
        cell
        for cell in every
        if len(occupants(cell, view)) <= 1
        and not any(cell.holds(other.middle) for other in every if other is not cell)
    )


def empty_slots(view: View) -> tuple[Cell, ...]:
    """Slots with nothing in them."""
    return tuple(cell for cell in slots(view) if not occupants(cell, view))


def loose(view: View, among: Iterable[Shape]) -> tuple[Shape, ...]:
    """Shapes that stand in no cell."""
    every = cells(view)
    return tuple(shape for shape in among if not any(cell.holds(shape.middle) for cell in every))


def lettered(letter: str, view: View) -> Cell | None:
    """The slot that a letter beside or in it names."""
    boxes = slots(view)
    for shape in view.scene.shapes:
        if not boxes or read_character(shape.patch, LETTERS) != letter.upper():
            continue
        nearest = min(boxes, key=lambda cell: _gap(shape, cell))
        if _gap(shape, nearest) <= _LABEL_REACH * nearest.size[1]:
            return nearest
    return None


def coloured(name: str, view: View) -> tuple[Cell, ...]:
    """The slots whose line has a colour."""
    colour = canonical_name(name)
    exact = tuple(cell for cell in slots(view) if cell.colour == colour)
    return exact or tuple(cell for cell in slots(view) if FAMILY.get(cell.colour) == colour)


def box_letter(goal: str) -> str | None:
    """The letter of "box A", "the box labelled A"."""
    match = re.search(
        r"\b(?:box|slot|frame|cell)\s+(?:labell?ed |marked |named |with the letter )?"
        r"[\"“]?(?P<letter>[A-Z])[\"”]?(?=[\s.,;:!]|$)",
        goal,
    )
    return match["letter"] if match else None


def box_colour(goal: str) -> str | None:
    """The colour of "the red box", "the box with the red outline", "the two red boxes"."""
    for pattern in (
        r"\b(?:box(?:es)?|frames?|slots?)\s+with (?:the|an?) ([a-z ]+?) (?:outlines?|borders?|frames?)\b",
        r"\b(?:the|a|two|either|both)\s+([a-z]+(?: [a-z]+)?)\s+(?:outlined )?(?:box(?:es)?|frames?|slots?)\b",
    ):
        for words in re.findall(pattern, goal, re.IGNORECASE):
            tokens = str(words).split()
            for start in range(len(tokens)):
                name = canonical_name(" ".join(tokens[start:]))
                if name is not None:
                    return name
    return None


def _rooms(outline: Outline, smallest: int) -> list[Cell]:
    """The connected parts of an outline's inside that are large enough to hold something."""
    import cv2

    count, _, stats, _ = cv2.connectedComponentsWithStats(outline.hole.astype("uint8"), connectivity=4)
    left, top = outline.box[:2]
    found = []
    for number in range(1, count):
        x, y, width, height, _ = (int(value) for value in stats[number])
        if min(width, height) < smallest:
            continue
        box = (left + x, top + y, left + x + width, top + y + height)
        line = max(1, round(outline.stroke_width))
        outer = (box[0] - line, box[1] - line, box[2] + line, box[3] + line)
        found.append(Cell(box, outer, outline.rgb, outline.colour, len(outline.corners)))
    return sorted(found, key=lambda cell: (cell.box[1], cell.box[0]))


def _gap(shape: Shape, cell: Cell) -> float:
    """Distance from a shape's middle to a cell, 0 inside."""
    x, y = shape.middle
    x1, y1, x2, y2 = cell.box
    return float(max(x1 - x, 0, x - x2) + max(y1 - y, 0, y - y2))
