"""What every checker offers; bring your own by satisfying it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from editplan.evals.contracts import Atom
from editplan.evals.verdicts import AtomVerdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Checker(Protocol):
    """Code that decides an atom from pixels: it computes, or it abstains."""

    @property
    def id(self) -> str:
        """Name and version, `name@version`: another version may decide otherwise, and the record shows it."""
        ...

    def check(self, atom: Atom, before: NDArray[np.uint8], after: NDArray[np.uint8]) -> AtomVerdict:
        """The verdict on one atom from source and output, H x W x 3 sRGB; the output may have another size."""
        ...
