"""References to shapes and regions: `[determiner] [adjectives] noun [what is said after it]`."""

from __future__ import annotations

from dataclasses import replace

from editplan.editors.raster.adjectives import more_colours, read_colour_words, read_described
from editplan.editors.raster.cursor import Cursor
from editplan.editors.raster.phrases import Place, Selection
from editplan.editors.raster.places import near_place, read_place
from editplan.editors.raster.tokens import Kind
from editplan.editors.raster.vocabulary import DETERMINERS, EVERY, EVERYTHING, POSITIONS, THINGS, singular

_OTHERS = (
    "all the others", "all others", "the others", "everything else", "the rest", "all the rest",
    "all the other shapes",
    "all other shapes", "the other shapes", "anything else", "nothing else", "all else", "all the other ones",
    "the other ones", "every other shape", "all the other",
)  # fmt: skip
_PICTURE = tuple(
    f"{article} {noun}"
    for article in ("the", "the whole", "the entire")
    for noun in ("image", "picture", "photo", "canvas")
)
_EXCEPT = (
    "except for", "except", "apart from", "other than", "but not", "excluding", "besides", "save for", "aside from",
    "with the exception of", "not counting", "but for",
)  # fmt: skip
_WITHIN = (
    "inside of", "inside", "within", "in", "enclosed by", "surrounded by", "found in", "found inside", "contained in",
    "lying in", "located in", "are in", "are inside", "lie in", "lie inside", "of", "bounded by",
)  # fmt: skip


def read_selection(cursor: Cursor, *, anything: bool = True) -> Selection | None:
    """A reference at the cursor; None, and the cursor as it was, where there is none.

    With `anything` False a reference must hold a noun of shapes or outlines (no "everything", no pronoun).
    """
    start = cursor.place
    found = _read(cursor, anything)
    if found is None:
        cursor.place = start
        return None
    text = " ".join(token.text for token in cursor.tokens[start : cursor.place])
    return replace(found, text=text.strip(" ,()"))


def _read(cursor: Cursor, anything: bool) -> Selection | None:
    if anything and cursor.eat(*_OTHERS):
        return _followed(cursor, Selection(others=True, every=True))
    if anything and cursor.eat(*_PICTURE):
        return Selection(content="picture", outlined=True)
    if anything and cursor.eat("it", "them", "itself", "they"):
        cursor.eat("itself", "themselves")
        return Selection(pronoun=True)
    start, every, new = cursor.place, False, False
    while word := cursor.word():
        if word in EVERY:
            every = True
        elif word in ("a", "an", "another"):
            new = True
        elif (word in ("that", "those", "these", "this") and cursor.word(1) in ("that", "which", "is", "are")) or (
            word not in DETERMINERS and not (word in ("of", "only") and (every or cursor.place == start))
        ):
            break
        cursor.place += 1
    if anything and cursor.word() in EVERYTHING | {"contents", "content"}:
        found: Selection | None = _region_words(cursor)
    elif every and cursor.word() not in {"background", "pixel", "pixels"} and _bare(cursor):
        found = Selection(every=True)
    else:
        found = read_described(cursor, Selection(every=every, new=new))
    return None if found is None else _followed(cursor, found)


def _bare(cursor: Cursor) -> bool:
    """Whether "all" or "each" stands without a noun: "all that are red"."""
    return cursor.word() in ("that", "which")


def _region_words(cursor: Cursor) -> Selection:
    contents = cursor.word() in ("contents", "content")
    whatever = cursor.word() == "whatever"
    cursor.place += 1
    if whatever and singular(cursor.word()) in THINGS:
        cursor.place += 1
        return Selection(every=True)
    cursor.commas()
    cursor.eat("shapes only")
    cursor.commas()
    return Selection(every=True, content="" if contents else "pixels")


def _followed(cursor: Cursor, found: Selection) -> Selection | None:
    """What stands after the noun; every part that is understood narrows the reference."""
    while True:
        start = cursor.place
        narrowed = _next_part(cursor, found)
        if narrowed is None:
            cursor.place = start
            return found
        found = narrowed


