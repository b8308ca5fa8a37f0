"""A crop round the region of an edit, so that a large picture is edited at its own resolution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from editplan.finish.settings import Finish
from editplan.records import Box

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LEAST_CONTEXT_PX = 32
_WORTH_IT = 0.8
"""A crop of more than this share of the picture's area saves nothing."""


@dataclass(frozen=True)
class Crop:
    """A window of a picture, in its pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.right - self.left, self.bottom - self.top

    @property
    def corners(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom."""
        return self.left, self.top, self.right, self.bottom

    @property
    def window(self) -> tuple[slice, slice]:
        """Rows and columns, to index an array."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def box(self, width: int, height: int) -> Box:
        """The window, normalised by the picture's size."""
        return (self.left / width, self.top / height, self.right / width, self.bottom / height)


def crop_round(region: NDArray[np.bool_], settings: Finish) -> Crop | None:
    """The window round `region` (height × width) with its context.

    None for an empty region, and where the window would be about the whole picture.
    """
    import numpy as np

    rows, columns = np.flatnonzero(region.any(axis=1)), np.flatnonzero(region.any(axis=0))
    if not rows.size:
        return None
    height, width = region.shape
    top, bottom = _widened(int(rows[0]), int(rows[-1]) + 1, height, settings)
    left, right = _widened(int(columns[0]), int(columns[-1]) + 1, width, settings)
    if (bottom - top) * (right - left) > _WORTH_IT * width * height:
        return None
    return Crop(left, top, right, bottom)


def _widened(start: int, end: int, length: int, settings: Finish) -> tuple[int, int]:
    margin = max(_LEAST_CONTEXT_PX, round((end - start) * settings.context))
    wanted = max(end - start + 2 * margin, settings.least_crop_px)
    first = (start + end - wanted) // 2
    first = max(0, min(first, length - wanted))
    return first, min(length, first + wanted)
