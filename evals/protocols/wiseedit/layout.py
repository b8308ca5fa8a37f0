"""WiseEdit's names: metrics, categories, languages, and the subsets that a dataset tree holds."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Literal

from editplan.errors import DatasetError
from editplan.records import Record

Language = Literal["cn", "en"]
LANGUAGES: tuple[Language, ...] = ("cn", "en")


class Metric(StrEnum):
    """One ten-point scale."""

    DETAIL_PRESERVING = "detail_preserving"
    INSTRUCTION_FOLLOWING = "instruction_following"
    VISUAL_QUALITY = "visual_quality"
    KNOWLEDGE_FIDELITY = "knowledge_fidelity"
    CREATIVE_FUSION = "creative_fusion"

    @property
    def code(self) -> str:
        """Its letters in the score files: DP, IF, VQ, KF, CF."""
        return "".join(word[0] for word in self.value.split("_")).upper()

    def column(self, language: Language) -> str:
        """Its column in a score file."""
        return f"{self.code}_score_{language}"


class Category(StrEnum):
    """A task step, or the compound set."""

    IMAGINATION = "Imagination"
    AWARENESS = "Awareness"
    INTERPRETATION = "Interpretation"
    COMPLEX = "WiseEdit_Complex"


BASIC = (Category.IMAGINATION, Category.AWARENESS, Category.INTERPRETATION)
_ALWAYS = (Metric.DETAIL_PRESERVING, Metric.INSTRUCTION_FOLLOWING, Metric.VISUAL_QUALITY)
METRICS: Mapping[Category, tuple[Metric, ...]] = {
    Category.IMAGINATION: (*_ALWAYS, Metric.CREATIVE_FUSION),
    Category.AWARENESS: (*_ALWAYS, Metric.KNOWLEDGE_FIDELITY),
    Category.INTERPRETATION: (*_ALWAYS, Metric.KNOWLEDGE_FIDELITY),
    Category.COMPLEX: tuple(Metric),
}
_PUBLISHED_SUBSETS = {
    **{f"Imagination_{count}": Category.IMAGINATION for count in range(1, 6)},
    **{f"Awareness_{count}": Category.AWARENESS for count in (1, 2)},
    "Interpretation_1": Category.INTERPRETATION,
}


def judged_metrics(subset: str) -> tuple[Metric, ...]:
    """The metrics that the published judge asks for: by the subset's name, all five for an unknown one."""
    return METRICS[_PUBLISHED_SUBSETS.get(subset, Category.COMPLEX)]


def weighted_average(scores: Mapping[Metric, float], *, alpha: float, beta: float) -> float:
    """AVG = (IF + DP + VQ + alpha KF + beta CF) / (3 + alpha + beta)   (arXiv 2512.00387).

    `alpha` and `beta` are 1 where knowledge or creativity is judged, else 0.
    """
    total = sum(scores[metric] for metric in _ALWAYS)
    total += alpha * scores.get(Metric.KNOWLEDGE_FIDELITY, 0.0) + beta * scores.get(Metric.CREATIVE_FUSION, 0.0)
    return total / (3 + alpha + beta)


def scaled(raw: float) -> float:
    """A raw mean on 1..10, mapped to 0..100; what lies below 1 is 0."""
    return max((raw - 1.0) / 9.0 * 100.0, 0.0)


class Subset(Record):
    """One CSV file of the dataset."""

    category: Category
    name: str
    csv_path: Path

    @property
    def n_inputs(self) -> int | None:
        """The number of input images by the name's suffix; None if it has none."""
        suffix = self.name.rsplit("_", 1)[-1]
        return int(suffix) if suffix.isdecimal() else None


def subsets(dataset_dir: str | Path) -> tuple[Subset, ...]:
    """The subsets of a tree, by category and name: every folder that holds a CSV file of its own name.

    An absent category has none. Raises `DatasetError` if the tree has no subset at all.
    """
    root = Path(dataset_dir)
    folders = {category: root / "WiseEdit" / category.value for category in BASIC}
    folders[Category.COMPLEX] = root / "WiseEdit-Complex"
    found = [
        Subset(category=category, name=path.parent.name, csv_path=path)
        for category, folder in folders.items()
        for path in sorted(folder.glob("*/*.csv"))
        if path.stem == path.parent.name and path.is_file()
    ]
    if not found:
        raise DatasetError(
            f"{root}: no WiseEdit/<category>/<subset>/<subset>.csv and no WiseEdit-Complex/<subset>/<subset>.csv; "
            "give the WiseEdit-Benchmark folder"
        )
    return tuple(found)
