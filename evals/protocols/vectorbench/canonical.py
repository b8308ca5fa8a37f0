"""Canonical spellings of attribute values (protocol section 4.3, "Canonicalisation")."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Context, Decimal, DecimalException
from functools import lru_cache

from editplan.evals.protocols.vectorbench.colours import COLOUR_ATTRIBUTES, canonical_colour
from editplan.evals.protocols.vectorbench.rules import Grammar
from editplan.svg_source import local_name

NUMBER = re.compile(r"[-+]?(?:\d*\.\d+|\d+\.?)(?:[eE][-+]?\d+)?")
INVALID = "\x00invalid:"
"""Prefix of a value whose syntax is wrong; NUL can't occur in XML, so nothing else starts with it."""

_SEPARATOR = re.compile(r"[\s,]*")
_SPACE = re.compile(r"\s+")
_COMMAND = re.compile(r"[AaCcHhLlMmQqSsTtVvZz]")
_FUNCTION = re.compile(r"([A-Za-z]+)\s*\(([^()]*)\)")
_ARITY = {
    "matrix": (6,),
    "rotate": (1, 3),
    "scale": (1, 2),
    "skewX": (1,),
    "skewY": (1,),
    "translate": (1, 2),
}
_CONTEXT = Context(prec=28)
_PLAIN_EXPONENT = 400
"""Beyond it a number keeps its exponent: written out, `1e999999999` would fill the memory."""
_CACHED_CHARACTERS = 2_000
_ARC_ARGUMENTS = 7
_ARC_FLAGS = (3, 4)


def collapsed(text: str | None) -> str:
    """The text trimmed, with every run of white space as one blank."""
    return _SPACE.sub(" ", text.strip()) if text else ""


def canonical_number(token: str) -> str:
    """The shortest plain decimal of a number token; zero is `0` whatever its sign."""
    try:
        number = Decimal(token).normalize(_CONTEXT)
    except DecimalException:
        return token.lower()
    if not number:
        return "0"
    if abs(number.adjusted()) > _PLAIN_EXPONENT:
        return str(number)
    plain = format(number, "f")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def canonical(name: str, value: str, grammar: Grammar) -> str:
    """The canonical spelling of an attribute's value, or a string that starts with `INVALID`."""
    if len(value) > _CACHED_CHARACTERS:
        return _canonical(local_name(name), value, grammar)
    return _canonical_cached(local_name(name), value, grammar)


def is_invalid(spelling: str) -> bool:
    """Whether `canonical` found the syntax wrong."""
    return spelling.startswith(INVALID)


def _canonical(name: str, value: str, grammar: Grammar) -> str:
    value = collapsed(value)
    if name == "style":
        return _style(value, grammar)
    if name in COLOUR_ATTRIBUTES and not value.lower().startswith("url("):
        return canonical_colour(value, grammar)
    if NUMBER.fullmatch(value):
        return canonical_number(value)
    reader = _READERS.get(name)
    if reader is None:
        return number_run(value, grammar) or value
    read = reader(value, grammar)
    return INVALID + value if read is None else read


_canonical_cached = lru_cache(maxsize=32_768)(_canonical)


def _style(value: str, grammar: Grammar) -> str:
    declarations = []
    for chunk in value.split(";"):
        if not chunk.strip():
            continue
        key, colon, raw = chunk.partition(":")
        key = key.strip().lower()
        if not colon or not key or not raw.strip():
            return INVALID + value
        declarations.append((key, canonical(key, raw, grammar)))
    if len({key for key, _ in declarations}) == len(declarations):
        declarations.sort()
    return ";".join(f"{key}:{spelling}" for key, spelling in declarations)


def number_run(value: str, grammar: Grammar) -> str | None:
    """Numbers apart by blanks or commas, as one canonical string; None where something else stands there.

    Official: a number may follow another without separator only with a sign of its own.
    """
    return _tokens(value, grammar, commands=False)


def _path_data(value: str, grammar: Grammar) -> str | None:
    if grammar is Grammar.STRICT_SVG:
        return _strict_path(value)
    return _tokens(value, grammar, commands=True)


def _tokens(value: str, grammar: Grammar, *, commands: bool) -> str | None:
    if not value.strip():
        return ""
    tokens: list[str] = []
    position, length, after_number = 0, len(value), False
    while True:
        start = _skip(value, position)
        if start == length:
            return " ".join(tokens) if tokens else None
        number = NUMBER.match(value, start)
        if number is not None:
            touching = after_number and start == position and value[start] not in "+-"
            if touching and grammar is Grammar.OFFICIAL:
                return None
            tokens.append(canonical_number(number.group()))
            position, after_number = number.end(), True
        elif commands and _COMMAND.match(value, start):
            tokens.append(value[start])
            position, after_number = start + 1, False
        else:
            return None


def _skip(value: str, position: int) -> int:
    blank = _SEPARATOR.match(value, position)
    return position if blank is None else blank.end()


def _strict_path(value: str) -> str | None:
    """Path data by the SVG 2 grammar, in which an arc's two flags need no separator."""
    tokens: list[str] = []
    command, argument, position = "", 0, 0
    while (start := _skip(value, position)) < len(value):
        if _COMMAND.match(value, start):
            command, argument, position = value[start], 0, start + 1
            tokens.append(command)
            continue
        if command in ("A", "a") and argument % _ARC_ARGUMENTS in _ARC_FLAGS and value[start] in "01":
            tokens.append(value[start])
            argument, position = argument + 1, start + 1
            continue
        number = NUMBER.match(value, start)
        if number is None:
            return None
        tokens.append(canonical_number(number.group()))
        argument, position = argument + 1, number.end()
    return " ".join(tokens)


def _transform(value: str, grammar: Grammar) -> str | None:
    if not value.strip():
        return ""
    functions = []
    position, length = 0, len(value)
    while (start := _skip(value, position)) < length:
        call = _FUNCTION.match(value, start)
        if call is None:
            return None
        arguments = number_run(call.group(2), grammar)
        if arguments is None or len(arguments.split()) not in _ARITY.get(call.group(1), ()):
            return None
        functions.append(f"{call.group(1)}({arguments})")
        position = call.end()
    return " ".join(functions) if functions else None


_READERS: Mapping[str, Callable[[str, Grammar], str | None]] = {
    "d": _path_data,
    "points": number_run,
    "viewBox": number_run,
    "transform": _transform,
}


def style_declarations(style: str) -> dict[str, str] | None:
    """Declarations by lower-case name, the last one winning; None where the style can't be read."""
    declarations: dict[str, str] = {}
    for chunk in style.split(";"):
        if not chunk.strip():
            continue
        name, colon, value = chunk.partition(":")
        name, value = name.strip().lower(), value.strip()
        if not colon or not name or not value:
            return None
        declarations[name] = value
    return declarations
