"""One board of named figures, and what it must look like after a change."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Picture = NDArray[np.uint8]
Rgb = tuple[int, int, int]
GROUND: Rgb = (240, 240, 240)
SIZE = (800, 600)

_FIGURES: dict[str, tuple[Rgb, str, tuple[float, ...]]] = {
    "red circle": ((230, 40, 40), "ellipse", (60, 60, 140, 140)),
    "blue square": ((30, 100, 220), "rectangle", (250, 70, 320, 140)),
    "green triangle": ((60, 170, 70), "polygon", (480, 140, 560, 140, 520, 60)),
    "red square": ((230, 40, 40), "rectangle", (650, 60, 719, 129)),
    "yellow star": ((255, 225, 50), "star", (110, 300, 50)),
    "blue circle": ((30, 100, 220), "ellipse", (250, 260, 330, 340)),
}
_BOXES = {"purple box": ((128, 0, 128), (430, 300, 570, 440)), "orange box": ((255, 165, 0), (620, 300, 760, 440))}


@dataclass(frozen=True)
class Board:
    """The source and the mask of every figure and box interior."""

    source: Picture
    masks: dict[str, NDArray[np.bool_]]

    def painted(self, rgb: Rgb, *names: str) -> Picture:
        """The source with some figures or interiors in one colour."""
        picture = self.source.copy()
        for name in names:
            picture[self.masks[name]] = rgb
        return picture

    def without(self, *names: str) -> Picture:
        return self.painted(GROUND, *names)

    def only(self, *names: str) -> Picture:
        return self.without(*(name for name in _FIGURES if name not in names))

    def moved(self, name: str, dx: int, dy: int, *, keep: bool = False) -> Picture:
        picture = self.source.copy() if keep else self.without(name)
        picture[np.roll(self.masks[name], (dy, dx), axis=(0, 1))] = _FIGURES[name][0]
        return picture

    def moved_to(self, name: str, x: float, y: float, *, keep: bool = False) -> Picture:
        rows, columns = np.nonzero(self.masks[name])
        dx = math.floor(x - (columns.min() + columns.max() + 1) / 2 + 0.5)
        dy = math.floor(y - (rows.min() + rows.max() + 1) / 2 + 0.5)
        return self.moved(name, dx, dy, keep=keep)


def _draw(pen: ImageDraw.ImageDraw, form: str, place: tuple[float, ...], fill: Rgb | int) -> None:
    if form == "star":
        x, y, radius = place
        points = []
        for i in range(10):
            reach = radius if i % 2 == 0 else 0.4 * radius
            points.append((x + reach * math.sin(i * math.pi / 5), y - reach * math.cos(i * math.pi / 5)))
        pen.polygon(points, fill=fill)
    else:
        getattr(pen, form)(place, fill=fill)


@pytest.fixture(scope="session")
def board() -> Board:
    canvas = Image.new("RGB", SIZE, GROUND)
    masks = {}
    for name, (rgb, form, place) in _FIGURES.items():
        _draw(ImageDraw.Draw(canvas), form, place, rgb)
        alone = Image.new("L", SIZE, 0)
        _draw(ImageDraw.Draw(alone), form, place, 255)
        masks[name] = np.array(alone) > 0
    for name, (rgb, box) in _BOXES.items():
        ImageDraw.Draw(canvas).rectangle(box, outline=rgb, width=5)
        inside = np.zeros((SIZE[1], SIZE[0]), dtype=bool)
        inside[box[1] + 5 : box[3] - 4, box[0] + 5 : box[2] - 4] = True
        masks[name] = inside
    return Board(np.array(canvas), masks)


@pytest.fixture
def edit(board: Board) -> Callable[[str], Picture]:
    """Carries an instruction out in refuse mode; a refusal fails the test."""
    from editplan.editors.raster.program import carry_out

    def run(instruction: str) -> Picture:
        result = carry_out(board.source, instruction, unparsed="refuse")
        assert result.refusal is None, result.refusal
        assert result.image is not None
        return result.image

    return run
