"""No test reaches another machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from editplan.testing import only_loopback


@pytest.fixture(autouse=True)
def _only_this_machine() -> Iterator[None]:
    with only_loopback():
        yield
