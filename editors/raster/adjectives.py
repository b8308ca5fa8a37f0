"""Adjectives and nouns of a reference: "non-white", "red and green", "left outlined square"."""

from __future__ import annotations

from dataclasses import replace

from editplan.editors.raster.cursor import Cursor
from editplan.editors.raster.phrases import Rgb, Selection
from editplan.editors.raster.tokens import Kind
from editplan.editors.raster.vocabulary import (
    ORDINALS,
    OUTLINED,
    POSITIONS,
    SHAPES,
    SUPERLATIVES,
    THINGS,
    singular,
)
from editplan.pixels.colours import canonical_name, parse_hex

_IDLE = frozenset(
    [
        "filled",
        "solid",
        "entire",
        "whole",
        "single",
        "same",
        "given",
        "existing",
        "remaining",
        "only",
        "visible",
        "flat",
    ]
)
_SIZES = frozenset(["small", "big", "large", "tiny", "little", "tall", "wide", "short", "narrow"]) | SUPERLATIVES


def read_described(cursor: Cursor, found: Selection) -> Selection | None:
    """Adjectives up to and with the noun."""
    while True:
        word = cursor.word()
        colour = read_colour_words(cursor)
        if colour is not None:
            if found.colour is not None or found.rgb is not None:
                return None
            found = replace(found, colour=colour[0], rgb=colour[1], colours=more_colours(cursor))
        elif word == "non" and cursor.word(1) == "background":
            cursor.place += 2
            found = replace(found, content="foreground")
        elif word == "non":
            opposite = _opposite(cursor)
            if opposite is None:
                return None
            found = replace(found, without=(*found.without, opposite))
        elif word in ("background", "foreground") and singular(cursor.word(1)) == "pixel":
            cursor.place += 1
            found = replace(found, content=word)
        elif word == "background":
            cursor.place += 1
            return replace(found, content="background")
        elif word == "outlined":
            cursor.place += 1
            found = replace(found, outlined=True)
        elif word in ORDINALS:
            cursor.place += 1
            found = replace(found, ordinal=ORDINALS[word])
        elif word in _SIZES:
            cursor.place += 1
            found = replace(found, unknown=(*found.unknown, word))
        elif word in POSITIONS and not _names_edge(cursor):
            cursor.place += 1
            found = replace(found, position=word)
        elif word in _IDLE:
            cursor.place += 1
        else:
            return _noun(cursor, found)


def _opposite(cursor: Cursor) -> Selection | None:
    """What "non" denies: a colour or a kind."""
    cursor.place += 1
    colour = read_colour_words(cursor)
    if colour is not None:
        return Selection(colour=colour[0], rgb=colour[1])
    kind = SHAPES.get(singular(cursor.word()))
    if kind is None:
        return None
    cursor.place += 1
    return Selection(kind=kind)


def more_colours(cursor: Cursor) -> tuple[tuple[str | None, Rgb | None], ...]:
    """The rest of "red, green and blue" before the noun."""
    found: list[tuple[str | None, Rgb | None]] = []
    while True:
        start = cursor.place
        cursor.commas()
        joined = cursor.eat("and", "or", "nor") or cursor.place > start
        colour = read_colour_words(cursor) if joined else None
        if colour is None:
            cursor.place = start
            return tuple(found)
        found.append(colour)


def _names_edge(cursor: Cursor) -> bool:
    return cursor.word(1) in ("edge", "corner", "side", "midpoint", "point", "bounding", "vertex", "half")


def _noun(cursor: Cursor, found: Selection) -> Selection | None:
    word, plural = singular(cursor.word()), cursor.word() != singular(cursor.word())
    after = singular(cursor.word(1))
    kind = SHAPES.get(word)
    if kind == "text" and cursor.word(1) == "of":
        return None
    if kind and (after in THINGS or after in OUTLINED or after in SHAPES) and kind != "line":
        cursor.place += 1
        found = replace(found, kind=kind)
        word, plural, kind = after, cursor.word() != after, SHAPES.get(after, None)
        if kind:
            return None
    if word == "pixel":
        cursor.place += 1
        return replace(found, every=True, content=found.content or "pixels")
    if word in ("interior", "inside") and found.kind is None:
        if word == "inside" and cursor.word(-1) != "the":
            return None
        cursor.place += 1
        return replace(found, every=True, content="pixels")
    if kind:
        found = replace(found, kind=kind)
    elif word in OUTLINED:
        found = replace(found, outlined=True)
        cursor.place += 1
        cursor.eat("itself", "interior")
        return replace(found, every=found.every or plural)
    elif word not in THINGS and cursor.word() not in ("those", "others"):
        return None
    cursor.place += 1
    cursor.eat("itself", "themselves")
    return replace(found, every=found.every or (plural and not found.new))


def read_colour_words(cursor: Cursor) -> tuple[str | None, Rgb | None] | None:
    """A colour name with or without a hex value in brackets, or a hex value; (name, RGB or None)."""
    name = None
    for length in (2, 1):
        words = [cursor.word(i) for i in range(length)]
        if all(words) and canonical_name(" ".join(words)):
            name = canonical_name(" ".join(words))
            cursor.place += length
            cursor.eat("colored", "coloured")
            break
    start = cursor.place
    cursor.commas()
    cursor.eat("hex", "color code", "code")
    token = cursor.kind(Kind.HEX)
    if token is None:
        cursor.place = start
        return None if name is None else (name, None)
    if cursor.place < len(cursor.tokens) and cursor.tokens[cursor.place].text in (")", "]"):
        cursor.place += 1
    return name, parse_hex(token.text)
