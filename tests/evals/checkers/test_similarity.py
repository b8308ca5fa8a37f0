"""Similarity outside a region: what another rendering may do and what it may not."""

from __future__ import annotations

import numpy as np
import pytest
from skimage import data
from skimage.metrics import structural_similarity

from editplan.evals.checkers.checker import measured
from editplan.evals.checkers.regions import box_region
from editplan.evals.checkers.registration import register
from editplan.evals.checkers.similarity import masked_ssim, unmatched_edges
from editplan.evals.checkers.specs import SimilarOutside

REGION = box_region((0.05, 0.05, 0.25, 0.25))


@pytest.fixture(scope="module")
def photograph() -> np.ndarray:
    return np.ascontiguousarray(data.astronaut()[::2, ::2])


def test_ssim_is_the_published_one(photograph: np.ndarray) -> None:
    import cv2

    other = cv2.GaussianBlur(photograph, (0, 0), 1.2)
    grey = [cv2.cvtColor(image, cv2.COLOR_RGB2GRAY) for image in (photograph, other)]
    _, full = structural_similarity(
        *grey, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255, full=True
    )
    where = np.zeros(grey[0].shape, dtype=bool)
    where[20:-20, 20:-20] = True
    inner = full[26:-26, 26:-26]
    assert masked_ssim(photograph, other, where) == pytest.approx(float(inner.mean()), abs=2e-3)


def test_a_change_inside_the_region_doesnt_count(photograph: np.ndarray) -> None:
    edited = photograph.copy()
    edited[14:62, 14:62] = (255, 0, 0)
    assert measured(SimilarOutside(region=REGION), register(photograph, edited)).verdict == "pass"


def test_compression_passes_and_another_picture_a_cast_or_a_blur_do_not(photograph: np.ndarray) -> None:
    import cv2

    _, packed = cv2.imencode(".jpg", photograph[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 90])
    outputs = {
        "jpeg": np.ascontiguousarray(cv2.imdecode(packed, cv2.IMREAD_COLOR)[..., ::-1]),
        "cast": np.clip(photograph.astype(int) + np.array([30, 0, -30]), 0, 255).astype(np.uint8),
        "blur": cv2.GaussianBlur(photograph, (0, 0), 3.0),
        "other": np.ascontiguousarray(photograph[::-1, ::-1]),
    }
    spec = SimilarOutside(region=REGION)
    verdicts = {name: measured(spec, register(photograph, image)).verdict for name, image in outputs.items()}
    assert verdicts == {"jpeg": "pass", "cast": "fail", "blur": "fail", "other": "fail"}


def test_edges_that_come_or_go_are_counted(photograph: np.ndarray) -> None:
    everywhere = np.ones(photograph.shape[:2], dtype=bool)
    assert unmatched_edges(photograph, photograph, everywhere) == 0.0
    flat = np.full_like(photograph, 128)
    assert unmatched_edges(photograph, flat, everywhere) == 1.0
    assert unmatched_edges(flat, flat, everywhere) is None


def test_a_region_that_covers_all_abstains(photograph: np.ndarray) -> None:
    spec = SimilarOutside(region=box_region((0.0, 0.0, 1.0, 1.0)))
    assert measured(spec, register(photograph, photograph)).verdict == "abstain"
