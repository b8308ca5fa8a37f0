"""Compares an edited result with the picture that it was made from."""

from __future__ import annotations

import numpy as np

from editplan.planner.embedded.places import region_words
from editplan.planner.embedded.view import Seen, View

_CHANGED = 24
"""Channel difference from which a pixel counts as changed."""


def compare_result(view: View) -> tuple[list[str], list[str]]:
    """Observations and problems of the last whole picture against the first."""
    result = view.sources[-1]
    share, where = _change(view.source, result)
    if share is None:
        return ["The result has another shape than the picture before it."], ["the framing has changed"]
    if not share:
        return ["The result looks the same as the picture before it."], ["nothing has changed"]
    return [f"{100 * share:.1f}% of the picture has changed, around the {where}."], []


def better_result(view: View) -> tuple[list[str], str]:
    """Which of two results ("A", "B") changed anything; "neither" where both or none did."""
    results = [seen for seen in view.sources if "result" in seen.label.lower()]
    observations, changed = [], []
    for name, seen in zip("AB", results, strict=False):
        share, where = _change(view.source, seen)
        changed.append(bool(share))
        words = "looks the same as the picture before it" if share == 0 else f"has changed around the {where}"
        observations.append(f"Result {name} {words}.")
    if changed == [True, False]:
        return observations, "A"
    if changed == [False, True]:
        return observations, "B"
    return observations, "neither"


def _change(before: Seen, after: Seen) -> tuple[float | None, str]:
    """The share of changed pixels and where their middle lies; None for pictures of different shape."""
    if before.picture.shape != after.picture.shape:
        return None, "whole picture"
    gap = np.abs(before.picture.astype(np.int16) - after.picture.astype(np.int16)).max(axis=-1)
    rows, columns = np.nonzero(gap > _CHANGED)
    if not rows.size:
        return 0.0, "nowhere"
    size = (gap.shape[1], gap.shape[0])
    return rows.size / gap.size, region_words((float(np.median(columns)), float(np.median(rows))), size)
