"""Rotate, reflect, scale and shear one shape."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from editplan.editors.raster.board import Board, Unclear
from editplan.editors.raster.layers import Layer
from editplan.editors.raster.phrases import Amount, Direction, Place, Selection, Side, Verb
from editplan.editors.raster.slots import Slots
from editplan.pixels.geometry import Point
from editplan.recognition.scene import Shape

Matrix = NDArray[np.float64]
"""2 x 3, from old to new pixels."""

_WORDS = (
    "by about around its across over along so that is becomes bounding box width height size keeping fixed each "
    "matches "
    "match matching the of line passes passing through and both uniformly horizontally vertically original current "
    "point "
    "degrees it between joining as staying stays remains in place with respect to"
)


def rotate(slots: Slots, board: Board) -> None:
    """Turn a shape by an angle about a point; clockwise is clockwise as seen."""
    target = slots.target()
    angle = slots.need(Amount, "angle", lambda a: a.unit == "degrees")
    backwards = slots.words("counterclockwise counter-clockwise anticlockwise anti-clockwise")
    forwards = slots.words("clockwise")
    if not backwards and not forwards and not board.literal:
        raise Unclear(f"'{slots.clause.text}': clockwise or counterclockwise?", "unparsed")
    place, side = slots.take(Place), slots.take(Side)
    about = slots.take(Selection, lambda s: not s.new and not s.pronoun)
    for shape, layer in _subject(target, slots, board):
        pivot = shape.landmarks["center"]
        if place is not None:
            pivot = board.point(place, shape)
        elif about is not None:
            pivot = board.shape(about).landmarks["center"]
        elif side is not None and side.name != "center":
            pivot = _corner(shape, side.name)
        turn = math.radians(angle.value) * (-1 if backwards else 1)
        sine, cosine = math.sin(turn), math.cos(turn)
        _warp(layer, _about(pivot, np.array([[cosine, -sine], [sine, cosine]])))


def reflect(slots: Slots, board: Board) -> None:
    """Mirror a shape at a line through two points, or at a line of its bounding box."""
    target = slots.target()
    slots.take_all(Selection, lambda s: s.kind == "line")
    places, side = slots.take_all(Place), slots.take(Side)
    flat, upright = slots.words("horizontally"), slots.words("vertically")
    for shape, layer in _subject(target, slots, board):
        if len(places) == 2:
            first, second = (board.point(place, shape) for place in places)
        elif side is not None:
            first, second = _mirror(shape, side.name)
        elif flat or upright:
            first, second = _mirror(shape, "vertical center line" if flat else "horizontal center line")
        else:
            raise Unclear(f"'{slots.clause.text}' gives no line", "unparsed")
        angle = 2 * math.atan2(second[1] - first[1], second[0] - first[0])
        linear = np.array([[math.cos(angle), math.sin(angle)], [math.sin(angle), -math.cos(angle)]])
        _warp(layer, _about(first, linear))


def scale(slots: Slots, board: Board) -> None:
    """Scale a shape, or one side of its box, by a percentage or to another shape's measure."""
    target = slots.target()
    flat, upright = slots.words("horizontally"), slots.words("vertically")
    anchor = slots.take(Side)
    amount = slots.take(Amount)
    other = slots.take(Selection, lambda s: not s.new and not s.outlined)
    for shape, layer in _subject(target, slots, board):
        if amount is not None and amount.unit in ("own", "percent"):
            factor = _factor(amount, slots)
        elif other is not None:
            model = board.shape(other)
            measured = slots.has("height") and not slots.has("width")
            factor = model.height / shape.height if measured else model.width / shape.width
        else:
            raise Unclear(f"'{slots.clause.text}' gives no factor", "unparsed")
        along = (1.0 if upright and not flat else factor, 1.0 if flat and not upright else factor)
        pivot = _corner(shape, anchor.name if anchor is not None else "center")
        _warp(layer, _about(pivot, np.diag(along)))


def shear(slots: Slots, board: Board) -> None:
    """Slide the edges of a shape's box against each other."""
    target = slots.target()
    amount = slots.need(Amount, "amount", lambda a: a.unit in ("own", "percent"))
    sides, directions = slots.take_all(Side), slots.take_all(Direction)
    slots.take_all(Verb)
    if not sides or not directions:
        raise Unclear(f"'{slots.clause.text}' doesn't say which edge shifts where", "unparsed")
    moving = sides[: len(directions)]
    for shape, layer in _subject(target, slots, board):
        edges = _edges(shape)
        upright = moving[0].name.split()[0] in ("top", "bottom")
        extent = shape.width if upright else shape.height
        shifts = {}
        for side, direction in zip(moving, directions, strict=False):
            shifts[side.name.split()[0]] = direction.vector[0 if upright else 1] * amount.value / 100 * extent
        names = ("top", "bottom") if upright else ("left", "right")
        low, high = edges[names[0]], edges[names[1]]
        start, end = shifts.get(names[0], 0.0), shifts.get(names[1], 0.0)
        slope = (end - start) / (high - low)
        matrix = np.array([[1.0, 0, 0], [0, 1.0, 0]])
        matrix[0 if upright else 1, 1 if upright else 0] = slope
        matrix[0 if upright else 1, 2] = start - slope * low
        _warp(layer, matrix)


