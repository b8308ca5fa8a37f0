"""Flat colours and connected components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from editplan.pixels.geometry import PixelBox

Picture = NDArray[np.uint8]
Labels = NDArray[np.int32]
Rgb = tuple[int, int, int]

MIXED = -1
"""Label of a pixel that has no flat colour."""


@dataclass(frozen=True, eq=False)
class FlatColours:
    """Every pixel's index into a palette."""

    palette: tuple[Rgb, ...]
    """Most frequent first."""
    labels: Labels
    """H x W; MIXED where no flat colour fits."""


@dataclass(frozen=True, eq=False)
class Component:
    """Connected pixels of one palette entry."""

    label: int
    box: PixelBox
    patch: NDArray[np.bool_]
    """Its pixels inside `box`."""
    area: int


def exact_colours(picture: Picture, *, limit: int = 64) -> FlatColours | None:
    """Index every exact colour; None where a picture has more than `limit`."""
    packed = picture.astype(np.int32) @ np.array([65536, 256, 1], dtype=np.int32)
    if np.unique(packed[::7, ::7]).size > limit:
        return None
    values, inverse, counts = np.unique(packed, return_inverse=True, return_counts=True)
    if values.size > limit:
        return None
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(order.size, dtype=np.int32)
    rank[order] = np.arange(order.size)
    palette = tuple((int(v) >> 16, (int(v) >> 8) & 255, int(v) & 255) for v in values[order])
    return FlatColours(palette, rank[inverse].reshape(packed.shape).astype(np.int32))


def components(labels: Labels, label: int) -> list[Component]:
    """The 8-connected components of one label, in scan order."""
    import cv2

    member = (labels == label).astype(np.uint8)
    count, numbered, stats, _ = cv2.connectedComponentsWithStats(member, connectivity=8)
    found = []
    for number in range(1, count):
        x, y, width, height, area = (int(value) for value in stats[number])
        patch = numbered[y : y + height, x : x + width] == number
        found.append(Component(label, (x, y, x + width, y + height), patch, area))
    return found
