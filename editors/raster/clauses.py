"""An instruction as clauses: sentences, cut further where another verb begins."""

from __future__ import annotations

from editplan.editors.raster.chunks import read_chunks
from editplan.editors.raster.phrases import Clause
from editplan.editors.raster.tokens import Kind, Token, tokenise
from editplan.editors.raster.vocabulary import verb_phrases

_STARTERS = frozenset(
    [
        "remove",
        "delete",
        "erase",
        "recolor",
        "recolour",
        "color",
        "colour",
        "paint",
        "make",
        "turn",
        "move",
        "shift",
        "slide",
        "translate",
        "copy",
        "duplicate",
        "swap",
        "draw",
        "blend",
        "tint",
        "invert",
        "convert",
        "write",
        "crop",
        "rotate",
        "reflect",
        "mirror",
        "flip",
        "scale",
        "shear",
        "fill",
        "keep",
        "leave",
        "preserve",
        "place",
        "put",
        "let",
        "do",
        "don't",
        "add",
        "mark",
        "connect",
        "restore",
        "show",
        "reveal",
        "clip",
        "cut",
        "outline",
        "without",
    ]
)
"""Words that begin a clause of their own after "and", "then", "but" or a comma."""
_STAYING = frozenset(["stay", "stays", "remain", "remains", "unchanged", "same", "changes"])
_JOINTS = frozenset(["and", "then", "but"])
_AMBIGUOUS = frozenset(["outline", "color", "colour", "place", "cut", "mark", "clip", "without", "let", "show", "do"])
"""Starters that may be nouns or plain words: what stands before a joint needs another verb to be a clause."""


def read_clauses(instruction: str) -> list[Clause]:
    """Every clause of an instruction with its own text and chunks."""
    clauses = []
    for tokens in _parts(tokenise(instruction)):
        text = instruction[tokens[0].start : tokens[-1].end].strip()
        clauses.append(Clause(text, read_chunks(tokens)))
    return clauses


def _parts(tokens: list[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.kind is Kind.STOP:
            parts.append([])
        elif _has_verb(parts[-1]) and (skip := _joint(tokens, index)):
            parts.append([])
            index += skip - 1
        else:
            parts[-1].append(token)
        index += 1
    return [part for part in parts if any(t.kind is not Kind.COMMA for t in part)]


def _has_verb(tokens: list[Token]) -> bool:
    """Whether a part can stand alone: "apart from the star," can't."""
    known = {phrase.split()[0] for phrase in verb_phrases()} - {
        "outline",
        "frame",
        "border",
        "color",
        "colour",
        "cross",
        "label",
        "mark",
    }
    known |= _STARTERS - _AMBIGUOUS
    opening = tokens[0].text if tokens else ""
    return opening in _STARTERS or any(token.text in known for token in tokens) or opening in ("do", "don't")


def _joint(tokens: list[Token], index: int) -> int:
    """How many tokens join two clauses here: 0 where none begins."""
    count = 0
    while index + count < len(tokens) and (
        tokens[index + count].kind is Kind.COMMA or tokens[index + count].text in _JOINTS
    ):
        count += 1
    if not count or index + count >= len(tokens):
        return 0
    after = tokens[index + count]
    if after.kind is not Kind.WORD:
        return 0
    if after.text in _STARTERS or _stays(tokens[index + count :]):
        return count
    return 0


def _stays(tokens: list[Token]) -> bool:
    """Whether a part says that everything else stays."""
    words = [token.text for token in tokens[:9] if token.kind is Kind.WORD]
    rest = words[:2] in (
        ["everything", "else"],
        ["nothing", "else"],
        ["the", "rest"],
        ["all", "else"],
        ["anything", "else"],
    )
    return rest and bool(_STAYING & set(words))
