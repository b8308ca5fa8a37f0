"""RIG-Bench's eleven subtasks and its 36 instruction variants (arXiv 2609.02864, table 2 and appendix A.1)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Any

from editplan.errors import DatasetError
from editplan.records import Record


class Family(StrEnum):
    """What kind of reasoning an item asks for."""

    CONCEPT = "concept"
    TRANSFORMATION = "transformation"
    PATTERN = "pattern"
    SCENARIO = "scenario"


class Subtask(StrEnum):
    """One source of items, with its own anchors."""

    INTERACTION_CONCEPT = "interaction_concept"
    ABSTRACT_CONCEPT = "abstract_concept"
    GEOMETRIC_ANALOGY = "geometric_analogy"
    ATTRIBUTE_ANALOGY = "attribute_analogy"
    RULE_TRANSFER = "rule_transfer"
    MATRIX_REASONING = "matrix_reasoning"
    VISUAL_SPATIAL = "visual_spatial"
    SCIENTIFIC_PROCESS = "scientific_process"
    SCENE_TEMPORAL = "scene_temporal"
    CROSS_DOMAIN_ANALOGY = "cross_domain_analogy"
    STYLE_PREFERENCE = "style_preference"


class SubtaskFacts(Record):
    """One row of the published table."""

    family: Family
    n: int
    """Items in the benchmark."""
    pool: int
    """Items in the source that it was drawn from."""
    source: str
    open_ended: bool
    common: bool
    """In the set that every model is compared on."""


def _facts(family: Family, n: int, pool: int, source: str, *flags: str) -> SubtaskFacts:
    return SubtaskFacts(
        family=family, n=n, pool=pool, source=source, open_ended="open" in flags, common="common" in flags
    )


SUBTASKS: Mapping[Subtask, SubtaskFacts] = {
    Subtask.INTERACTION_CONCEPT: _facts(Family.CONCEPT, 216, 216, "Bongard-HOI train", "open"),
    Subtask.ABSTRACT_CONCEPT: _facts(Family.CONCEPT, 152, 152, "Bongard-RWR+ train", "open"),
    Subtask.GEOMETRIC_ANALOGY: _facts(Family.TRANSFORMATION, 240, 1150, "KiVA, KiVA-adults", "common"),
    Subtask.ATTRIBUTE_ANALOGY: _facts(Family.TRANSFORMATION, 240, 1000, "KiVA, KiVA-adults", "common"),
    Subtask.RULE_TRANSFER: _facts(Family.TRANSFORMATION, 109, 111, "ARC-AGI train", "common"),
    Subtask.MATRIX_REASONING: _facts(Family.PATTERN, 326, 1440, "MaRs-VQA train", "common"),
    Subtask.VISUAL_SPATIAL: _facts(Family.PATTERN, 131, 131, "BabyVision train", "common"),
    Subtask.SCIENTIFIC_PROCESS: _facts(Family.SCENARIO, 96, 105, "EMMA test", "common"),
    Subtask.SCENE_TEMPORAL: _facts(Family.SCENARIO, 180, 423, "MMR-Life test", "open", "common"),
    Subtask.CROSS_DOMAIN_ANALOGY: _facts(Family.SCENARIO, 180, 568, "MMR-Life test", "common"),
    Subtask.STYLE_PREFERENCE: _facts(Family.SCENARIO, 130, 368, "MMR-Life test", "open", "common"),
}


@cache
def variants() -> Mapping[str, str]:
    """The 36 instructions by variant, in our words from their published descriptions."""
    text = resources.files(__package__).joinpath("variants.toml").read_text(encoding="utf-8")
    table: dict[str, Any] = tomllib.loads(text)["variants"]
    return {name: " ".join(str(words).split()) for name, words in table.items()}


def default_variant(subtask: Subtask, n_demos: int) -> str | None:
    """The variant of a subtask that has just one; None where the item has to name it."""
    if subtask is Subtask.RULE_TRANSFER:
        return "single_pair" if n_demos == 1 else "grid_rule"
    return _ONLY_VARIANT.get(subtask)


def variant_instruction(variant: str) -> str:
    """The instruction of a variant. Raises `DatasetError` for an unknown one."""
    known = variants()
    if variant not in known:
        raise DatasetError(f"variant {variant!r} is not among {', '.join(known)}")
    return known[variant]


_ONLY_VARIANT = {
    Subtask.INTERACTION_CONCEPT: "interaction_concept",
    Subtask.ABSTRACT_CONCEPT: "abstract_concept",
    Subtask.GEOMETRIC_ANALOGY: "single_pair",
    Subtask.ATTRIBUTE_ANALOGY: "single_pair",
    Subtask.MATRIX_REASONING: "matrix",
    Subtask.SCIENTIFIC_PROCESS: "scientific_process",
}
