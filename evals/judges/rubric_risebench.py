"""RISEBench's judge (arXiv 2504.02826): two or three calls that end in "Final Score", weighted to one score."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from statistics import median_low
from typing import Any

from editplan.evals.judges.asking import Form, Heard, Hearing, Parse
from editplan.evals.judges.options import JudgeOptions
from editplan.evals.judges.pictures import fitted, output_of, shown
from editplan.evals.judges.rubric_items import item_of, picture, status_of
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.protocols.risebench.items import RiseItem
from editplan.evals.protocols.risebench.judging import (
    IMAGE_MAX_SIDE_PX,
    MAX_TOKENS,
    TEMPERATURE,
    Dimension,
    RiseCall,
    judge_calls,
)
from editplan.evals.protocols.risebench.parsing import parse_permissive, parse_strict
from editplan.evals.protocols.risebench.scoring import HIGHEST, LOWEST, Judgement, percent, score
from editplan.records import Media, PartRole


async def judge(hearing: Hearing, task: JudgeTask, options: JudgeOptions) -> Verdicts:
    """The weighted score on 0..100; a dimension that failed leaves the output incomplete."""
    item, pictures = item_of(task, RiseItem)
    calls = judge_calls(item)
    heard: dict[Dimension, list[Heard[int]]] = {call.dimension: [] for call in calls}
    for sample in range(options.samples or 1):
        for call in calls:
            form = await _form(hearing, task, call, pictures, options)
            reading = _reading(item, options)
            heard[call.dimension].append(await hearing.ask(form, reading, f"judge.{call.dimension}.{sample}"))
    marks = {name: [each.value for each in words if each.value is not None] for name, words in heard.items()}
    words = [each for several in heard.values() for each in several]
    return _verdicts(hearing, item, options, marks, words)


def _reading(item: RiseItem, options: JudgeOptions) -> Parse[int]:
    if options.mode == "official":
        return _permissive
    return lambda text: parse_strict(text, logical=item.logical)


def _permissive(text: str) -> int | str:
    found = parse_permissive(text)
    return 'no "Final Score:" with a number was found' if found is None else found


async def _form(
    hearing: Hearing, task: JudgeTask, call: RiseCall, pictures: dict[Path, Media], options: JudgeOptions
) -> Form:
    before = [shown(picture(pictures, path), f"Picture {place}") for place, path in enumerate(call.before_output, 1)]
    number = len(before) + 1
    parts = (*before, shown(output_of(task), f"Picture {number} (output)", PartRole.OUTPUT))
    fit = await asyncio.to_thread(fitted, parts, hearing.images, IMAGE_MAX_SIDE_PX)
    temperature = TEMPERATURE if options.temperature is None else options.temperature
    return Form(call.prompt, call.fields, fit, temperature, options.max_tokens or MAX_TOKENS)


def _verdicts(
    hearing: Hearing,
    item: RiseItem,
    options: JudgeOptions,
    marks: dict[Dimension, list[int]],
    heard: list[Heard[int]],
) -> Verdicts:
    notes = tuple(each.note for each in heard if each.note)
    judged = {name: median_low(values) for name, values in marks.items() if values}
    report: dict[str, Any] = {"index": item.index} | {str(name): mark for name, mark in judged.items()}
    judgement = _judgement(item, judged)
    total = score(item, judgement, options.mode)
    if total is None or len(judged) < len(marks):
        failures = [each.status for each in heard if each.value is None]
        return hearing.verdicts(status_of(failures, measured=bool(judged)), samples=0, report=report, notes=notes)
    complete = min(len(values) for values in marks.values())
    samples = [_judgement(item, {name: values[at] for name, values in marks.items()}) for at in range(complete)]
    each = [score(item, sample, options.mode) for sample in samples]
    return hearing.verdicts(
        "scored",
        score=percent(total),
        diagnostics={name: _share(judgement.dimension(name, item)) for name in judged},
        samples=complete,
        sample_scores=tuple(percent(value) for value in each if value is not None),
        report=report,
        notes=notes,
    )


def _judgement(item: RiseItem, marks: Mapping[Dimension, int]) -> Judgement:
    return Judgement(
        index=item.index,
        consistency=marks.get("consistency"),
        reasoning=marks.get("reasoning"),
        plausibility=marks.get("plausibility"),
    )


def _share(value: float | None) -> float | None:
    """A dimension as 0..1."""
    return None if value is None else (min(max(value, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST)
