"""Reads noun phrases such as "the 3rd largest white ring" and finds what they mean in a scene."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from editplan.pixels.colours import FAMILY, canonical_name
from editplan.recognition.scene import Shape

THINGS = frozenset({"shape", "object", "figure", "item", "one", "thing", "mark", "piece", "element", "form"})
"""Nouns that name any shape."""
KIND_WORDS = {
    "circle": "circle", "disc": "circle", "disk": "circle", "dot": "circle", "ball": "circle",
    "ring": "ring", "donut": "ring", "annulus": "ring", "square": "square", "rectangle": "rectangle",
    "diamond": "diamond", "rhombus": "diamond", "parallelogram": "parallelogram", "triangle": "triangle",
    "pentagon": "pentagon", "hexagon": "hexagon", "octagon": "octagon", "star": "star", "heart": "heart",
    "cross": "cross", "plus": "cross", "arrow": "arrow", "semicircle": "semicircle", "half-circle": "semicircle",
    "cloud": "cloud", "crescent": "crescent", "moon": "crescent", "block": "block", "brick": "block",
}  # fmt: skip
"""Nouns (singular) and the kind of shape that they name."""
NOUNS = "|".join(sorted({*THINGS, *KIND_WORDS}, key=len, reverse=True))
"""All of them as one alternation of a regular expression, the longest first."""
_ALSO = {
    "rectangle": ("square",),
    "diamond": ("parallelogram", "square", "rectangle"),
    "parallelogram": ("diamond",),
    "block": ("square", "rectangle"),
}
"""Kinds that a noun may also mean, where recognition can't tell them apart."""
_UPRIGHT_DEG = 2.0


@dataclass(frozen=True)
class Description:
    """What a noun phrase says about a shape; None where it says nothing."""

    colour: str | None
    kind: str | None
    plural: bool
    words: str
    """The phrase as it stood, without its article."""

    @property
    def empty(self) -> bool:
        """Whether any shape would do."""
        return self.colour is None and self.kind is None


def describe(phrase: str) -> Description | None:
    """Read colour and kind out of a phrase; None where it holds another word than those."""
    cleaned = re.sub(r"[^\w\s-]", " ", phrase.lower())
    tokens = [token for token in cleaned.split() if token not in {"the", "a", "an", "all", "every", "each", "of"}]
    if not tokens:
        return None
    kind, plural, tokens = _noun(tokens)
    colour = canonical_name(" ".join(tokens)) if tokens else None
    if tokens and colour is None:
        return None
    if kind is None and colour is None and not plural and " ".join(cleaned.split()) == "":
        return None
    return Description(colour, kind, plural, " ".join(cleaned.split()))


def matching(description: Description, shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """The shapes that a description fits, in the order given."""
    found = [shape for shape in shapes if _kind_fits(description.kind, shape)]
    if description.colour is None:
        return tuple(found)
    exact = tuple(shape for shape in found if shape.colour == description.colour)
    if exact:
        return exact
    return tuple(shape for shape in found if FAMILY.get(shape.colour) == description.colour)


def _noun(tokens: list[str]) -> tuple[str | None, bool, list[str]]:
    """Kind, number and the tokens before the noun; "ring shapes" names its kind before the noun."""
    plural = False
    kind: str | None = None
    while tokens:
        word = tokens[-1]
        single = _singular(word)
        if single in THINGS and kind is None:
            plural = plural or single != word
        elif single in KIND_WORDS and kind is None:
            plural = plural or single != word
            kind = KIND_WORDS[single]
        else:
            break
        tokens = tokens[:-1]
    return kind, plural, tokens


def _singular(word: str) -> str:
    if word in THINGS or word in KIND_WORDS:
        return word
    for ending, instead in (("es", ""), ("s", "")):
        stem = word[: -len(ending)] + instead if word.endswith(ending) else ""
        if stem in THINGS or stem in KIND_WORDS:
            return stem
    return word


def _kind_fits(kind: str | None, shape: Shape) -> bool:
    if kind is None or shape.kind == kind:
        return True
    if shape.kind not in _ALSO.get(kind, ()):
        return False
    upright = min(shape.angle % 90, 90 - shape.angle % 90) < _UPRIGHT_DEG
    if shape.kind in {"square", "rectangle"}:
        return upright if kind in {"rectangle", "block"} else not upright and shape.kind == "square"
    return True
