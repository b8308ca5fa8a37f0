"""A scene: things on a ground, painted in order, with texture and noise where the difficulty asks for them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from editplan.evals.suites.puzzles.things import Figure, Size, Spot, Thing
from editplan.pixels.colours import Rgb
from editplan.pixels.masks import Mask
from editplan.records import Box

Picture = NDArray[np.uint8]

_TEXTURE_LEVELS = 4.0
_NOISE_LEVELS = 1.6
"""Amplitude of the ground's weave and standard deviation of the noise, in levels of 255: visible, but far below any
difference that a check counts as a change."""


@dataclass(frozen=True)
class Scene:
    """A picture before it is painted. Scenes that differ in some things share texture and noise."""

    size: Size
    ground: Rgb
    things: tuple[Thing, ...]
    grain: int | None = None
    """Seed of texture and noise; None = flat."""

    @cached_property
    def picture(self) -> Picture:
        """The painted scene, H x W x 3."""
        width, height = self.size
        canvas = np.empty((height, width, 3), dtype=np.uint8)
        canvas[:] = self.ground
        if self.grain is None:
            self._paint(canvas)
            return canvas
        weave, noise = _grain(self.size, self.grain)
        soft = canvas + weave[..., None]
        self._paint(soft)
        return np.asarray(np.clip(np.rint(soft + noise), 0, 255).astype(np.uint8))

    def _paint(self, canvas: NDArray[np.uint8] | NDArray[np.float32]) -> None:
        """Paints the things in order; neighbours of one colour at once."""
        for rgb, things in groupby(self.things, key=lambda thing: thing.rgb):
            canvas[self.mask(*things)] = rgb

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures among the things."""
        return tuple(thing for thing in self.things if isinstance(thing, Figure))

    def plus(self, *things: Thing) -> Scene:
        """The scene with more things on top."""
        return replace(self, things=self.things + things)

    def without(self, *things: Thing) -> Scene:
        """The scene without some of its things."""
        return replace(self, things=tuple(thing for thing in self.things if thing not in things))

    def swapped(self, *pairs: tuple[Thing, Thing]) -> Scene:
        """The scene with things replaced by others, which come on top."""
        old = [before for before, _ in pairs]
        return self.without(*old).plus(*(after for _, after in pairs))

    def mask(self, *things: Thing) -> Mask:
        """The pixels of some things together."""
        width, height = self.size
        whole = np.zeros((height, width), dtype=bool)
        for thing in things:
            whole |= thing.mask(self.size)
        return whole

    def at(self, spot: Spot) -> str:
        """A place in percent of width and height, as goals and answers write it."""
        return f"({100 * (spot[0] + 0.5) / self.size[0]:.1f}%, {100 * (spot[1] + 0.5) / self.size[1]:.1f}%)"

    def box(self, pixels: tuple[int, int, int, int]) -> Box:
        """A pixel box in fractions of width and height, cut at the rim."""
        width, height = self.size
        x1, y1, x2, y2 = pixels
        return max(0, x1) / width, max(0, y1) / height, min(width, x2) / width, min(height, y2) / height


@lru_cache(maxsize=4)
def _grain(size: Size, seed: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The ground's weave (H x W) and the noise of every pixel (H x W x 3), in levels."""
    width, height = size
    random = np.random.Generator(np.random.PCG64(seed))
    slant, pitch = random.uniform(0.2, 1.2), random.uniform(14.0, 26.0)
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    phase = (columns * np.cos(slant) + rows * np.sin(slant)) * (2 * np.pi / pitch)
    weave = _TEXTURE_LEVELS * np.sin(phase)
    noise = random.standard_normal((height, width, 3), dtype=np.float32) * _NOISE_LEVELS
    return weave.astype(np.float32), noise
