"""The words of explicit instructions. A goal with another word in it is not claimed to be understood."""

from __future__ import annotations

import re

from editplan.pixels.colours import PALETTE, SYNONYMS
from editplan.planner.embedded.references import KIND_WORDS, THINGS

_VERBS = """
    remove delete erase take get rid disappear gone recolor recolour color colour paint turn make
    tint blend mix fill move shift translate slide put copy duplicate appear swap exchange rotate
    turn reflect mirror flip scale resize enlarge shrink shear draw connect add give outline crop
    cut invert negate convert subtract write clip place keep leave cover apply
"""
VERBS = frozenset(_VERBS.split())
"""Verbs that say what an editor does."""
_GRAMMAR_WORDS = """
    a about across align aligns all alone already also an and any anything apart appear appears are
    area around as aside at away axis b background based be becomes before behind below beneath
    between beyond border bottom bottom-left bottom-right boundary bounding box boxes brush but by c
    canvas center centered centre centred channel channels circular clamping clipped clockwise color
    colors colour colours contents copied copies copy corner corners corresponds counter-clockwise
    counterclockwise cropped current degree degrees deskewing diagonal diameter direction distance
    do down downwards e each edge edges else enclosed endpoints ends euclidean even every everything
    everywhere exactly except existing extend factor far filled fixed for found from further goes
    gradient grayscale greyscale half height high highest horizontal horizontally ignoring image in
    inside instead interior interpolation into is it its itself just keeping left leftmost leg
    length let line linear lowest luminance maintaining matches matching may middle midpoint
    mirrored moves must nearest-neighbor new no non-background not of off on one ones only onto
    opacity opposite or order other others out outlined outside over overlap overlapping overlaps
    parts passes passing percent picture pixel pixels please point points pointy polygon position
    positions possible r g radius recoloring region relative resulting right rightmost rotated round
    same scene shall shifts short should show shows side size so solid squares starts stay stays
    strength t than that the their them then there they thick thickness this those through tip to
    top top-left top-right topmost touch touching toward towards transformed two under underneath
    uniformly unless until up upper lower upwards using value values vertex vertical vertically
    vertices whatever what where whose wide width will with within without x y hypotenuse parallel
    perpendicular arc leftward rightward strip exchange places s both your given named rgb exact
    leave leaves most
"""
_GRAMMAR = frozenset(_GRAMMAR_WORDS.split())
"""Words that hold an explicit instruction together."""
_HARMLESS = re.compile(r"\bat most\b|\bvertices in order\b|\bshould be gone\b", re.IGNORECASE)
"""Phrases of explicit instructions that hold a word of the next list."""
_REASONING = re.compile(
    r"\b(?:legend|key|pattern|missing|puzzle|maze|odd|empty|vacant|free|count|number of|tallies|order|sort|rearrange|"
    r"rule|correct|solve|answer|next|belongs?|fits?|should be|largest|smallest|biggest|tallest|shortest|widest|"
    r"narrowest|most|least|fewest|\d+(?:st|nd|rd|th)|second|third|fourth|fifth|clue|hint|sequence|balance|equal|"
    r"shortest|path|route)\b",
    re.IGNORECASE,
)
"""Signs that a goal leaves something to be found out."""


def leaves_open(goal: str) -> bool:
    """Whether the goal's words ask for more than carrying out."""
    return _REASONING.search(_HARMLESS.sub(" ", goal)) is not None


_TOKEN = re.compile(r"[^\W\d_](?:[\w'’-]*[^\W_])?")
_CHUNKS = frozenset(token for name in (*PALETTE, *SYNONYMS) for token in re.split(r"[\s-]", name)) | frozenset(
    {"colored", "coloured", "outlined", "non"}
)


def unknown_words(goal: str) -> tuple[str, ...]:
    """The words of a goal that explicit instructions don't use; quoted text is content and counts as known."""
    plain = re.sub(r"\"[^\"]*\"|“[^”]*”|#[0-9a-fA-F]{3,6}\b", " ", goal)
    tokens = [token.lower().replace("’", "'") for token in _TOKEN.findall(plain)]
    return tuple(dict.fromkeys(token for token in tokens if not _known(token)))


def _known(token: str) -> bool:
    if token in VERBS or token in _GRAMMAR or token in _CHUNKS:
        return True
    for stem in (token, token.removesuffix("s"), token.removesuffix("es")):
        if stem in THINGS or stem in KIND_WORDS:
            return True
    pieces = token.split("-")
    return len(pieces) > 1 and all(_known(piece) for piece in pieces if piece)


def has_verb(goal: str) -> bool:
    """Whether a word of the goal says what an editor does."""
    return any(token.lower() in VERBS for token in _TOKEN.findall(goal))