def _next_part(cursor: Cursor, found: Selection) -> Selection | None:
    if cursor.eat("located at", "positioned at", "centered at", "centred at", "at", "near"):
        token = cursor.peek()
        if token is None or token.kind is not Kind.POINT or found.place is not None:
            return None
        place = read_place(cursor, read_selection)
        more = _more_points(cursor)
        if place is not None and more:
            return replace(found, places=(place, *more), every=True)
        return replace(found, place=place)
    if cursor.eat("that is", "that are", "which is", "which are", "that's", "who are", "being"):
        return _predicate(cursor, found)
    if cursor.eat("with the", *(("with a", "with an") if found.outlined or not found.kind else ())):
        return _with_outline(cursor, found)
    if cursor.eat("outlined in", "outlined by"):
        colour = read_colour_words(cursor)
        return replace(found, outlined=True, colour=colour[0], rgb=colour[1]) if colour else None
    cursor.commas()
    if cursor.eat(*_EXCEPT):
        other = read_selection(cursor, anything=False)
        return replace(found, without=(*found.without, other)) if other and not other.new else None
    near = near_place(cursor, read_selection)
    if near is not None:
        return replace(found, near=near)
    return _position_after(cursor, found) or _within(cursor, found)


def _more_points(cursor: Cursor) -> list[Place]:
    """The further points of "at (x, y), (x, y) and (x, y)"."""
    found: list[Place] = []
    while True:
        start = cursor.place
        cursor.commas()
        cursor.eat("and at", "and")
        cursor.eat("at")
        token = cursor.peek()
        place = read_place(cursor, read_selection) if token is not None and token.kind is Kind.POINT else None
        if place is None:
            cursor.place = start
            return found
        found.append(place)


def _position_after(cursor: Cursor, found: Selection) -> Selection | None:
    """ "on the left", "in the top-left corner", "third from the left", "at the bottom of the image"."""
    start = cursor.place
    if found.position is not None or found.new:
        return None
    preposition = cursor.eat("on the", "at the", "in the", "from the")
    word = cursor.word()
    if preposition and word in POSITIONS and (preposition != "from the" or found.ordinal is not None):
        cursor.place += 1
        cursor.eat("side", "half", *(("corner",) if "-" in word else ()))
        cursor.eat("of the image", "of the picture", "of the canvas", "of it")
        if cursor.word() not in ("edge", "corner", "of", "outlined", "box", "square", "region", "shape", "one"):
            return replace(found, position=word)
    cursor.place = start
    return None


def _within(cursor: Cursor, found: Selection) -> Selection | None:
    """ "inside the red outline", "of the outlined square", "from (x, y) to (x, y)"."""
    start = cursor.place
    if cursor.eat("from", "between", "with corners", "with corners at", "spanning") and found.outlined:
        first = read_place(cursor, read_selection)
        if first and first.point and cursor.eat("to", "and"):
            second = read_place(cursor, read_selection)
            if second and second.point:
                return replace(found, corners=(first, second))
    cursor.place = start
    if not cursor.eat(*_WITHIN):
        return None
    if cursor.eat("the image", "the picture", "the canvas"):
        return found if found.content in ("", "pixels") else replace(found, content=found.content)
    inner = read_selection(cursor, anything=False)
    if inner is None or inner.new:
        return None
    if not inner.outlined:
        return replace(inner, content="") if found.content == "pixels" else None
    if found.content:
        narrowed = inner.content in ("background", "foreground")
        return replace(inner, content=inner.content if narrowed else found.content, every=True)
    if found.outlined and not found.colour and not found.kind:
        return replace(inner, content="pixels")
    return replace(found, inside=inner)


def _predicate(cursor: Cursor, found: Selection) -> Selection | None:
    """What follows "that are": a description, a place or a region, or its denial."""
    denied = cursor.eat("not", "neither") is not None
    cursor.eat("a", "an", "colored", "coloured", "in", "part of the", "the")
    if cursor.eat("background"):
        cursor.eat("pixels")
        return replace(found, content="foreground" if denied else "background")
    start = cursor.place
    for words in (read_selection(cursor, anything=False), None):
        if words is not None:
            said = words
            break
        cursor.place = start
        colour = read_colour_words(cursor)
        if colour is None:
            return None
        said = Selection(colour=colour[0], rgb=colour[1], colours=more_colours(cursor))
    if denied:
        return replace(found, without=(*found.without, said))
    if said.outlined:
        return replace(found, inside=said)
    return replace(
        found,
        colour=said.colour or found.colour,
        rgb=said.rgb or found.rgb,
        colours=said.colours or found.colours,
        kind=said.kind or found.kind,
        place=said.place or found.place,
        without=found.without + said.without,
        unknown=found.unknown + said.unknown,
    )


def _with_outline(cursor: Cursor, found: Selection) -> Selection | None:
    colour = read_colour_words(cursor)
    if cursor.eat("outline", "border", "frame") is None:
        return None
    if colour is None:
        return replace(found, outlined=True)
    return replace(found, outlined=True, colour=colour[0], rgb=colour[1])
