"""WiseEdit's judge (arXiv 2512.00387): one call a metric, read as published or strictly."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from statistics import median_low

from editplan.evals.judges.asking import Form, Heard, Hearing
from editplan.evals.judges.options import JudgeOptions
from editplan.evals.judges.pictures import fitted, output_of, shown
from editplan.evals.judges.rubric_items import item_of, picture, status_of
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.protocols.wiseedit.dataset import WiseEditItem
from editplan.evals.protocols.wiseedit.judging import (
    IMAGE_MAX_SIDE_PX,
    OFFICIAL_ATTEMPTS,
    JudgeParts,
    ShownText,
    judge_parts,
)
from editplan.evals.protocols.wiseedit.layout import Language, Metric, scaled, weighted_average
from editplan.evals.protocols.wiseedit.parsing import Parsed, parse_permissive, parse_strict
from editplan.records import Media, Part, PartRole

_ROLES = {"input": PartRole.CANVAS, "edited": PartRole.OUTPUT, "reference": PartRole.REFERENCE}


async def judge(hearing: Hearing, task: JudgeTask, options: JudgeOptions) -> Verdicts:
    """The average of the metrics on 0..100; a metric that failed leaves the output incomplete."""
    item, pictures = item_of(task, WiseEditItem)
    language = language_of(task)
    heard: dict[Metric, list[Heard[int]]] = {metric: [] for metric in item.metrics}
    for sample in range(options.samples or 1):
        for metric in item.metrics:
            parts = judge_parts(item, metric, language, options.mode)
            form = await _form(hearing, task, parts, pictures, options)
            heard[metric].append(await _metric(hearing, form, f"judge.{metric.code}.{sample}", options))
    marks = {metric: [each.value for each in words if each.value is not None] for metric, words in heard.items()}
    return _verdicts(hearing, item, language, marks, [each for words in heard.values() for each in words])


def language_of(task: JudgeTask) -> Language:
    """The language of the request that was made."""
    return "cn" if task.rubric is not None and task.rubric.subtask == "cn" else "en"


def average_of(raw: Mapping[Metric, float]) -> float:
    """A case's average on 0..100: each metric mapped to 0..100, weighted as in the paper."""
    return weighted_average(
        {metric: scaled(value) for metric, value in raw.items()},
        alpha=float(Metric.KNOWLEDGE_FIDELITY in raw),
        beta=float(Metric.CREATIVE_FUSION in raw),
    )


async def _form(
    hearing: Hearing, task: JudgeTask, call: JudgeParts, pictures: dict[Path, Media], options: JudgeOptions
) -> Form:
    parts: list[Part] = []
    texts: list[str] = []
    for each in call.parts:
        if isinstance(each, ShownText):
            texts.append(each.text)
            continue
        media = output_of(task) if each.path is None else picture(pictures, each.path)
        parts.append(shown(media, "\n".join(texts), _ROLES[each.role]))
        texts = []
    fit = await asyncio.to_thread(fitted, tuple(parts), hearing.images, IMAGE_MAX_SIDE_PX, jpeg=True)
    temperature = call.temperature if options.temperature is None else options.temperature
    limit = options.max_tokens or call.max_tokens
    return Form(call.prompt, call.fields, fit, temperature, limit, after="\n".join(texts))


async def _metric(hearing: Hearing, form: Form, node: str, options: JudgeOptions) -> Heard[int]:
    if options.mode == "official":
        return await hearing.ask_repeatedly(form, _permissive, node, OFFICIAL_ATTEMPTS)
    return await hearing.ask(form, _strict, node)


def _permissive(text: str) -> int | str:
    return _score(parse_permissive(text))


def _strict(text: str) -> int | str:
    return _score(parse_strict(text))


def _score(parsed: Parsed) -> int | str:
    return parsed.error or "no score" if parsed.score is None else parsed.score


def _verdicts(
    hearing: Hearing,
    item: WiseEditItem,
    language: Language,
    marks: Mapping[Metric, list[int]],
    heard: list[Heard[int]],
) -> Verdicts:
    raw = {metric: median_low(values) for metric, values in marks.items() if values}
    report = {
        "subset": item.subset,
        "idx": item.idx,
        "language": language,
        "metrics": {metric.code: raw.get(metric) for metric in item.metrics},
    }
    notes = tuple(each.note for each in heard if each.note)
    if len(raw) < len(item.metrics):
        failures = [each.status for each in heard if each.value is None]
        return hearing.verdicts(status_of(failures, measured=bool(raw)), samples=0, report=report, notes=notes)
    complete = min(len(values) for values in marks.values())
    samples = [{metric: values[at] for metric, values in marks.items()} for at in range(complete)]
    return hearing.verdicts(
        "scored",
        score=average_of(raw),
        diagnostics={str(metric): scaled(value) / 100.0 for metric, value in raw.items()},
        samples=complete,
        sample_scores=tuple(average_of(sample) for sample in samples),
        report=report,
        notes=notes,
    )
