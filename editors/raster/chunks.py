"""A clause's tokens as chunks: verbs, references, places, colours, amounts; what is no chunk stays a plain word."""

from __future__ import annotations

from editplan.editors.raster.adjectives import read_colour_words
from editplan.editors.raster.cursor import Cursor
from editplan.editors.raster.joining import joined
from editplan.editors.raster.nouns import read_selection
from editplan.editors.raster.phrases import (
    Amount,
    Chunk,
    Colour,
    Direction,
    Exclusion,
    Halo,
    Layer,
    Plain,
    Quoted,
    Selection,
    Side,
    Verb,
)
from editplan.editors.raster.places import read_place
from editplan.editors.raster.tokens import Kind, Token
from editplan.editors.raster.vocabulary import DIRECTIONS, POSITIONS, verb_phrases

_VERBS = verb_phrases()
_UNDER = ("underneath", "under", "beneath", "below", "behind")
_OVER = ("on top of", "over", "above", "in front of", "atop")
_COVERED = (
    "any", "all", "existing", "overlapping", "other", "everything", "anything", "whatever",
)  # fmt: skip
_COVERED_NOUNS = frozenset(
    ["shapes", "shape", "objects", "object", "ones", "figures", "items", "everything", "anything", "else", "there"]
)
_EXCEPT = (
    "except for", "except", "apart from", "other than", "but not", "excluding", "besides", "save for", "aside from",
    "with the exception of",
)  # fmt: skip
_BOX = ("bounding box", "box")
_ROLES = {
    "line width": "stroke", "stroke width": "stroke", "thickness": "stroke",
    "line thickness": "stroke", "thick": "stroke",
    "brush": "stroke", "wide": "stroke", "radius": "radius", "diameter": "diameter", "text height": "height",
    "letter height": "height", "font size": "height", "tall": "height", "high": "height",
}  # fmt: skip
"""Words that say what an amount measures, before or after it."""
_OPENERS = frozenset(["please", "then", "and", "now", "next", "finally", "also", "first"])


def read_chunks(tokens: list[Token]) -> list[Chunk]:
    """Cut a clause into chunks, each time the first kind that fits."""
    cursor = Cursor(tokens)
    chunks: list[Chunk] = []
    while not cursor.done:
        if cursor.kind(Kind.COMMA):
            chunks.append(Plain(","))
            continue
        opening = all(isinstance(c, Plain) and c.word in _OPENERS for c in chunks)
        chunk = _chunk(cursor, opening)
        if chunk is None:
            chunk = Plain(tokens[cursor.place].text)
            cursor.place += 1
        chunks.append(chunk)
    return joined(chunks)


def _chunk(cursor: Cursor, opening: bool) -> Chunk | None:
    start = cursor.place
    if opening and (verb := _verb(cursor)) is not None:
        return verb
    for read in (
        _layer, _exclusion, _halo, _amount, _colour_of, _extent, _side, _place, _reference, _colour, _verb,
        _direction,
        _quoted,
    ):  # fmt: skip
        chunk = read(cursor)
        if chunk is not None:
            return chunk
        cursor.place = start
    return None


def _layer(cursor: Cursor) -> Layer | None:
    """ "underneath any existing shapes", "over everything", "overlapping shapes stay on top"."""
    if cursor.eat("overlapping shapes stay on top", "overlapping shapes remain on top", "existing shapes stay on top",
                  "other shapes stay on top", "the other shapes stay on top"):  # fmt: skip
        return Layer("bottom")
    order = "bottom" if cursor.eat(*_UNDER) else "top" if cursor.eat(*_OVER) else None
    if order is None:
        return Layer("top") if cursor.eat("on top") else Layer("bottom") if cursor.eat("at the back") else None
    cursor.eat("the")
    if cursor.word(1).startswith("pixel"):
        return None
    if cursor.word() not in _COVERED and cursor.word() not in ("shapes", "objects"):
        return None
    while cursor.word() in (*_COVERED, "possible", "of", "the") or cursor.word() in _COVERED_NOUNS:
        cursor.place += 1
    cursor.eat("that it overlaps", "it overlaps", "that are already there", "already there", "that are there",
               "there",
               "that it may overlap", "in the image", "already present")  # fmt: skip
    return Layer(order)


