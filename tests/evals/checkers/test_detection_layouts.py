"""Output layouts of the YOLO family, letterboxing and suppression, on tensors of the real models' shapes."""

from __future__ import annotations

import numpy as np
import pytest

from editplan.errors import ConfigError
from editplan.evals.checkers.yolo import Candidates, decoded, letterboxed, overlaps, suppressed

THINGS = ((100.0, 120.0, 200.0, 260.0, 16, 0.9), (400.0, 300.0, 520.0, 420.0, 2, 0.7))
"""Corners, class and score of what the synthetic outputs show."""


def yolov8(classes: int = 80) -> np.ndarray:
    array = np.zeros((1, 4 + classes, 8400), dtype=np.float32)
    for at, (x1, y1, x2, y2, number, score) in enumerate(THINGS):
        for copy in range(3):
            column = 1000 * at + copy
            array[0, :4, column] = ((x1 + x2) / 2 + copy, (y1 + y2) / 2, x2 - x1, y2 - y1)
            array[0, 4 + number, column] = score - 0.1 * copy
    return array


def yolov5(classes: int = 80) -> np.ndarray:
    array = np.zeros((1, 25200, 5 + classes), dtype=np.float32)
    for at, (x1, y1, x2, y2, number, score) in enumerate(THINGS):
        array[0, 500 * at, :5] = ((x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1, 0.95)
        array[0, 500 * at, 5 + number] = score / 0.95
    return array


def end_to_end() -> np.ndarray:
    array = np.zeros((1, 300, 6), dtype=np.float32)
    for at, (x1, y1, x2, y2, number, score) in enumerate(THINGS):
        array[0, at] = (x1, y1, x2, y2, score, number)
    return array


def with_batch_index() -> np.ndarray:
    return np.array(
        [[0, x1, y1, x2, y2, number, score] for x1, y1, x2, y2, number, score in THINGS], dtype=np.float32
    )


def two_outputs() -> list[np.ndarray]:
    boxes, scores = np.zeros((1, 300, 4), np.float32), np.zeros((1, 300, 80), np.float32)
    for at, (x1, y1, x2, y2, number, score) in enumerate(THINGS):
        boxes[0, at] = (x1, y1, x2, y2)
        scores[0, at, number] = score
    return [scores, boxes]


def rtdetr() -> np.ndarray:
    """Centre and size as shares of the input, class scores, no background."""
    array = np.zeros((1, 300, 84), dtype=np.float32)
    for at, (x1, y1, x2, y2, number, score) in enumerate(THINGS):
        array[0, at, :4] = np.array([(x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1]) / 640
        array[0, at, 4 + number] = score
    return array


LAYOUTS = {
    "yolov8": [yolov8()],
    "yolov8, transposed": [np.ascontiguousarray(yolov8().transpose(0, 2, 1))],
    "yolov5": [yolov5()],
    "end to end": [end_to_end()],
    "with batch index": [with_batch_index()],
    "boxes and scores": two_outputs(),
    "rt-detr": [rtdetr()],
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_gives_the_same_things(name: str) -> None:
    found = suppressed(decoded(LAYOUTS[name], 80, (640, 640)), 0.25)
    assert found.classes.tolist() == [16, 2]
    np.testing.assert_allclose(found.scores, [0.9, 0.7], atol=1e-5)
    np.testing.assert_allclose(found.boxes, [thing[:4] for thing in THINGS], atol=1e-2)


@pytest.mark.parametrize("classes", [1, 2])
def test_six_columns_are_read_by_the_number_of_classes(classes: int) -> None:
    rows = np.zeros((1, 4 + classes, 2100), dtype=np.float32)
    rows[0, :4, 7] = (150, 150, 100, 60)
    rows[0, 3 + classes, 7] = 0.8
    found = suppressed(decoded([rows], classes, (320, 320)), 0.25)
    np.testing.assert_allclose(found.boxes, [[100, 120, 200, 180]])
    ended = np.zeros((1, 300, 6), dtype=np.float32)
    ended[0, 0] = (100, 120, 200, 180, 0.8, classes - 1)
    again = suppressed(decoded([ended], classes, (320, 320)), 0.25)
    np.testing.assert_allclose(again.boxes, [[100, 120, 200, 180]])
    assert again.classes.tolist() == [classes - 1]


def test_a_layout_that_fits_no_list_of_classes_says_so() -> None:
    with pytest.raises(ConfigError, match=r"\[1, 84, 8400\].*20 classes"):
        decoded([yolov8()], 20, (640, 640))


def test_suppression_keeps_the_surest_of_a_class_and_both_of_two_classes() -> None:
    boxes = np.array([[0, 0, 10, 10], [1, 0, 11, 10], [1, 0, 11, 10], [50, 50, 60, 60]], dtype=np.float32)
    candidates = Candidates(boxes, np.array([0.6, 0.9, 0.8, 0.1], np.float32), np.array([0, 0, 1, 0]))
    kept = suppressed(candidates, 0.25)
    assert kept.scores.tolist() == pytest.approx([0.9, 0.8])
    assert kept.classes.tolist() == [0, 1]


def test_overlap_is_one_with_itself_and_nothing_apart() -> None:
    boxes = np.array([[0, 0, 10, 10], [5, 0, 15, 10], [20, 20, 30, 30]], dtype=np.float32)
    np.testing.assert_allclose(overlaps(boxes[0], boxes), [1.0, 1 / 3, 0.0], atol=1e-6)


@pytest.mark.parametrize(("height", "width"), [(480, 640), (640, 480), (100, 900), (37, 53)])
def test_boxes_come_back_from_the_letterbox(height: int, width: int) -> None:
    picture = np.zeros((height, width, 3), dtype=np.uint8)
    y1, y2, x1, x2 = height // 4, height // 2, width // 3, 2 * width // 3
    picture[y1:y2, x1:x2] = 255
    tensor, placed = letterboxed(picture, 640, 640)
    assert tensor.shape == (1, 3, 640, 640)
    assert float(tensor.max()) <= 1.0
    rows, columns = np.nonzero(tensor[0, 0] > 0.9)
    box = np.array([[columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]], dtype=np.float32)
    tolerance = 1.5 / placed.scale + 0.5
    np.testing.assert_allclose(placed.back(box), [[x1, y1, x2, y2]], atol=tolerance)
