"""No test reaches another machine; torchvision can be imported beside any torch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from editplan.testing import only_loopback


@pytest.fixture(autouse=True)
def _only_this_machine() -> Iterator[None]:
    with only_loopback():
        yield


@pytest.fixture(scope="session")
def torchvision_operators() -> Iterator[None]:
    """Declares the operators that a torchvision built for another torch registers only in its compiled part.

    Where that part loads, it registers them itself, and a second declaration would abort the process.
    """
    probe = subprocess.run([sys.executable, "-c", "import torchvision"], capture_output=True, check=False)
    if probe.returncode == 0:
        yield
        return
    import torch

    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    yield
    del library