def _exclusion(cursor: Cursor) -> Exclusion | None:
    if cursor.eat("unless it is", "unless it's", "unless they are", "if it is not", "if they are not"):
        cursor.eat("a", "an", "the", "colored", "in")
        start = cursor.place
        said = read_selection(cursor, anything=False)
        if said is None:
            cursor.place = start
            colour = read_colour_words(cursor)
            said = None if colour is None else Selection(colour=colour[0], rgb=colour[1])
        return None if said is None else Exclusion(said)
    if cursor.eat(*_EXCEPT):
        said = read_selection(cursor, anything=False)
        return None if said is None else Exclusion(said)
    return None


def _halo(cursor: Cursor) -> Halo | None:
    """ "all pixels within a Euclidean distance of at most 3% image width from any pixel in the red heart"."""
    cursor.eat("all", "every", "each", "any")
    if not cursor.eat(
        "pixels within", "pixel within", "pixels at", "pixel at", "pixels up to", "background pixels within"
    ):
        return None
    cursor.eat("a")
    cursor.eat("euclidean")
    cursor.eat("distance of", "distance")
    cursor.eat("at most", "up to", "no more than", "within", "less than or equal to")
    amount = _amount(cursor)
    if amount is None or not cursor.eat("from", "of", "around", "away from"):
        return None
    cursor.eat("any pixel in", "any pixel of", "any part of", "any point of", "the edge of")
    around = read_selection(cursor)
    return None if around is None or around.outlined or around.content else Halo(amount, around)


def _amount(cursor: Cursor) -> Amount | None:
    if cursor.eat("opacity of", "an opacity of", "strength of", "alpha of", "an alpha of"):
        token = cursor.kind(Kind.PERCENT)
        if token is None:
            number = cursor.kind(Kind.NUMBER)
            return None if number is None else Amount(100 * number.numbers[0], "opacity")
        return Amount(token.numbers[0], "opacity")
    cursor.eat("a", "the")
    named = cursor.eat(*_ROLES)
    if named:
        cursor.eat("of", "is", "at")
    for kind in (Kind.PERCENT, Kind.DEGREES, Kind.PIXELS, Kind.NUMBER):
        token = cursor.kind(kind)
        if token is not None:
            unit = _unit(cursor) if kind is Kind.PERCENT else kind.value
            if kind is Kind.DEGREES and cursor.word() == "vertex":
                return None
            role = _ROLES[named] if named else _ROLES.get(cursor.word(), "")
            if not named and role:
                cursor.place += 1
            return Amount(token.numbers[0], unit, role)
    return None


def _unit(cursor: Cursor) -> str:
    if cursor.eat("opacity", "strength", "opaque", "alpha"):
        return "opacity"
    start = cursor.place
    cursor.eat("of")
    own = cursor.eat("its bounding box", "its own", "its current", "its original", "its") is not None
    cursor.eat("the")
    cursor.eat("image", "picture", "canvas", "image's", "picture's")
    what = cursor.eat("width", "height", "size", "dimensions")
    if what is None:
        cursor.place = start
        return "percent"
    if own:
        return "own"
    return "height" if what == "height" else "width"


def _colour_of(cursor: Cursor) -> Colour | None:
    """ "the color of the shape at ...", "the color orange (#FFA500)", "the same color as the star"."""
    start = cursor.place
    owner = read_selection(cursor, anything=False)
    if owner is not None and not owner.new and cursor.eat("'s color", "'s colour"):
        return Colour(of=owner)
    cursor.place = start
    cursor.eat("the", "a")
    if cursor.eat("color of", "colour of", "same color as", "same colour as", "color that", "fill color of"):
        of = read_selection(cursor)
        return None if of is None or of.outlined or of.every or of.content else Colour(of=of)
    if cursor.eat("color", "colour"):
        colour = read_colour_words(cursor)
        return None if colour is None else Colour(*colour)
    return None


