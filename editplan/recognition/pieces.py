"""Components that belong together: specks beside a shape, and pieces of a shape that an outline crosses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from editplan.pixels.components import Component
from editplan.pixels.geometry import PixelBox, union
from editplan.recognition.scene import Mask, Outline

_SPECK = 12
"""Components of at most this many pixels are looked at as broken-off tips."""
_REACH = 3
"""Largest gap, in pixels, between a speck and its shape."""


@dataclass(frozen=True, eq=False)
class Piece:
    """The visible pixels of one shape, and its estimated whole."""

    label: int
    box: PixelBox
    patch: Mask
    whole: Mask
    """`patch` and what an outline hides of it."""
    parts: int


def join_pieces(filled: list[Component], outlines: list[Outline], size: tuple[int, int]) -> list[Piece]:
    """Group components into shapes."""
    groups = _Groups(len(filled))
    for first, second in _specks(filled):
        groups.join(first, second)
    bridges: dict[int, list[tuple[Outline, Mask, PixelBox]]] = {}
    for outline in outlines:
        for members, bridge, box in _across(outline, filled, size):
            for other in members[1:]:
                groups.join(members[0], other)
            bridges.setdefault(members[0], []).append((outline, bridge, box))
    pieces = []
    for members in groups.lists():
        links = [link for member in members for link in bridges.get(member, [])]
        pieces.append(_piece([filled[m] for m in members], [(mask, box) for _, mask, box in links]))
    return pieces


def _piece(parts: list[Component], bridges: list[tuple[Mask, PixelBox]]) -> Piece:
    box = union([part.box for part in parts])
    patch = np.zeros((box[3] - box[1], box[2] - box[0]), dtype=bool)
    for part in parts:
        x1, y1 = part.box[0] - box[0], part.box[1] - box[1]
        rows, columns = part.patch.shape
        patch[y1 : y1 + rows, x1 : x1 + columns] |= part.patch
    whole = patch.copy()
    for mask, (x1, y1, x2, y2) in bridges:
        a, b, c, d = max(x1, box[0]), max(y1, box[1]), min(x2, box[2]), min(y2, box[3])
        if a < c and b < d:
            whole[b - box[1] : d - box[1], a - box[0] : c - box[0]] |= mask[b - y1 : d - y1, a - x1 : c - x1]
    return Piece(parts[0].label, box, patch, whole, len(parts))


def _specks(filled: list[Component]) -> list[tuple[int, int]]:
    """Pairs (speck, larger component of its colour close to it)."""
    pairs = []
    for number, speck in enumerate(filled):
        if speck.area > _SPECK:
            continue
        x1, y1, x2, y2 = speck.box
        for other, part in enumerate(filled):
            if other == number or part.label != speck.label or part.area <= speck.area:
                continue
            a, b, c, d = part.box
            if x1 - _REACH >= c or a - _REACH >= x2 or y1 - _REACH >= d or b - _REACH >= y2:
                continue
            near = part.patch[
                max(0, y1 - _REACH - b) : max(0, y2 + _REACH - b),
                max(0, x1 - _REACH - a) : max(0, x2 + _REACH - a),
            ]
            if near.any():
                pairs.append((number, other))
                break
    return pairs


def _across(
    outline: Outline, filled: list[Component], size: tuple[int, int]
) -> list[tuple[list[int], Mask, PixelBox]]:
    """Components of one colour that an outline cuts apart, each group with the hidden bridge between them."""
    import cv2

    reach = max(2, round(outline.stroke_width) + 1)
    x1, y1, x2, y2 = outline.box
    frame = (max(0, x1 - reach), max(0, y1 - reach), min(size[0], x2 + reach), min(size[1], y2 + reach))
    stroke = np.zeros((frame[3] - frame[1], frame[2] - frame[0]), dtype=np.uint8)
    stroke[y1 - frame[1] : y2 - frame[1], x1 - frame[0] : x2 - frame[0]] = outline.stroke
    rim = cv2.dilate(stroke, np.ones((3, 3), np.uint8)).astype(bool)
    touching: dict[int, list[int]] = {}
    for number, part in enumerate(filled):
        seen = _in_frame(part, frame)
        if seen is not None and (seen & rim).any():
            touching.setdefault(part.label, []).append(number)
    found = []
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    for members in touching.values():
        layers = [layer for m in members if (layer := _in_frame(filled[m], frame)) is not None]
        together = np.logical_or.reduce(layers).astype(np.uint8)
        padded = cv2.copyMakeBorder(together, reach, reach, reach, reach, cv2.BORDER_CONSTANT)
        closed = cv2.morphologyEx(padded, cv2.MORPH_CLOSE, kernel)[reach:-reach, reach:-reach]
        bridge = np.asarray(closed > 0) & (stroke > 0)
        _, numbered = cv2.connectedComponents(together | bridge.astype(np.uint8), connectivity=8)
        groups: dict[int, list[int]] = {}
        for member, layer in zip(members, layers, strict=True):
            groups.setdefault(int(numbered[layer][0]), []).append(member)
        found += [(group, bridge & (numbered == tag), frame) for tag, group in groups.items()]
    return found


def _in_frame(part: Component, frame: PixelBox) -> Mask | None:
    """A component's pixels inside a frame, None where it has none there."""
    x1, y1, x2, y2 = part.box
    a, b, c, d = max(x1, frame[0]), max(y1, frame[1]), min(x2, frame[2]), min(y2, frame[3])
    if a >= c or b >= d:
        return None
    layer = np.zeros((frame[3] - frame[1], frame[2] - frame[0]), dtype=bool)
    layer[b - frame[1] : d - frame[1], a - frame[0] : c - frame[0]] = part.patch[b - y1 : d - y1, a - x1 : c - x1]
    return layer if layer.any() else None


class _Groups:
    """Disjoint sets of indices."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def _root(self, index: int) -> int:
        while self._parent[index] != index:
            index = self._parent[index]
        return index

    def join(self, first: int, second: int) -> None:
        self._parent[self._root(second)] = self._root(first)

    def lists(self) -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for index in range(len(self._parent)):
            found.setdefault(self._root(index), []).append(index)
        return list(found.values())
