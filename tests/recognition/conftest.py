"""Figures drawn with Pillow at known places."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Picture = NDArray[np.uint8]
Corners = list[tuple[float, float]]


def _regular(count: int, inner: float = 1.0) -> Corners:
    radii = [1.0 if i % 2 == 0 else inner for i in range(count)] if inner != 1.0 else [1.0] * count
    return [
        (r * math.sin(2 * math.pi * i / count), -r * math.cos(2 * math.pi * i / count)) for i, r in enumerate(radii)
    ]


def _heart() -> Corners:
    steps = [2 * math.pi * i / 200 for i in range(200)]
    return [
        (math.sin(t) ** 3, -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)) / 16)
        for t in steps
    ]


FIGURES: dict[str, Corners] = {
    "triangle": [(-0.9, 0.6), (0.9, 0.6), (-0.9, -0.44)],
    "hexagon": _regular(6),
    "pentagon": _regular(5),
    "star": _regular(10, 0.4),
    "heart": _heart(),
    "arrow": [(1, 0), (0.1, 0.8), (0.1, 0.3), (-1, 0.3), (-1, -0.3), (0.1, -0.3), (0.1, -0.8)],
    "cross": [
        (-0.3, -1), (0.3, -1), (0.3, -0.3), (1, -0.3), (1, 0.3), (0.3, 0.3),
        (0.3, 1), (-0.3, 1), (-0.3, 0.3), (-1, 0.3), (-1, -0.3), (-0.3, -0.3),
    ],
    "semicircle": [(math.cos(math.pi * i / 90), -math.sin(math.pi * i / 90)) for i in range(91)],
    "circle": _regular(120),
    "diamond": [(0, -1), (0.55, 0), (0, 1), (-0.55, 0)],
    "rectangle": [(-1, -0.55), (1, -0.55), (1, 0.55), (-1, 0.55)],
    "square": [(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)],
}  # fmt: skip

Draw = Callable[..., Picture]


@pytest.fixture
def figure() -> Draw:
    """Draws one black figure on orange: kind, radius, turn in degrees, centre."""

    def draw(
        kind: str, radius: float = 60, turn: float = 0, centre: tuple[float, float] = (160, 120), supersample: int = 1
    ) -> Picture:
        cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        points = [
            (
                supersample * (centre[0] + radius * (x * cosine - y * sine)),
                supersample * (centre[1] + radius * (x * sine + y * cosine)),
            )
            for x, y in FIGURES[kind]
        ]
        canvas = Image.new("RGB", (320 * supersample, 240 * supersample), (255, 165, 0))
        ImageDraw.Draw(canvas).polygon(points, fill=(0, 0, 0))
        return np.array(canvas.resize((320, 240), Image.Resampling.BOX) if supersample > 1 else canvas)

    return draw