def _colour(cursor: Cursor) -> Colour | None:
    cursor.eat("a", "solid", "pure", "plain", "fully")
    colour = read_colour_words(cursor)
    if colour is None:
        return None
    cursor.eat("color", "colour")
    return Colour(*colour)


def _extent(cursor: Cursor) -> Plain | None:
    """ "its bounding box height", "the width of ..." as a word of its own."""
    cursor.eat("its", "the")
    boxed = cursor.eat("bounding box") is not None
    what = cursor.eat("width", "height", "size") if cursor.word(1) not in ("edge", "corner") else None
    if what is None:
        return Plain("box") if boxed and cursor.word() not in ("edge", "corner", "center") else None
    cursor.eat("of") if cursor.word(1) in ("the", "its") and boxed else None
    return Plain(what)


def _side(cursor: Cursor) -> Side | None:
    """An edge, corner, centre line or diagonal of the box of what the clause works on."""
    cursor.eat("the", "its")
    own = cursor.eat(*_BOX) is not None
    line = cursor.eat("horizontal center line", "vertical center line", "horizontal centre line",
                      "vertical centre line",
                      "horizontal axis", "vertical axis", "horizontal midline", "vertical midline")  # fmt: skip
    if line:
        return _of_box(cursor, Side(f"{line.split()[0]} center line"))
    if cursor.eat("bounding box center", "box center", "center") or (own and cursor.eat("center", "centre")):
        return Side("center") if cursor.word() != "of" or _of_box(cursor, Side("")) else None
    side = cursor.word()
    if side not in POSITIONS:
        return None
    cursor.place += 1
    if cursor.eat("to"):
        other = cursor.word()
        cursor.place += 1
        return _of_box(cursor, Side(f"{side} to {other} diagonal")) if cursor.eat("diagonal") else None
    cursor.eat(*_BOX)
    what = cursor.eat("edge", "corner", "side")
    if what is None or cursor.word() in ("midpoint", "center"):
        return None
    return _of_box(cursor, Side(f"{side} {'corner' if what == 'corner' else 'edge'}"))


def _of_box(cursor: Cursor, side: Side) -> Side | None:
    """The side, unless it belongs to a shape or the picture (then it is a place)."""
    if cursor.eat("of its bounding box", "of the bounding box", "of its box",
                  "of the region interior", "of the cropped image",
                  "of the region", "of the crop", "of the result"):  # fmt: skip
        return side
    if cursor.word() != "of":
        return side
    start = cursor.place
    cursor.place += 1
    cursor.eat("the interior of")
    of = read_selection(cursor, anything=False)
    cursor.place = start
    return side if of is not None and of.outlined and not side.name.startswith("horizontal") else None


def _place(cursor: Cursor) -> Chunk | None:
    return read_place(cursor, read_selection)


def _reference(cursor: Cursor) -> Selection | None:
    return read_selection(cursor)


def _verb(cursor: Cursor) -> Verb | None:
    found = cursor.eat(*_VERBS)
    return None if found is None else Verb(_VERBS[found], found)


def _direction(cursor: Cursor) -> Direction | None:
    to = cursor.eat("to the", "towards the")
    word = cursor.word()
    if word not in DIRECTIONS or (to and cursor.word(1) not in ("", "and", "by", "then", "until")):
        return None
    cursor.place += 1
    return Direction(DIRECTIONS[word])


def _quoted(cursor: Cursor) -> Quoted | None:
    token = cursor.kind(Kind.TEXT)
    return None if token is None else Quoted(token.text)
