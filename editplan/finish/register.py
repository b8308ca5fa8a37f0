"""Where an output lies against its source: editors shift, zoom and rescale by some pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WORKING_SIDE = 768
_STEPS = 120
_ACCURACY = 1e-5
_LEAST_CORRELATION = 0.4


@dataclass(frozen=True)
class Registration:
    """An affine map from source to output coordinates (2 × 3, source pixels), and how sure it is."""

    matrix: NDArray[np.float64]
    correlation: float
    """Enhanced correlation outside the region, −1..1."""
    method: str

    def shift_px(self, width: int, height: int) -> float:
        """The largest displacement of a corner, in pixels of the source."""
        import numpy as np

        corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]], float)
        moved = corners @ self.matrix.T
        return float(np.hypot(*(moved - corners[:, :2]).T).max())


def register(source: NDArray[np.uint8], output: NDArray[np.uint8], outside: NDArray[np.bool_]) -> Registration | None:
    """Finds the affine map between two RGB pictures of one size by ECC, else a translation; None if neither fits.

    `outside` (height × width) marks the pixels that should agree. Evangelidis & Psarakis 2008 for ECC.
    """
    import cv2
    import numpy as np

    height, width = source.shape[:2]
    scale = min(1.0, _WORKING_SIDE / max(height, width))
    size = (max(16, round(width * scale)), max(16, round(height * scale)))
    one, two = (_small_grey(each, size) for each in (source, output))
    free = np.asarray(cv2.resize(outside.astype(np.uint8) * 255, size, interpolation=cv2.INTER_NEAREST), np.uint8)
    for method, kind in (("ecc-affine", cv2.MOTION_AFFINE), ("ecc-translation", cv2.MOTION_TRANSLATION)):
        found = _ecc(one, two, free, kind)
        if found is not None:
            matrix, correlation = found
            return Registration(_at_full_size(matrix, size, (width, height)), correlation, method)
    return None


def _small_grey(pixels: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    import cv2
    import numpy as np

    small = cv2.resize(np.ascontiguousarray(pixels), size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), np.uint8)


def _ecc(
    one: NDArray[np.uint8], two: NDArray[np.uint8], free: NDArray[np.uint8], kind: int
) -> tuple[NDArray[np.float64], float] | None:
    import cv2
    import numpy as np

    start = np.eye(2, 3, dtype=np.float32)
    shift, _ = cv2.phaseCorrelate(one.astype(np.float64), two.astype(np.float64))
    if max(abs(shift[0]), abs(shift[1])) < 0.2 * max(one.shape):
        start[:, 2] = shift
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, _STEPS, _ACCURACY)
    try:
        correlation, matrix = cv2.findTransformECC(one, two, start, kind, criteria, free, 5)
    except cv2.error:
        return None
    if not np.isfinite(matrix).all() or correlation < _LEAST_CORRELATION:
        return None
    return matrix.astype(np.float64), float(correlation)


def _at_full_size(matrix: NDArray[np.float64], small: tuple[int, int], full: tuple[int, int]) -> NDArray[np.float64]:
    import numpy as np

    sx, sy = full[0] / small[0], full[1] / small[1]
    scaled = matrix.copy()
    scaled[0, 1] *= sx / sy
    scaled[1, 0] *= sy / sx
    # Pixel centres: x_full + 0.5 = (x_small + 0.5) * s.
    offset = np.array([0.5 * (sx - 1), 0.5 * (sy - 1)])
    scaled[:, 2] = matrix[:, 2] * np.array([sx, sy]) + offset - scaled[:, :2] @ offset
    return scaled


def aligned(output: NDArray[np.uint8], registration: Registration) -> NDArray[np.uint8]:
    """The output warped onto the source's pixels."""
    import cv2
    import numpy as np

    height, width = output.shape[:2]
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    warped = cv2.warpAffine(
        np.ascontiguousarray(output), registration.matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(warped, np.uint8)
