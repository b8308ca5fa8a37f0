"""The words that the grammar knows."""

from __future__ import annotations

SHAPES = {
    "circle": "circle", "disc": "circle", "disk": "circle", "dot": "circle", "ball": "circle", "ellipse": "ellipse",
    "oval": "ellipse", "ring": "ring", "annulus": "ring", "donut": "ring", "square": "square",
    "rectangle": "rectangle",
    "rectangular": "rectangle", "diamond": "diamond", "rhombus": "diamond", "parallelogram": "parallelogram",
    "triangle": "triangle", "triangular": "triangle", "pentagon": "pentagon", "hexagon": "hexagon", "star": "star",
    "heart": "heart", "cross": "cross", "plus": "cross", "arrow": "arrow",
    "semicircle": "semicircle", "cloud": "cloud",
    "crescent": "crescent", "circular": "circle", "line": "line",
    "polyline": "line", "segment": "line", "path": "line",
    "border": "border", "text": "text", "digit": "text", "number": "text", "letter": "text", "word": "text", "x": "x",
}  # fmt: skip
"""Singular words for kinds of shape."""

ACCEPTS = {
    "rectangle": ("rectangle", "square"),
    "circle": ("circle", "ellipse"),
    "ellipse": ("ellipse", "circle"),
    "diamond": ("diamond", "parallelogram"),
    "parallelogram": ("parallelogram", "diamond"),
}
"""Kinds that a word also covers, most exact first; each other word covers its own kind."""

THINGS = frozenset(
    [
        "shape",
        "object",
        "figure",
        "item",
        "thing",
        "one",
        "element",
        "form",
        "piece",
        "block",
        "tile",
        "token",
        "marker",
        "counter",
        "blob",
        "symbol",
        "icon",
    ]
)
"""Nouns for a shape of any kind (singular)."""

EVERYTHING = frozenset(["everything", "anything", "whatever", "all"])

OUTLINED = frozenset(
    [
        "polygon",
        "region",
        "area",
        "box",
        "frame",
        "slot",
        "cell",
        "outline",
        "panel",
        "zone",
        "container",
        "interior",
        "inside",
    ]
)
"""Nouns for a region with an outline (singular)."""

POSITIONS = {
    "left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1), "upper": (0, -1), "lower": (0, 1),
    "leftmost": (-1, 0), "rightmost": (1, 0), "topmost": (0, -1), "bottommost": (0, 1), "uppermost": (0, -1),
    "lowermost": (0, 1), "lowest": (0, 1), "highest": (0, -1),
    "top-left": (-1, -1), "upper-left": (-1, -1), "top-right": (1, -1), "upper-right": (1, -1),
    "bottom-left": (-1, 1), "lower-left": (-1, 1), "bottom-right": (1, 1), "lower-right": (1, 1),
    "middle": (0, 0), "central": (0, 0),
}  # fmt: skip
"""Position words and their direction (x to the right, y down)."""

ORDINALS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5,
    "sixth": 6, "6th": 6, "seventh": 7, "7th": 7, "eighth": 8, "8th": 8,
    "ninth": 9, "9th": 9, "tenth": 10, "10th": 10,
    "last": -1,
}  # fmt: skip

SUPERLATIVES = frozenset(
    [
        "largest",
        "biggest",
        "smallest",
        "tallest",
        "shortest",
        "widest",
        "narrowest",
        "longest",
        "thinnest",
        "thickest",
        "greatest",
        "tiniest",
        "empty",
        "missing",
        "odd",
    ]
)
"""Adjectives that need reasoning: the grammar knows them only to leave them out."""

DETERMINERS = frozenset(["the", "a", "an", "this", "that", "these", "those", "its", "their", "some"])
EVERY = frozenset(["all", "every", "each", "any", "both"])
PRONOUNS = frozenset(["it", "them", "itself", "they"])

DIRECTIONS = {
    "left": (-1, 0), "leftward": (-1, 0), "leftwards": (-1, 0), "right": (1, 0), "rightward": (1, 0),
    "rightwards": (1, 0), "up": (0, -1), "upward": (0, -1), "upwards": (0, -1), "down": (0, 1), "downward": (0, 1),
    "downwards": (0, 1),
}  # fmt: skip

VERBS = {
    "remove": (
        "remove removes removed delete deletes deleted erase erased eliminate clear discard gone disappear vanish "
        "take takes",
        "get rid of", "take away", "take out", "take off", "wipe out", "rub out",
    ),
    "recolour": (
        "recolor recolour recolored color colour paint repaint turn turns make change fill flood become becomes dye "
        "shade set "
        "cover coloured colored",
    ),
    "move": ("move moves moved shift shifts slide translate translates relocate push transport put place drag",),
    "copy": ("copy copies copied duplicate replicate clone reproduce",
             "should also appear", "must also appear", "also appear",
             "add a copy of", "place a copy of", "put a copy of",
             "make a copy of", "create a copy of", "draw a copy of"),
    "swap": ("swap exchange interchange switch",),
    "draw": ("draw connect sketch construct add join link trace insert",),
    "blend": ("blend tint mix overlay", "mix in", "blend in"),
    "gradient": ("apply",),
    "invert": ("invert negate",),
    "grayscale": ("desaturate grayscale greyscale",),
    "convert": ("convert",),
    "add_value": ("increase brighten lighten",),
    "subtract_value": ("subtract decrease darken reduce",),
    "write": ("write print type label",),
    "mark": ("mark cross strike", "cross out"),
    "crop": ("crop", "cut out"),
    "rotate": ("rotate rotates spin pivot",),
    "reflect": ("reflect mirror flip",),
    "scale": ("scale resize enlarge shrink stretch",),
    "shear": ("shear skew slant",),
    "border": ("outline give surround encircle frame border",),
    "keep": ("keep leave preserve retain maintain",),
    "place": (),
    "clip": ("clip cut",),
    "output": ("output return",),
}  # fmt: skip
"""Verbs by operation: single words in the first string of each tuple, then phrases."""


def singular(word: str) -> str:
    """A noun without its plural ending."""
    if word in ("boxes", "crosses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-3] + "y"
    if (
        word.endswith("s")
        and not word.endswith("ss")
        and word not in ("plus", "rhombus", "annulus", "his", "this", "its")
    ):
        return word[:-1]
    return word


def verb_phrases() -> dict[str, str]:
    """Every word and phrase that names an operation."""
    found: dict[str, str] = {}
    for operation, entries in VERBS.items():
        for index, entry in enumerate(entries):
            for phrase in entry.split() if index == 0 else (entry,):
                found[phrase] = operation
    return found
