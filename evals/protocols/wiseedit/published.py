"""Outputs in the published layout: `<results>/<model>/<subset>/<cn|en>/<idx>.<png|jpg|jpeg|webp>`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from editplan.evals.protocols.preflight import Preflight, preflight
from editplan.evals.protocols.wiseedit.dataset import WiseEditItem
from editplan.evals.protocols.wiseedit.layout import LANGUAGES, Language

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
"""In the order in which the published judge looks for them."""


def import_outputs(
    root: str | Path, items: Iterable[WiseEditItem], languages: Iterable[Language] = LANGUAGES
) -> Preflight:
    """Find the outputs of one model, `root` being `<results>/<model>`; an item is `<subset>/<language>/<idx>`."""
    folder, spoken, cases = Path(root), tuple(languages), tuple(items)
    candidates = {
        f"{item.subset}/{language}/{item.idx}": tuple(
            folder / item.subset / language / f"{item.idx}{suffix}" for suffix in SUFFIXES
        )
        for language in spoken
        for item in cases
    }
    # A run of one language is not to report the other's images as extra.
    one_language = {folder / item.subset / language for language in spoken for item in cases}
    searched = [folder] if set(spoken) == set(LANGUAGES) else sorted(one_language)
    return preflight(folder, candidates, searched)
