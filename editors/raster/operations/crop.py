"""Crop to an outlined region and scale it to the whole canvas."""

from __future__ import annotations

import numpy as np

from editplan.editors.raster.board import Board, Unclear
from editplan.editors.raster.layers import Layer, flat_layer
from editplan.editors.raster.phrases import Selection, Side
from editplan.editors.raster.slots import Slots
from editplan.recognition.scene import Outline


def crop(slots: Slots, board: Board) -> None:
    """Replace the picture by an outlined region's content, without the outline, by nearest neighbour."""
    target = slots.take(Selection)
    if target is None:
        raise Unclear(f"'{slots.clause.text}' names no region", "unparsed")
    sides = slots.take_all(Side)
    slots.words("deskewing deskew so that corresponds to the interior of becomes is image scale fill canvas using "
                "cropped result straightening its content contents")  # fmt: skip
    if target.corners is not None:
        first, last = (board.point(corner) for corner in target.corners)
        corners = np.array([first, (last[0], first[1]), last, (first[0], last[1])])
    else:
        outline = board.outline(target)
        corners = _corners(outline, sides)
        _lift(outline, board)
    width, height = board.size
    picture = _stretched(board.stack.rendered(), corners, width, height)
    board.stack.layers.append(Layer(0, 0, picture, np.ones((height, width), np.float32)))


def _lift(outline: Outline, board: Board) -> None:
    """Take the outline away and show what it hid."""
    stroke = outline.line
    board.stack.ground[stroke] = board.scene.background.image[stroke]
    kept = []
    for layer in board.stack.layers:
        if (layer.x, layer.y) == outline.box[:2] and layer.alpha.shape == outline.stroke.shape:
            continue
        kept.append(layer)
    board.stack.layers = kept
    for shape in board.scene.shapes:
        if shape.whole is not None:
            full = np.zeros(stroke.shape, dtype=bool)
            x1, y1, x2, y2 = shape.box
            full[y1:y2, x1:x2] = shape.whole & ~shape.patch
            board.stack.add(flat_layer(full & stroke, shape.rgb), "bottom")


def _corners(outline: Outline, sides: list[Side]) -> np.ndarray:
    """The region's corners (outer pixel edges) in the order top left, top right, bottom right, bottom left."""
    if len(outline.corners) != 4:
        raise Unclear(f"the {outline.colour} outlined region has {len(outline.corners)} corners where a crop needs 4")
    x1, y1, x2, y2 = outline.box
    corners = np.array(outline.corners)
    if not sides:
        return np.array([(x1, y1), (x2, y1), (x2, y2), (x1, y2)], dtype=float)
    middle = corners.mean(axis=0)
    way = corners - middle
    grow = 1 + outline.stroke_width / 2 / (np.hypot(*way.T) / 2**0.5)
    corners = middle + way * grow[:, None]
    return _from_top(corners, sides)


def _from_top(corners: np.ndarray, sides: list[Side]) -> np.ndarray:
    """Corners, clockwise, turned so that the highest one lands where the words say."""
    highest = int(corners[:, 1].argmin())
    order = ("top-left", "top-right", "bottom-right", "bottom-left")
    goal = next((s.name.split()[0] for s in sides if s.name.split()[0] in order), "top-left")
    return np.roll(corners, order.index(goal) - highest, axis=0)


def _stretched(picture: np.ndarray, corners: np.ndarray, width: int, height: int) -> np.ndarray:
    """The parallelogram of four corners drawn over the canvas."""
    y, x = np.mgrid[:height, :width]
    across, down = ((x + 0.5) / width)[..., None], ((y + 0.5) / height)[..., None]
    place = corners[0] + across * (corners[1] - corners[0]) + down * (corners[3] - corners[0])
    columns = np.clip(np.floor(place[..., 0]), 0, picture.shape[1] - 1).astype(int)
    rows = np.clip(np.floor(place[..., 1]), 0, picture.shape[0] - 1).astype(int)
    return np.asarray(picture[rows, columns])
