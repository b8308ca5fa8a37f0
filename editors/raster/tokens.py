"""An instruction as tokens: words, numbers with their unit, points, colours by hex, quoted text, punctuation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    WORD = "word"
    POINT = "point"
    PERCENT = "percent"
    DEGREES = "degrees"
    PIXELS = "pixels"
    NUMBER = "number"
    HEX = "hex"
    TEXT = "text"
    STOP = "stop"
    """Ends a sentence or a part of one: . ; :"""
    COMMA = "comma"


@dataclass(frozen=True)
class Token:
    """One token; `numbers` holds a point's x and y in percent, or a number's value."""

    kind: Kind
    text: str
    """Lower case for words, as written for quoted text."""
    numbers: tuple[float, ...] = ()
    start: int = 0
    end: int = 0


_NUMBER = r"[-+−]?\d+(?:\.\d+)?"
_PATTERNS = (
    ("note", r"\((?:luminance|i\.e\.|that is|ignoring)[^)]*\)|\bluminance\s*=[^.,;)]*(?:\.\d+[^.,;)]*)*"),
    ("range", r"\[\s*0\s*,\s*255\s*\]"),
    ("point", rf"[(\[]\s*(?:x\s*=\s*)?({_NUMBER})\s*%\s*[,;]\s*(?:y\s*=\s*)?({_NUMBER})\s*%\s*[)\]]"),
    ("hex", r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b"),
    ("text", r"\"([^\"]*)\"|“([^”]*)”|(?<![A-Za-z0-9])'([^']*)'(?![A-Za-z0-9])|‘([^’]*)’"),
    ("degrees", rf"({_NUMBER})\s*(?:°|degrees?\b)"),
    ("percent", rf"({_NUMBER})\s*(?:%|percent\b|per\s+cent\b)"),
    ("pixels", rf"({_NUMBER})\s*(?:px\b|pixels?\b)"),
    ("ordinal", r"\d+(?:st|nd|rd|th)\b"),
    ("angle", r"(\d+)-degree\b"),
    ("word", r"[A-Za-z]+(?:[-'’][A-Za-z]+)*"),
    ("number", rf"({_NUMBER})(?:\s*[×x]\s*\d+)?"),
    ("comma", r"[,:()\[\]–—/]"),
    ("stop", r"[.;!?\n]+"),
)
_SCANNER = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS))
_KEPT = frozenset(
    [
        "top-left",
        "top-right",
        "bottom-left",
        "bottom-right",
        "upper-left",
        "upper-right",
        "lower-left",
        "lower-right",
        "counter-clockwise",
        "anti-clockwise",
        "off-white",
    ]
)
"""Hyphenated words that stay whole."""


def tokenise(text: str) -> list[Token]:
    """Cut an instruction into tokens; what no pattern fits is a word of its own."""
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        match = _SCANNER.match(text, place)
        if match is None:
            if not text[place].isspace():
                tokens.append(Token(Kind.WORD, text[place], (), place, place + 1))
            place += 1
            continue
        tokens += _tokens(match)
        place = match.end()
    return tokens


def _tokens(match: re.Match[str]) -> list[Token]:
    name, text, span = match.lastgroup, match[0], match.span()
    if name in ("note", "range"):
        return []
    if name == "word":
        return _words(text.lower().replace("’", "'"), span[0])
    if name == "text":
        return [Token(Kind.TEXT, next(g for g in re.findall(r"[\"“‘'](.*)[\"”’']", text)), (), *span)]
    if name == "ordinal":
        return [Token(Kind.WORD, text.lower(), (), *span)]
    if name == "angle":
        return [Token(Kind.WORD, text.lower(), (float(text.split("-")[0]),), *span)]
    if name in ("hex", "comma", "stop"):
        return [Token(Kind(name), text, (), *span)]
    numbers = tuple(float(n.replace("−", "-")) for n in re.findall(_NUMBER, text))
    return [Token(Kind(name or "word"), text, numbers[: 2 if name == "point" else 1], *span)]


def _words(text: str, start: int) -> list[Token]:
    """One word, or its parts: "red-outlined" and "non-background" are two."""
    if text.endswith("'s"):
        end = start + len(text)
        return [*_words(text[:-2], start), Token(Kind.WORD, "'s", (), end - 2, end)]
    if text.endswith(("-colored", "-coloured")):
        text = text.rsplit("-", 1)[0]
    if text in _KEPT or "-" not in text:
        return [Token(Kind.WORD, text, (), start, start + len(text))]
    tokens, place = [], start
    for part in text.split("-"):
        tokens.append(Token(Kind.WORD, part, (), place, place + len(part)))
        place += len(part) + 1
    return tokens
