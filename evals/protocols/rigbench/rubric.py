"""RIG-Bench's rubrics (arXiv 2609.02864, section 3.3): three dimensions from 0 to 5 for an image, one for a text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean
from typing import Annotated

from pydantic import Field

from editplan.evals.protocols.replies import json_objects
from editplan.evals.protocols.rigbench.items import RigItem
from editplan.prompts.loader import PromptLibrary
from editplan.records import Record

SAMPLES = 3
TEMPERATURE = 0.9
REASKS = 1
"""An answer that doesn't parse is asked again once, then left out."""
PASS_MARK = 3.0
WEIGHTS = {"visual_quality": 0.15, "structural_alignment": 0.20, "reasoning_correctness": 0.65}

Scale = Annotated[float, Field(ge=0, le=5)]


class RubricScores(Record):
    """One answer of the judge, or the mean of several, on 0 to 5."""

    visual_quality: Scale
    structural_alignment: Scale
    reasoning_correctness: Scale

    @property
    def composite(self) -> float:
        """0.15 VQ + 0.20 SA + 0.65 RC, on 0 to 5; times 20 in the tables."""
        return sum(weight * float(getattr(self, name)) for name, weight in WEIGHTS.items())


class TextScores(Record):
    """A judged text: the answer in words (T), or the description of what is seen."""

    correctness: Scale


class JudgeCall(Record):
    """One judge call; the output, where there is one, is the last image."""

    prompt: str
    fields: dict[str, str]
    images: tuple[tuple[str, Path], ...]
    """Labels and images, in order."""
    output_label: str | None
    """None where a text is judged."""
    anchor_ids: tuple[str, ...] = ()
    """The prompt files that went into the fields, with their hashes, for the record."""
    samples: int = SAMPLES
    temperature: float = TEMPERATURE


def judge_call(item: RigItem, prompts: PromptLibrary | None = None) -> JudgeCall:
    """Judge an output against the ground truth; the test images show what was given."""
    library = prompts or PromptLibrary()
    anchors = {
        "visual_quality": "rigbench_anchors_visual_quality",
        "structural_alignment": "rigbench_anchors_structural_alignment",
        "reasoning_correctness": f"rigbench_anchors_{item.subtask}",
    }
    scales = {name: library.render(prompt, {}) for name, prompt in anchors.items()}
    return JudgeCall(
        prompt="rigbench_rubric",
        fields={**{name: scale.text.strip() for name, scale in scales.items()}, "instruction": item.instruction},
        anchor_ids=tuple(scale.prompt_id for scale in scales.values()),
        images=(*_given(item), ("Right answer:", item.ground_truth)),
        output_label="Output to judge:",
    )


def text_call(item: RigItem, answer: str) -> JudgeCall:
    """Judge an answer in words (T) against the ground truth."""
    return JudgeCall(
        prompt="rigbench_text_answer",
        fields={"instruction": item.instruction, "answer": answer},
        images=(*_given(item), ("Right answer:", item.ground_truth)),
        output_label=None,
    )


def describe_call(item: RigItem, description: str) -> JudgeCall:
    """Judge a description of the given images: the perception stage of the cascade."""
    return JudgeCall(
        prompt="rigbench_description",
        fields={"instruction": item.instruction, "description": description},
        images=_given(item),
        output_label=None,
    )


def parse_rubric(reply: str) -> RubricScores | str:
    """The three dimensions of a reply, or in words what is wrong with it, to be quoted in the re-ask.

    The reply holds one JSON object with these keys; whole or half points from 0 to 5 are scores, anything else
    is an error and never a guess.
    """
    found = _scores(reply, tuple(RubricScores.model_fields))
    return found if isinstance(found, str) else RubricScores(**found)


def parse_text(reply: str) -> TextScores | str:
    """As `parse_rubric`, for a judged text."""
    found = _scores(reply, tuple(TextScores.model_fields))
    return found if isinstance(found, str) else TextScores(**found)


def mean_scores(samples: Iterable[RubricScores]) -> RubricScores | None:
    """Each dimension averaged over the samples that were usable; None if there is none."""
    usable = tuple(samples)
    if not usable:
        return None
    return RubricScores(**{name: fmean(getattr(sample, name) for sample in usable) for name in WEIGHTS})


def _given(item: RigItem) -> tuple[tuple[str, Path], ...]:
    shown: list[tuple[str, Path]] = []
    for number, demo in enumerate(item.demos, start=1):
        shown.extend((f"Example {number} input:", path) for path in demo.inputs)
        shown.extend((f"Example {number} output:", path) for path in demo.outputs)
    shown.extend((f"Given image {number}:", path) for number, path in enumerate(item.context_images, start=1))
    return tuple(shown)


def _scores(reply: str, names: tuple[str, ...]) -> dict[str, float] | str:
    objects = [value for value in json_objects(reply) if any(name in value for name in names)]
    if not objects:
        return f"no JSON object with the keys {', '.join(names)} was found"
    if len(objects) > 1:
        return f"{len(objects)} JSON objects with scores were found; give one"
    scores: dict[str, float] = {}
    for name in names:
        value = objects[0].get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return f'"{name}" must be a number from 0 to 5, not {json.dumps(value)}'
        if not 0 <= value <= 5 or value * 2 != int(value * 2):
            return f'"{name}" must be whole or half points from 0 to 5, not {value}'
        scores[name] = float(value)
    return scores
