"""Outputs in the published layout: `<outputs>/<model>/images/<category>/<index>.<png|jpg|jpeg>`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from editplan.evals.protocols.preflight import Preflight, preflight
from editplan.evals.protocols.risebench.items import RiseItem

SUFFIXES = (".png", ".jpg", ".jpeg")
"""In the order in which the released script looks for them."""


def import_outputs(root: str | Path, items: Iterable[RiseItem]) -> Preflight:
    """Find the outputs of one model, `root` being `<outputs>/<model>`."""
    folder = Path(root) / "images"
    candidates = {
        item.index: tuple(folder / item.category / f"{item.index}{suffix}" for suffix in SUFFIXES) for item in items
    }
    return preflight(Path(root), candidates, searched=(folder,))
