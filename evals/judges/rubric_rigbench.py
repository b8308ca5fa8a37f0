"""RIG-Bench's judge (arXiv 2609.02864, section 3.3): three dimensions a call, three samples at 0.9."""

from __future__ import annotations

from statistics import fmean

from editplan.evals.judges.asking import Form, Heard, Hearing
from editplan.evals.judges.options import JudgeOptions
from editplan.evals.judges.pictures import output_of, shown
from editplan.evals.judges.rubric_items import item_of, picture
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.protocols.rigbench.items import RigItem
from editplan.evals.protocols.rigbench.rubric import (
    JudgeCall,
    RubricScores,
    TextScores,
    judge_call,
    mean_scores,
    parse_rubric,
    parse_text,
    text_call,
)
from editplan.records import Part, PartRole

MAX_TOKENS = 4096
TO_PERCENT = 20.0
"""From 0..5 to 0..100."""


async def judge(hearing: Hearing, task: JudgeTask, options: JudgeOptions) -> Verdicts:
    """The composite on 0..100, or the correctness of an answer in words."""
    item, pictures = item_of(task, RigItem)
    call = text_call(item, task.text or "") if task.output is None else judge_call(item, hearing.prompts)
    parts = tuple(shown(picture(pictures, path), label) for label, path in call.images)
    if task.output is not None:
        parts = (*parts, shown(output_of(task), call.output_label or "Output to judge:", PartRole.OUTPUT))
    form = _form(call, parts, options)
    count = options.samples or call.samples
    if task.output is None:
        texts = [await hearing.ask(form, parse_text, "judge") for _ in range(count)]
        return _text_verdicts(hearing, texts)
    heard = [await hearing.ask(form, parse_rubric, "judge") for _ in range(count)]
    return _image_verdicts(hearing, item, heard)


def _form(call: JudgeCall, parts: tuple[Part, ...], options: JudgeOptions) -> Form:
    temperature = call.temperature if options.temperature is None else options.temperature
    return Form(call.prompt, call.fields, parts, temperature, options.max_tokens or MAX_TOKENS)


def _image_verdicts(hearing: Hearing, item: RigItem, heard: list[Heard[RubricScores]]) -> Verdicts:
    samples = [each.value for each in heard if each.value is not None]
    notes = tuple(each.note for each in heard if each.note)
    mean = mean_scores(samples)
    if mean is None:
        return hearing.verdicts(heard[0].status, samples=0, notes=notes)
    return hearing.verdicts(
        "scored",
        score=mean.composite * TO_PERCENT,
        diagnostics={name: float(value) / 5.0 for name, value in mean},
        samples=len(samples),
        sample_scores=tuple(each.composite * TO_PERCENT for each in samples),
        report={"subtask": str(item.subtask), "samples": [each.model_dump(mode="json") for each in samples]},
        notes=notes,
    )


def _text_verdicts(hearing: Hearing, heard: list[Heard[TextScores]]) -> Verdicts:
    marks = [each.value.correctness for each in heard if each.value is not None]
    notes = tuple(each.note for each in heard if each.note)
    if not marks:
        return hearing.verdicts(heard[0].status, samples=0, notes=notes)
    return hearing.verdicts(
        "scored",
        score=fmean(marks) * TO_PERCENT,
        samples=len(marks),
        sample_scores=tuple(mark * TO_PERCENT for mark in marks),
        report={"text_correctness": marks},
        notes=notes,
    )