def _factor(amount: Amount, slots: Slots) -> float:
    """ "to 150%" and "by 150%" scale to 150%; "enlarge by 50%" adds and "shrink by 20%" takes away."""
    word = next((c.word for c in slots.clause.chunks if isinstance(c, Verb)), "")
    place = next(i for i, c in enumerate(slots.clause.chunks) if c is amount)
    relative = slots.lead(place) == "by" and word in ("enlarge", "shrink", "stretch")
    if not relative:
        return amount.value / 100
    if amount.value >= 100:
        raise Unclear(f"'{slots.clause.text}': by or to {amount.value:g}%?", "unparsed")
    return 1 + amount.value / 100 * (-1 if word == "shrink" else 1)


def _subject(target: Selection, slots: Slots, board: Board) -> list[tuple[Shape, Layer]]:
    slots.words(_WORDS)
    order = slots.order()
    found = board.shapes(target)
    pairs = [(board.scene.shapes[i], board.layer(i)) for i in found]
    for _, layer in pairs:
        board.stack.reorder(layer, order)
    board.last_layers = [layer for _, layer in pairs]
    return pairs


def _edges(shape: Shape) -> dict[str, float]:
    """The sides of a shape's box, as coordinates of the outer pixel edges."""
    x1, y1, x2, y2 = shape.box
    return {"left": x1, "right": x2, "top": y1, "bottom": y2}


def _corner(shape: Shape, name: str) -> Point:
    """A corner, the middle of an edge, or the centre of a shape's box."""
    edges, words = _edges(shape), name.split()[0].replace("upper", "top").replace("lower", "bottom").split("-")
    x, y = (edges["left"] + edges["right"]) / 2, (edges["top"] + edges["bottom"]) / 2
    for word in words:
        if word in ("left", "right"):
            x = edges[word]
        elif word in ("top", "bottom"):
            y = edges[word]
    return x, y


def _mirror(shape: Shape, name: str) -> tuple[Point, Point]:
    edges, words = _edges(shape), name.split()
    if "diagonal" in words:
        return _corner(shape, words[0]), _corner(shape, words[2])
    x, y = _corner(shape, words[0])
    if words[0] in ("left", "right") or words[0] == "vertical":
        return (x, edges["top"]), (x, edges["bottom"])
    return (edges["left"], y), (edges["right"], y)


def _about(pivot: Point, linear: Matrix) -> Matrix:
    centre = np.array(pivot)
    return np.concatenate([linear, (centre - linear @ centre)[:, None]], axis=1)


def _warp(layer: Layer, matrix: Matrix) -> None:
    """Apply an affine map to a layer; a layer of hard edges stays one."""
    import cv2

    rows, columns = layer.alpha.shape
    hard = bool(np.isin(layer.alpha, (0, 1)).all())
    corners = np.array([(x, y) for x in (layer.x - 1, layer.x + columns) for y in (layer.y - 1, layer.y + rows)])
    moved = corners @ matrix[:, :2].T + matrix[:, 2]
    left, top = np.floor(moved.min(axis=0)).astype(int) - 1
    right, bottom = np.ceil(moved.max(axis=0)).astype(int) + 2
    offset = matrix.copy()
    corner = np.array([layer.x + 0.5, layer.y + 0.5])
    offset[:, 2] = matrix[:, :2] @ corner + matrix[:, 2] - (left + 0.5, top + 0.5)
    size = (int(right - left), int(bottom - top))
    alpha = np.asarray(cv2.warpAffine(layer.alpha, offset, size, flags=cv2.INTER_LINEAR), dtype=np.float32)
    body = np.median(layer.pixels[layer.alpha > 0.5], axis=0) if (layer.alpha > 0.5).any() else np.zeros(3)
    layer.pixels = np.broadcast_to(np.round(body).astype(np.uint8), (*alpha.shape, 3)).copy()
    layer.alpha = (alpha >= 0.5).astype(np.float32) if hard else alpha
    layer.x, layer.y = int(left), int(top)
