"""Where an answer differs from its input: patches of changed pixels, what a shift moved, how far drawing reaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from editplan.evals.protocols.paintbench.problems import PaintProblem

Mask = npt.NDArray[np.bool_]
Pixels = npt.NDArray[np.uint8]

_SAME_SHAPE = 0.95
"""Least overlap of a shape with itself after a shift by a fraction of a pixel."""


@dataclass(frozen=True)
class Place:
    """A patch of changed pixels."""

    x: float
    """A pixel centre inside the patch, the one nearest its centre of mass, in 0..1 of the width."""
    y: float
    n_pixels: int
    colour: str
    """The answer's commonest colour there, `#RRGGBB`."""

    def percent(self) -> str:
        """As the benchmark's instructions write a place."""
        return f"({self.x:.2%}, {self.y:.2%})"


def changed_places(problem: PaintProblem) -> tuple[Place, ...]:
    """The changed patches of a problem, from top to bottom and left to right."""
    before, after = _pictures(problem)
    labels = _components((before != after).any(axis=-1))
    return tuple(_place(labels == label, after) for label in range(1, int(labels.max()) + 1))


def shift_of(problem: PaintProblem, colour: str) -> tuple[float, float] | None:
    """How far the one shape of a colour moved, right and down, in 0..1 of width and height.

    None where the pictures don't show it without doubt: several shapes of the colour lost pixels, or the shape
    is cut off or covered in one of them.
    """
    before, after = _pictures(problem)
    source, wanted = _of_colour(before, colour), _of_colour(after, colour)
    labels = _components(source)
    moved = np.unique(labels[source & ~wanted])
    if moved.size != 1:
        return None
    shape = labels == moved[0]
    there = (wanted & ~source) | (wanted & shape)
    (row, column), (new_row, new_column) = _centre_of_mass(shape), _centre_of_mass(there)
    down, right = new_row - row, new_column - column
    height, width = shape.shape
    if _overlap(_shifted(shape, round(down), round(right)), there) < _SAME_SHAPE:
        return None
    return right / width, down / height


def drawn_centre(problem: PaintProblem, backgrounds: list[str]) -> tuple[float, float]:
    """The centre of the box around all that the answer shows on its background, in 0..1."""
    _, after = _pictures(problem)
    drawn = ~np.logical_or.reduce([_of_colour(after, colour) for colour in backgrounds])
    rows, columns = np.nonzero(drawn)
    height, width = drawn.shape
    return float(columns.min() + columns.max() + 1) / 2 / width, float(rows.min() + rows.max() + 1) / 2 / height


def _centre_of_mass(mask: Mask) -> tuple[float, float]:
    rows, columns = np.nonzero(mask)
    return (float(rows.mean()), float(columns.mean())) if rows.size else (0.0, 0.0)


def _shifted(mask: Mask, down: int, right: int) -> Mask:
    height, width = mask.shape
    moved = np.zeros_like(mask)
    rows, columns = np.nonzero(mask)
    kept = (rows + down >= 0) & (rows + down < height) & (columns + right >= 0) & (columns + right < width)
    moved[rows[kept] + down, columns[kept] + right] = True
    return moved


def _overlap(one: Mask, other: Mask) -> float:
    return float((one & other).sum() / max(1, (one | other).sum()))


def _pictures(problem: PaintProblem) -> tuple[Pixels, Pixels]:
    with Image.open(problem.input_path) as source, Image.open(problem.answer_path) as wanted:
        return np.asarray(source.convert("RGB")), np.asarray(wanted.convert("RGB"))


def _components(mask: Mask) -> npt.NDArray[Any]:
    import cv2  # loaded for the oracle only

    return np.asarray(cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)[1])


def _of_colour(picture: Pixels, colour: str) -> Mask:
    matches: Mask = (picture == np.frombuffer(bytes.fromhex(colour.lstrip("#")), np.uint8)).all(axis=-1)
    return matches


def _place(patch: Mask, after: Pixels) -> Place:
    rows, columns = np.nonzero(patch)
    nearest = np.hypot(rows - rows.mean(), columns - columns.mean()).argmin()
    colours, repeats = np.unique(after[rows, columns], axis=0, return_counts=True)
    red, green, blue = (int(channel) for channel in colours[repeats.argmax()])
    return Place(
        x=float(columns[nearest] + 0.5) / patch.shape[1],
        y=float(rows[nearest] + 0.5) / patch.shape[0],
        n_pixels=int(rows.size),
        colour=f"#{red:02X}{green:02X}{blue:02X}",
    )
