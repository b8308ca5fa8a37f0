"""Colour names and their RGB values, both ways.

A name may have several values ("green" is #00FF00 in one palette and #008000 in another); the first is the one that
is painted. Values of the special names follow common usage (CSS Color Module 4 for the CSS keywords).
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

Rgb = tuple[int, int, int]

PALETTE: dict[str, tuple[str, ...]] = {
    "red": ("FF0000", "DC322F", "C82828", "E53935", "D62728"),
    "green": ("00FF00", "008000", "2CA02C", "32B450", "43A047", "859900"),
    "blue": ("0000FF", "1F77B4", "1E64DC", "268BD2", "1E88E5"),
    "yellow": ("FFFF00", "FAE632", "FDE047", "F0DC46"),
    "orange": ("FFA500", "FF7F0E", "FB8C00", "E6821E"),
    "purple": ("800080", "7B1FA2", "8E24AA", "9467BD"),
    "pink": ("FFC0CB", "FF69B4", "F48FB1", "E377C2"),
    "brown": ("8B4513", "A52A2A", "795548", "8C564B", "6D4C41"),
    "black": ("000000",),
    "white": ("FFFFFF",),
    "gray": ("808080", "9E9E9E", "646464", "A9A9A9"),
    "cyan": ("0FE1DF", "00FFFF", "17BECF", "00BCD4"),
    "magenta": ("F20DD8", "FF00FF"),
    "crimson": ("C31B37", "DC143C"),
    "gold": ("E4BA18", "FFD700"),
    "silver": ("BBBCBA", "C0C0C0", "D3D3D3"),
    "tan": ("CBAA85", "D2B48C"),
    "lavender": ("D9D2E9", "E6E6FA"),
    "tangerine": ("F47B16", "F28500"),
    "olive": ("717A1E", "808000"),
    "ivory": ("F8F6E8", "FFFFF0"),
    "jet black": ("101211",),
    "navy": ("000080", "1A237E"),
    "teal": ("008080", "009688"),
    "maroon": ("800000",),
    "turquoise": ("40E0D0",),
    "lime": ("BFFF00", "CDDC39"),
    "violet": ("EE82EE",),
    "indigo": ("4B0082",),
    "beige": ("F5F5DC", "E8DCC0"),
    "salmon": ("FA8072",),
    "coral": ("FF7F50",),
    "khaki": ("C3B091", "F0E68C"),
    "light blue": ("ADD8E6", "90CAF9", "87CEEB"),
    "light green": ("90EE90", "A5D6A7"),
    "dark green": ("006400", "1B5E20"),
    "dark red": ("8B0000",),
    "dark gray": ("404040", "333333"),
    "light gray": ("E0E0E0", "EEEEEE"),
}
"""Names and their values as RRGGBB."""

SYNONYMS = {
    "grey": "gray",
    "dark grey": "dark gray",
    "light grey": "light gray",
    "ivory white": "ivory",
    "off-white": "ivory",
    "jet": "jet black",
    "jet-black": "jet black",
    "olive green": "olive",
    "tangerine orange": "tangerine",
    "golden": "gold",
    "silvery": "silver",
    "fuchsia": "magenta",
    "aqua": "cyan",
    "sky blue": "light blue",
    "navy blue": "navy",
    "dark blue": "navy",
    "lime green": "lime",
    "sand": "tan",
    "camel": "tan",
    "carmine": "crimson",
    "lilac": "lavender",
    "violet purple": "violet",
}
"""Other spellings of names in the palette."""

FAMILY = {
    "cyan": "blue",
    "magenta": "pink",
    "crimson": "red",
    "gold": "yellow",
    "silver": "gray",
    "tan": "brown",
    "lavender": "purple",
    "tangerine": "orange",
    "olive": "green",
    "ivory": "white",
    "jet black": "black",
    "navy": "blue",
    "teal": "green",
    "maroon": "red",
    "turquoise": "cyan",
    "lime": "green",
    "violet": "purple",
    "indigo": "purple",
    "beige": "white",
    "salmon": "pink",
    "coral": "orange",
    "khaki": "brown",
    "light blue": "blue",
    "light green": "green",
    "dark green": "green",
    "dark red": "red",
    "dark gray": "gray",
    "light gray": "gray",
}
"""The broader name that a speaker may use for a special one."""

_HEX = re.compile(r"#?([0-9a-fA-F]{6}|[0-9a-fA-F]{3})")


def parse_hex(text: str) -> Rgb | None:
    """`#RRGGBB` or `#RGB` as RGB, None for anything else."""
    match = _HEX.fullmatch(text)
    if match is None:
        return None
    digits = match[1]
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def as_hex(rgb: Rgb) -> str:
    """RGB as `#RRGGBB`."""
    return "#{:02X}{:02X}{:02X}".format(*rgb)


def canonical_name(words: str) -> str | None:
    """The palette's name for words such as "grey", "tangerine-colored" or "jet-black"; None if unknown."""
    name = re.sub(r"[-\s]*colou?red$", "", words.strip().lower()).strip()
    for spelling in (name, name.replace("-", " ")):
        spelling = SYNONYMS.get(spelling, spelling)
        if spelling in PALETTE:
            return spelling
    return None


def colour_value(name: str) -> Rgb | None:
    """The RGB that a colour name paints, None for an unknown one."""
    known = canonical_name(name)
    return None if known is None else parse_hex(PALETTE[known][0])


@lru_cache(maxsize=4096)
def colour_name(rgb: Rgb) -> str:
    """The palette's name nearest to an RGB value by CIE76."""
    return min((colour_difference(rgb, value), name) for name, value in _values())[1]


@lru_cache(maxsize=65536)
def colour_difference(a: Rgb, b: Rgb) -> float:
    """CIE76 between two RGB values."""
    first, second = _lab(a), _lab(b)
    return math.dist(first, second)


def difference_to_name(rgb: Rgb, name: str) -> float:
    """CIE76 from an RGB value to the nearest value of a palette name."""
    return min(colour_difference(rgb, value) for known, value in _values() if known == name)


@lru_cache(maxsize=1)
def _values() -> tuple[tuple[str, Rgb], ...]:
    found = ((name, parse_hex(text)) for name, texts in PALETTE.items() for text in texts)
    return tuple((name, value) for name, value in found if value is not None)


@lru_cache(maxsize=65536)
def _lab(rgb: Rgb) -> tuple[float, float, float]:
    import numpy as np

    from editplan.pixels.lab import srgb_to_lab

    lightness, a, b = srgb_to_lab(np.array([rgb], dtype=np.uint8))[0]
    return float(lightness), float(a), float(b)
