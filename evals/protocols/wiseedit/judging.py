"""What WiseEdit's judge is shown for one metric: which texts and images, in which order, under which settings."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from editplan.evals.protocols.wiseedit.dataset import WiseEditItem
from editplan.evals.protocols.wiseedit.layout import Language, Metric
from editplan.records import Record

Mode = Literal["official", "strict"]

IMAGE_MAX_SIDE_PX = 512
JPEG_QUALITY = 90
MAX_TOKENS = 1000
OFFICIAL_ATTEMPTS = 5
"""Answers that don't parse and calls that fail both count; after the last one the score is 0."""
STRICT_ANSWERS = 2
"""One answer and one re-ask; after that the cell is unmeasured."""

_WITH_HINT = (Metric.INSTRUCTION_FOLLOWING, Metric.KNOWLEDGE_FIDELITY)


class ShownText(Record):
    """A piece of text between the images."""

    text: str


class ShownImage(Record):
    """An image: the editor's output, or a file of the dataset."""

    role: Literal["input", "edited", "reference"]
    path: Path | None
    """None for the output, which the caller has."""


class JudgeParts(Record):
    """One judge call."""

    prompt: str
    """The prompt's folder; its text comes before all parts."""
    fields: dict[str, str]
    parts: tuple[ShownText | ShownImage, ...]
    temperature: float | None
    """None leaves it to the provider, as the published script does."""
    max_tokens: int = MAX_TOKENS


def judge_parts(item: WiseEditItem, metric: Metric, language: Language, mode: Mode = "strict") -> JudgeParts:
    """The call that judges `metric` on the output for one language.

    `official` shows the English instruction for either language, as the published script does; `strict` shows
    the one that the editor got (the English one where there is no other). Hint and references are shown for
    instruction following and knowledge fidelity only, the output alone for visual quality.
    """
    temperature = None if mode == "official" else 0.0
    if metric is Metric.VISUAL_QUALITY:
        parts = (ShownText(text="Image:"), ShownImage(role="edited", path=None))
        return JudgeParts(prompt="wiseedit_vq", fields={}, parts=parts, temperature=temperature)
    several = len(item.inputs) > 1
    instruction = item.prompt_en if mode == "official" else item.prompt(language).strip() or item.prompt_en
    return JudgeParts(
        prompt=f"wiseedit_{metric.code.lower()}_{'multi' if several else 'single'}",
        fields={"instruction": instruction},
        parts=(*_inputs(item, several), *_labelled("Edited image:", "edited", None), *_evidence(item, metric)),
        temperature=temperature,
    )


def _inputs(item: WiseEditItem, several: bool) -> tuple[ShownText | ShownImage, ...]:
    shown: list[ShownText | ShownImage] = []
    for number, path in enumerate(item.inputs, start=1):
        shown.extend(_labelled(f"Input image #{number}:" if several else "Input image:", "input", path))
    return tuple(shown)


def _evidence(item: WiseEditItem, metric: Metric) -> tuple[ShownText | ShownImage, ...]:
    if metric not in _WITH_HINT:
        return ()
    shown: list[ShownText | ShownImage] = []
    if item.hint:
        shown.append(ShownText(text=f"Hint, the result that a right edit shows; judge against it:\n{item.hint}"))
    for path in item.references:
        shown.extend(_labelled("Reference image:", "reference", path))
    return tuple(shown)


def _labelled(
    label: str, role: Literal["input", "edited", "reference"], path: Path | None
) -> tuple[ShownText, ShownImage]:
    return ShownText(text=label), ShownImage(role=role, path=path)
