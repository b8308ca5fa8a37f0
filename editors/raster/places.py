"""Points: coordinates in percent, and landmarks of shapes, outlines and the picture."""

from __future__ import annotations

from collections.abc import Callable

from editplan.editors.raster.cursor import Cursor
from editplan.editors.raster.phrases import Place, Selection
from editplan.editors.raster.tokens import Kind
from editplan.editors.raster.vocabulary import POSITIONS

ReadSelection = Callable[..., Selection | None]

_NAMED = (
    "pointy tip", "tip", "center point", "center", "centre", "middle", "midpoint", "arc midpoint",
    "diameter midpoint",
    "short leg midpoint", "long leg midpoint", "hypotenuse midpoint", "bounding box center", "center of mass",
    "centroid",
)  # fmt: skip
_SPELLING = {
    "centre": "center", "middle": "center", "midpoint": "center", "center point": "center",
    "bounding box center": "middle", "center of mass": "centroid",
}  # fmt: skip
_SIDES = {"upper": "top", "lower": "bottom", "upper-left": "top-left", "upper-right": "top-right",
          "lower-left": "bottom-left", "lower-right": "bottom-right"}  # fmt: skip
_PICTURE = ("the image", "the picture", "the canvas", "the whole image")


def read_place(cursor: Cursor, selection: ReadSelection) -> Place | None:
    """A point at the cursor; None, and the cursor as it was, where there is none."""
    start = cursor.place
    cursor.eat("the point", "point", "position", "the position")
    token = cursor.kind(Kind.POINT)
    if token is not None:
        return Place(point=(token.numbers[0], token.numbers[1]))
    cursor.place = start
    own = cursor.eat("its", "the shape's", "their") is not None
    if not own:
        cursor.eat("the", "a")
    name = read_landmark(cursor)
    place = None if name is None else _owner(cursor, name, own, selection)
    if place is None:
        cursor.place = start
    return place


def read_landmark(cursor: Cursor) -> str | None:
    """The name of a landmark, as `editplan.recognition.landmarks` spells it."""
    token = cursor.peek()
    if token is not None and token.text.endswith("-degree") and cursor.word(1) == "vertex":
        cursor.place += 2
        return f"{round(token.numbers[0])}-degree vertex"
    if token is not None and token.kind is Kind.DEGREES and cursor.word(1) == "vertex":
        cursor.place += 2
        return f"{round(token.numbers[0])}-degree vertex"
    start = cursor.place
    side = cursor.word()
    if side in POSITIONS:
        cursor.place += 1
        side = _SIDES.get(side, side)
        what = cursor.eat("edge midpoint", "point", "corner", "vertex", "tip", "end", "edge center", "side midpoint")
        if what:
            what = {"edge center": "edge midpoint", "side midpoint": "edge midpoint", "end": "point"}.get(what, what)
            return f"{side} {what}"
        cursor.place = start
    if cursor.eat("midpoint of the", "middle of the", "center of the") and cursor.word() in POSITIONS:
        side = _SIDES.get(cursor.word(), cursor.word())
        if cursor.word(1) in ("edge", "side"):
            cursor.place += 2
            return f"{side} edge midpoint"
    cursor.place = start
    named = cursor.eat(*_NAMED)
    return None if named is None else _SPELLING.get(named, named)


def _owner(cursor: Cursor, name: str, own: bool, selection: ReadSelection) -> Place | None:
    if own:
        return Place(landmark=name, of=Selection(pronoun=True))
    if not cursor.eat("of"):
        return Place(landmark=name) if name.endswith("corner") and cursor.done else None
    if cursor.eat("its bounding box"):
        return Place(landmark=name, of=Selection(pronoun=True))
    if cursor.eat(*_PICTURE):
        return Place(landmark=name)
    of = selection(cursor)
    if of is None or of.content or of.new:
        return None
    return Place(landmark=name, of=of)


def near_place(cursor: Cursor, selection: ReadSelection) -> Place | None:
    """ "nearest to ..." """
    start = cursor.place
    if cursor.eat("nearest to", "closest to", "nearest", "closest", "next to", "near"):
        place = read_place(cursor, selection)
        if place is None:
            of = selection(cursor)
            place = None if of is None or of.new else Place(landmark="center", of=of)
        if place is not None:
            return place
    cursor.place = start
    return None
