"""Colours: canonical hex spellings under either grammar, and CIE Lab."""

from __future__ import annotations

import colorsys
import math
import re
from functools import lru_cache

from editplan.evals.protocols.vectorbench.rules import Grammar

Lab = tuple[float, float, float]

COLOUR_ATTRIBUTES = frozenset({"color", "fill", "flood-color", "lighting-color", "stop-color", "stroke"})

_BASIC = {
    "aqua": "#00ffff",
    "black": "#000000",
    "blue": "#0000ff",
    "fuchsia": "#ff00ff",
    "gray": "#808080",
    "green": "#008000",
    "grey": "#808080",
    "lime": "#00ff00",
    "maroon": "#800000",
    "navy": "#000080",
    "olive": "#808000",
    "orange": "#ffa500",
    "purple": "#800080",
    "red": "#ff0000",
    "silver": "#c0c0c0",
    "teal": "#008080",
    "white": "#ffffff",
    "yellow": "#ffff00",
}
_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")
_HEX_ALPHA = re.compile(r"#(?:[0-9a-f]{4}|[0-9a-f]{8})")
_INTEGER_RGB = re.compile(r"rgb\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*\)")
_FUNCTION = re.compile(r"(rgb|rgba|hsl|hsla)\(([^()]{1,200})\)")
_COMPONENT = re.compile(r"([-+]?(?:\d*\.\d+|\d+)(?:e[-+]?\d+)?)(%|deg|grad|rad|turn)?")
_DEGREES = {None: 1.0, "deg": 1.0, "grad": 0.9, "rad": 180.0 / math.pi, "turn": 360.0}


def canonical_colour(value: str, grammar: Grammar) -> str:
    """`#rrggbb` (strict: or `#rrggbbaa`) where the grammar knows the colour, else the text in lower case."""
    value = value.strip().lower()
    known = _official_hex(value)
    if known is None and grammar is Grammar.STRICT_SVG:
        known = _css_hex(value)
    return value if known is None else known


def _official_hex(value: str) -> str | None:
    if value in _BASIC:
        return _BASIC[value]
    if _HEX.fullmatch(value):
        return value if len(value) == 7 else _doubled(value)
    triple = _INTEGER_RGB.fullmatch(value)
    if triple is None:
        return None
    channels = [int(channel) for channel in triple.groups()]
    return _hex(channels) if max(channels) <= 255 else None


def _doubled(value: str) -> str:
    return "#" + "".join(digit * 2 for digit in value[1:])


def _hex(channels: list[int]) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def _css_hex(value: str) -> str | None:
    """CSS Color Module Level 4: the named colours, hex with alpha, `rgb()`, `hsl()` in both syntaxes."""
    if value == "transparent":
        return "#00000000"
    named = _css_names().get(value)
    if named is not None:
        return named
    if _HEX_ALPHA.fullmatch(value):
        return _opaque(value if len(value) == 9 else _doubled(value))
    function = _FUNCTION.fullmatch(value)
    return None if function is None else _function_hex(function.group(1)[:3], function.group(2))


def _opaque(value: str) -> str:
    return value[:7] if value.endswith("ff") else value


@lru_cache(maxsize=1)
def _css_names() -> dict[str, str]:
    from PIL import ImageColor

    return {name: code for name, code in ImageColor.colormap.items() if isinstance(code, str)}


def _function_hex(space: str, arguments: str) -> str | None:
    parsed = [_COMPONENT.fullmatch(text) for text in re.split(r"\s*[,/]\s*|\s+", arguments.strip())]
    parts = [(float(part.group(1)), part.group(2)) for part in parsed if part is not None]
    if len(parts) != len(parsed) or len(parts) not in (3, 4):
        return None
    channels = _rgb_bytes(parts[:3]) if space == "rgb" else _hsl_bytes(parts[:3])
    if channels is None:
        return None
    if len(parts) == 4:
        amount, unit = parts[3]
        if unit not in (None, "%"):
            return None
        channels = [*channels, _byte(amount * 255 / 100 if unit == "%" else amount * 255)]
        return _opaque(_hex(channels))
    return _hex(channels)


def _rgb_bytes(parts: list[tuple[float, str | None]]) -> list[int] | None:
    if any(unit not in (None, "%") for _, unit in parts):
        return None
    return [_byte(amount * 255 / 100 if unit == "%" else amount) for amount, unit in parts]


def _hsl_bytes(parts: list[tuple[float, str | None]]) -> list[int] | None:
    (hue, unit), (saturation, s_unit), (lightness, l_unit) = parts
    if unit not in _DEGREES or s_unit not in (None, "%") or l_unit not in (None, "%"):
        return None
    turns = hue * _DEGREES[unit] / 360.0
    if not math.isfinite(turns):
        return None
    rgb = colorsys.hls_to_rgb(turns % 1.0, _percent(lightness), _percent(saturation))
    return [_byte(channel * 255) for channel in rgb]


def _percent(amount: float) -> float:
    return min(1.0, max(0.0, amount / 100.0))


def _byte(amount: float) -> int:
    return int(min(255.0, max(0.0, amount)) + 0.5)


@lru_cache(maxsize=4096)
def lab(value: str, grammar: Grammar) -> Lab | None:
    """CIE L*a*b* (D65, white .95047/1/1.08883) of an opaque colour, None where the grammar has no hex for it."""
    code = canonical_colour(value, grammar)
    if not _HEX.fullmatch(code):
        return None
    red, green, blue = (_linear(int(code[start : start + 2], 16) / 255) for start in (1, 3, 5))
    x = (red * 0.4124564 + green * 0.3575761 + blue * 0.1804375) / 0.95047
    y = red * 0.2126729 + green * 0.7151522 + blue * 0.0721750
    z = (red * 0.0193339 + green * 0.1191920 + blue * 0.9503041) / 1.08883
    fx, fy, fz = _pivot(x), _pivot(y), _pivot(z)
    return (116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _pivot(component: float) -> float:
    return float(component ** (1 / 3)) if component > 0.008856 else 7.787 * component + 16 / 116
