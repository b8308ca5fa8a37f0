"""The colours of the scenes: grounds, inks, and named paints that a reader of the goal can tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from editplan.pixels.colours import PALETTE, Rgb, as_hex, parse_hex


@dataclass(frozen=True)
class Paint:
    """A colour with the one name that goals give it."""

    name: str
    rgb: Rgb


@dataclass(frozen=True)
class Palette:
    """What one scene is painted with."""

    ground: Rgb
    ink: Rgb
    """Of frames, letters and walls."""
    paints: tuple[Paint, ...]
    """In a drawn order; all stand out from the ground and from each other."""

    def paint(self, name: str) -> Paint:
        """The scene's paint of that name."""
        return next(paint for paint in self.paints if paint.name == name)


GREY = Paint("gray", (158, 158, 158))
"""Of shapes that wait for a colour."""

_LIGHT = ("f7f3ea", "eaf2f8", "eef5ea", "f6eef6", "ffffff", "f4f4f4", "fdf2e2", "e7eef5", "f3ecdf", "e9f4f2")
_DARK = ("25303c", "2d2a3a", "1f3a36", "33302c")
_INK_ON_LIGHT = ("37474f", "263238", "3e3a4f", "4a4038")
_INK_ON_DARK = ("eceff1", "f5efe0", "dfe7ec")
_PAINTS = {
    "red": ("e53935", "d62728"),
    "blue": ("1e88e5", "1f77b4"),
    "green": ("43a047", "2ca02c"),
    "yellow": ("fde047", "f0dc46"),
    "orange": ("fb8c00", "ff7f0e"),
    "purple": ("8e24aa", "7b1fa2"),
    "pink": ("ff69b4", "f48fb1"),
    "brown": ("795548", "8b4513"),
    "cyan": ("17becf", "00bcd4"),
    "black": ("000000",),
}
_LOST_ON_DARK = frozenset({"black", "brown", "purple"})
_LOST_ON_LIGHT = frozenset({"cyan"})


def draw_palette(rng: Random, *, dark: bool) -> Palette:
    """A palette of seven or more named paints on a light or a dark ground."""
    lost = _LOST_ON_DARK if dark else _LOST_ON_LIGHT
    names = [name for name in _PAINTS if name not in lost]
    rng.shuffle(names)
    return Palette(
        ground=_rgb(rng.choice(_DARK if dark else _LIGHT)),
        ink=_rgb(rng.choice(_INK_ON_DARK if dark else _INK_ON_LIGHT)),
        paints=tuple(Paint(name, _rgb(rng.choice(_PAINTS[name]))) for name in names),
    )


def named_values(name: str) -> tuple[str, ...]:
    """All values (`#rrggbb`) that go by a colour name: an editor may paint any of them."""
    return tuple(f"#{value.lower()}" for value in PALETTE[name])


def hex_of(rgb: Rgb) -> str:
    """`#rrggbb`, as check specs write it."""
    return as_hex(rgb).lower()


def _rgb(text: str) -> Rgb:
    value = parse_hex(text)
    assert value is not None, "the tables above hold colours"
    return value
