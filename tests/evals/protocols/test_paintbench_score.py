"""The pixel score: worked examples, properties, and the whole-image arithmetic of the published evaluator."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from editplan.errors import DatasetError, ImageError
from editplan.evals.protocols.paintbench import score
from editplan.evals.protocols.paintbench.metric import cie76, lab

GRAY, WHITE, RED = (120, 120, 120), (255, 255, 255), (255, 0, 0)


def picture(*rows: list[tuple[int, int, int]]) -> np.ndarray[Any, Any]:
    return np.array(rows, dtype=np.uint8)


SOURCE = picture([GRAY, GRAY], [GRAY, GRAY])
ANSWER = picture([RED, RED], [GRAY, GRAY])


def test_the_right_answer_scores_one_everywhere() -> None:
    result = score(SOURCE, ANSWER, ANSWER)
    assert result["mean_iou"] == 1.0
    assert result["iou"] == result["edit_accuracy"] == result["preservation_accuracy"] == [1.0] * 11


def test_an_untouched_copy_preserves_all_and_edits_nothing() -> None:
    result = score(SOURCE, ANSWER, SOURCE)
    assert result["mean_iou"] == 0.0
    assert result["preservation_accuracy"] == [1.0] * 11


def test_one_right_one_wrong_and_one_damaged_pixel() -> None:
    output = picture([RED, WHITE], [GRAY, WHITE])
    result = score(SOURCE, ANSWER, output)
    # 1 edited pixel is right; the union holds the 2 edited ones and the damaged one.
    assert result["iou"] == [1 / 3] * 11
    assert result["edit_accuracy"] == [0.5] * 11
    assert result["preservation_accuracy"] == [0.5] * 11


def test_a_near_colour_passes_from_its_own_distance_on() -> None:
    near = (250, 0, 0)
    distance = float(cie76(np.array([[RED]], dtype=np.uint8), np.array([[near]], dtype=np.uint8))[0, 0])
    output = picture([near, near], [GRAY, GRAY])
    assert score(SOURCE, ANSWER, output)["iou"] == [float(distance <= limit) for limit in range(11)]


def test_a_missing_output_scores_zero() -> None:
    result = score(SOURCE, ANSWER, None)
    assert result["mean_iou"] == 0.0
    assert result["iou"] == result["edit_accuracy"] == result["preservation_accuracy"] == [0.0] * 11


def test_an_empty_denominator_gives_one() -> None:
    assert score(SOURCE, SOURCE, SOURCE)["mean_iou"] == 1.0
    whole = picture([RED, RED], [RED, RED])
    assert score(SOURCE, whole, whole)["preservation_accuracy"] == [1.0] * 11


def test_lab_of_a_known_colour() -> None:
    assert lab(np.array([0x6A, 0x1A, 0x1A], dtype=np.uint8)) == pytest.approx((23.266, 35.225, 21.030), abs=2e-3)


def test_pil_images_arrays_and_alpha_score_alike() -> None:
    with_alpha = np.dstack([ANSWER, np.full((2, 2), 7, np.uint8)])
    images = (Image.fromarray(SOURCE), Image.fromarray(ANSWER), Image.fromarray(with_alpha))
    assert score(*images) == score(SOURCE, ANSWER, with_alpha) == score(SOURCE, ANSWER, ANSWER)


@pytest.mark.parametrize("size", [(24, 24), (6, 6), (30, 12), (12, 31)])
def test_an_output_of_another_size_covers_the_answer_and_is_cropped(size: tuple[int, int]) -> None:
    source = np.full((12, 12, 3), 120, np.uint8)
    answer = source.copy()
    answer[:, 6:] = RED
    output = Image.new("RGB", size, GRAY)
    output.paste(RED, (size[0] // 2, 0, *size))
    assert score(source, answer, output)["mean_iou"] > 0.9


def test_wrong_pictures_are_named() -> None:
    with pytest.raises(DatasetError, match="source is 2 x 2 px but the answer 1 x 1"):
        score(SOURCE, ANSWER[:1, :1], None)
    with pytest.raises(ImageError, match="output must be a non-empty uint8 array"):
        score(SOURCE, ANSWER, ANSWER.astype(np.float32))
    with pytest.raises(ImageError, match="5 channels"):
        score(SOURCE, ANSWER, np.zeros((2, 2, 5), np.uint8))


def whole_image_iou(source: Any, answer: Any, output: Image.Image) -> list[float]:
    """The published arithmetic without any shortcut: every pixel goes through Lab."""
    height, width = answer.shape[:2]
    if output.size != (width, height):
        scale = max(width / output.width, height / output.height)
        wide, high = math.ceil(output.width * scale), math.ceil(output.height * scale)
        left, top = (wide - width) // 2, (high - height) // 2
        output = output.resize((wide, high), Image.Resampling.NEAREST)
        output = output.crop((left, top, left + width, top + height))
    distance = cie76(np.asarray(output), answer)
    changed = (source != answer).any(axis=-1)
    values = []
    for threshold in range(11):
        right = distance <= threshold
        union = changed.sum() + (~right & ~changed).sum()
        values.append((right & changed).sum() / union if union else 1.0)
    return values


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1), noise=st.integers(0, 14), size=st.tuples(st.integers(5, 90), st.integers(5, 90))
)
def test_equal_to_the_whole_image_arithmetic(seed: int, noise: int, size: tuple[int, int]) -> None:
    random = np.random.default_rng(seed)
    palette = random.integers(0, 256, (4, 3))
    source = palette[random.integers(0, 4, (40, 60))].astype(np.uint8)
    answer = np.where(random.random((40, 60, 1)) < 0.3, palette[0], source).astype(np.uint8)
    noisy = np.clip(answer.astype(int) + random.integers(-noise, noise + 1, answer.shape), 0, 255)
    for output in (Image.fromarray(noisy.astype(np.uint8)), Image.fromarray(noisy.astype(np.uint8)).resize(size)):
        assert score(source, answer, output)["iou"] == pytest.approx(
            whole_image_iou(source, answer, output), abs=1e-12
        )
