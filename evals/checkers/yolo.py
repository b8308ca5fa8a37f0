"""YOLO-family outputs in numpy: letterboxing, the usual output layouts, and non-maximum suppression.

Layouts (n = candidates, c = classes):

* `[1, 4 + c, n]` or its transpose: centre, size, class scores (YOLOv8 to 12)
* `[1, n, 5 + c]`: centre, size, objectness, class scores (YOLOv5, v7)
* `[1, n, 6]` with n <= 1000 and other than one class: corners, score, class (end to end: YOLOv10, YOLO26, `nms=True`)
* `[n, 7]`: batch index, corners, class, score (YOLOv7 with NMS in the graph)
* `[1, n, 4]` and `[1, n, c]`: boxes, class scores (exports with two outputs)

The number of classes is always known (the file's own list or the user's), so no layout is guessed from sizes alone.
Boxes are pixels of the letterboxed input; boxes that all lie in 0..1 are shares of it (RT-DETR).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from editplan.errors import ConfigError

PAD_LEVEL = 114
"""The grey that the family is trained to see around a letterboxed picture."""
NMS_IOU = 0.5
MOST_CANDIDATES = 3000
"""Only so many of the surest candidates go into the suppression."""
MOST_END_TO_END = 1000

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Letterbox:
    """How a picture was fitted into the model's input."""

    scale: float
    left: float
    top: float
    size: tuple[int, int]
    """(width, height) of the picture."""

    def back(self, boxes: Floats) -> Floats:
        """Boxes (n, 4) of the input as boxes of the picture, clipped to it."""
        moved = (boxes - np.array([self.left, self.top] * 2, dtype=np.float32)) / self.scale
        width, height = self.size
        return np.asarray(np.clip(moved, 0.0, np.array([width, height] * 2)), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Decoded boxes with their best class."""

    boxes: Floats
    """(n, 4), corners in pixels."""
    scores: Floats
    classes: NDArray[np.int64]
    suppressed: bool = False
    """Whether the model has already left out what overlaps."""

    def kept(self, index: NDArray[np.int64] | NDArray[np.bool_]) -> Candidates:
        """Some of them."""
        return Candidates(self.boxes[index], self.scores[index], self.classes[index], self.suppressed)


def letterboxed(picture: NDArray[np.uint8], width: int, height: int) -> tuple[Floats, Letterbox]:
    """An RGB picture scaled into `width` x `height` and padded: (1, 3, height, width) in 0..1."""
    import cv2

    rows, columns = picture.shape[:2]
    scale = min(width / columns, height / rows)
    inner = max(1, round(columns * scale)), max(1, round(rows * scale))
    shrinks = scale < 1.0
    resized = cv2.resize(picture, inner, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    left, top = (width - inner[0]) // 2, (height - inner[1]) // 2
    canvas = np.full((height, width, 3), PAD_LEVEL, dtype=np.uint8)
    canvas[top : top + inner[1], left : left + inner[0]] = resized
    tensor = canvas.astype(np.float32).transpose(2, 0, 1)[None] / np.float32(255.0)
    return np.ascontiguousarray(tensor), Letterbox(scale, left, top, (columns, rows))


def decoded(outputs: Sequence[NDArray[np.floating]], classes: int, size: tuple[int, int]) -> Candidates:
    """The candidates in a model's outputs; `size` is (width, height) of its input.

    Raises `ConfigError` for a layout that none of the family has.
    """
    arrays = [np.asarray(output, dtype=np.float32) for output in outputs]
    if len(arrays) >= 2 and (pair := _two_outputs(arrays, classes)) is not None:
        found = pair
    else:
        found = _one_output(arrays[0], classes)
    boxes = found.boxes
    if boxes.size and float(np.abs(boxes).max()) <= 2.0:
        boxes = boxes * np.array([size[0], size[1]] * 2, dtype=np.float32)
    return Candidates(boxes, found.scores, found.classes, found.suppressed)


def suppressed(candidates: Candidates, min_score: float, iou: float = NMS_IOU) -> Candidates:
    """The candidates from `min_score` on, the surest first, without those that overlap a surer one of their class."""
    sure = candidates.kept(candidates.scores >= min_score)
    sure = sure.kept(np.argsort(-sure.scores, kind="stable")[:MOST_CANDIDATES])
    if sure.suppressed:
        return sure
    left = np.ones(sure.scores.size, dtype=bool)
    kept: list[int] = []
    for at in range(sure.scores.size):
        if not left[at]:
            continue
        kept.append(at)
        rivals = left & (sure.classes == sure.classes[at])
        left &= ~(rivals & (overlaps(sure.boxes[at], sure.boxes) > iou))
    return sure.kept(np.array(kept, dtype=np.int64))


def overlaps(box: Floats, boxes: Floats) -> Floats:
    """IoU of one box with many."""
    low, high = np.maximum(box[:2], boxes[:, :2]), np.minimum(box[2:], boxes[:, 2:])
    shared = np.prod(np.clip(high - low, 0.0, None), axis=1)
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    union = areas + float(np.prod(box[2:] - box[:2])) - shared
    return np.asarray(np.where(union > 0, shared / np.maximum(union, 1e-9), 0.0), dtype=np.float32)


def _one_output(array: Floats, classes: int) -> Candidates:
    if array.ndim == 2 and array.shape[1] == 7:
        return Candidates(array[:, 1:5], array[:, 6], array[:, 5].astype(np.int64), suppressed=True)
    if array.ndim != 3 or array.shape[0] != 1:
        raise _unknown(array.shape, classes)
    rows = array[0]
    if rows.shape[1] == 6 and classes not in (1, 2) and rows.shape[0] <= MOST_END_TO_END:
        return _end_to_end(rows)
    if rows.shape[1] == 6 and classes in (1, 2) and _looks_end_to_end(rows, classes):
        return _end_to_end(rows)
    if rows.shape[0] == 4 + classes and rows.shape[1] != 5 + classes:
        rows = rows.T
    if rows.shape[1] == 4 + classes:
        return _best(rows[:, :4], rows[:, 4:])
    if rows.shape[1] == 5 + classes:
        return _best(rows[:, :4], rows[:, 5:] * rows[:, 4:5])
    raise _unknown(array.shape, classes)


def _looks_end_to_end(rows: Floats, classes: int) -> bool:
    """For one or two classes six columns are ambiguous: class numbers are whole, corners ordered, scores falling."""
    if rows.shape[0] > MOST_END_TO_END:
        return False
    whole = bool((rows[:, 5] == np.rint(rows[:, 5])).all()) and bool((rows[:, 5] < classes).all())
    return whole and bool((rows[:, 2:4] >= rows[:, :2]).all()) and bool((np.diff(rows[:, 4]) <= 1e-6).all())


def _end_to_end(rows: Floats) -> Candidates:
    return Candidates(rows[:, :4], rows[:, 4], rows[:, 5].astype(np.int64), suppressed=True)


def _two_outputs(arrays: list[Floats], classes: int) -> Candidates | None:
    """Boxes as corners and class scores, in either order."""
    flat = [array[0] for array in arrays if array.ndim == 3 and array.shape[0] == 1]
    boxes = [rows for rows in flat if rows.shape[1] == 4]
    scores = [rows for rows in flat if rows.shape[1] == classes and rows is not (boxes[0] if boxes else None)]
    if not boxes or not scores or boxes[0].shape[0] != scores[0].shape[0]:
        return None
    best = scores[0].argmax(axis=1)
    return Candidates(boxes[0], scores[0].max(axis=1), best.astype(np.int64))


def _best(centred: Floats, scores: Floats) -> Candidates:
    """Corners and the best class of boxes given by centre and size."""
    half = centred[:, 2:] / 2
    boxes = np.concatenate([centred[:, :2] - half, centred[:, :2] + half], axis=1)
    return Candidates(boxes, scores.max(axis=1), scores.argmax(axis=1).astype(np.int64))


def _unknown(shape: tuple[int, ...], classes: int) -> ConfigError:
    return ConfigError(
        f"the detector's output has shape {list(shape)}, which fits no layout of the YOLO family for {classes} "
        "classes: check that the list of classes belongs to these weights"
    )
