"""A user's own rubric: criteria in words, scored 0 to 10 in one call."""

from __future__ import annotations

from statistics import fmean

from editplan.evals.judges.asking import Form, Hearing
from editplan.evals.judges.options import JudgeOptions
from editplan.evals.judges.pictures import before_and_after, shown
from editplan.evals.judges.solveedit_form import inert
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.protocols.replies import json_objects

MAX_TOKENS = 4096
HIGHEST = 10


async def judge(hearing: Hearing, task: JudgeTask, options: JudgeOptions) -> Verdicts:
    """The mean score over the samples on 0..100."""
    assert task.rubric is not None, "this recipe is chosen for cases with a rubric"
    *sources, edited = before_and_after(task)
    truth = [shown(media, "Right answer") for media in task.rubric.ground_truth]
    form = Form(
        prompt="judge_criteria",
        fields={"request": inert(task.goal), "criteria": _criteria(task)},
        parts=(*sources, *truth, edited),
        temperature=0.0 if options.temperature is None else options.temperature,
        max_tokens=options.max_tokens or MAX_TOKENS,
    )
    heard = [await hearing.ask(form, parse_score, "judge") for _ in range(options.samples or 1)]
    notes = tuple(each.note for each in heard if each.note)
    marks = tuple(each.value * 100.0 / HIGHEST for each in heard if each.value is not None)
    if not marks:
        return hearing.verdicts(heard[0].status, samples=0, notes=notes)
    return hearing.verdicts("scored", score=fmean(marks), samples=len(marks), sample_scores=marks, notes=notes)


def _criteria(task: JudgeTask) -> str:
    assert task.rubric is not None, "this recipe is chosen for cases with a rubric"
    hint = task.rubric.hint.strip()
    return "\n\n".join(text for text in (task.rubric.criteria.strip(), hint and f"Hint: {hint}") if text)


def parse_score(text: str) -> int | str:
    """The one score of a reply, a whole number from 0 to 10, or in words what is wrong."""
    found = [value["score"] for value in json_objects(text) if "score" in value]
    if not found:
        return 'no JSON object {"reason": "...", "score": <0-10>} was found'
    score = found[0]
    if any(other != score for other in found):
        return "several JSON objects with different scores were found; give one"
    if isinstance(score, bool) or not isinstance(score, int) or not 0 <= score <= HIGHEST:
        return f'"score" must be a whole number from 0 to {HIGHEST}, not {score!r}'
    return score
