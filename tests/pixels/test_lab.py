import numpy as np
import pytest

from editplan.pixels.lab import cie76, srgb_to_lab


@pytest.mark.parametrize(
    ("rgb", "lab"),
    [
        ((255, 255, 255), (100.0, 0.005, -0.010)),
        ((0, 0, 0), (0.0, 0.0, 0.0)),
        ((0x6A, 0x1A, 0x1A), (23.266, 35.225, 21.030)),
        ((255, 0, 0), (53.241, 80.092, 67.203)),
    ],
)
def test_published_values_are_reproduced(rgb: tuple[int, int, int], lab: tuple[float, float, float]) -> None:
    found = srgb_to_lab(np.array([rgb], dtype=np.uint8))[0]
    assert found == pytest.approx(lab, abs=0.02)


def test_the_arithmetic_is_float32() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (4, 5, 3), dtype=np.uint8)
    assert srgb_to_lab(picture).dtype == np.float32
    assert cie76(picture, picture).shape == (4, 5)
    assert not cie76(picture, picture).any()
