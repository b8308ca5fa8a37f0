"""Compile: turns a plan into the one instruction by rule, without a model.

The model's own instruction is kept where it keeps the rules; otherwise it is rebuilt from the chosen transition and
the obligations, and a note says why.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from editplan.planner.instructions import (
    KEEP_REST,
    MAX_WORDS,
    as_sentence,
    speaks_of_analysis,
    with_closing,
    word_count,
)
from editplan.planner.plans import broken_rules
from editplan.planner.variants import PlanVariant
from editplan.records import EditRequest, Obligation, Plan, Transition

_CHINESE = re.compile("[\u4e00-\u9fff]")
_TOWARDS = re.compile(
    r"^(?:move|shift|slide|bring|place|put|push|drag|return|transfer|swap|turn|change|recolou?r)\b", re.I
)
_PREPOSITION = re.compile(
    r"^(?:to|into|onto|in|on|at|from|under|over|above|below|beside|next|inside|between|with)\b", re.I
)

_BARE = re.compile(
    r"^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|next|only|empty|free|left|right|top"
    r"|bottom|upper|lower|middle|cent(?:re|er))\b",
    re.I,
)
"""A place that lacks its article."""


@dataclass(frozen=True)
class Compiled:
    """The plan as it is carried out, or why it can't be."""

    plan: Plan
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def compile_plan(plan: Plan, request: EditRequest, variant: PlanVariant = PlanVariant()) -> Compiled:
    """Checks the chosen transition and the obligations, and makes the instruction keep the rules of design §4."""
    problems = broken_rules(plan)
    if problems or plan.transition is None:
        return Compiled(plan, problems=problems or ("no candidate is selected",))
    chosen, notes = plan.transition, []
    if plan.evidence and not chosen.supporting_claim_ids:
        notes.append(f"compile: the selected transition {chosen.transition_id} cites no claim")
    if not plan.certain:
        notes.append("compile: the plan is uncertain")
    plan, more = _with_obligations(plan, chosen, variant)
    instruction, why = _instruction(plan, request, variant)
    if not instruction:
        return Compiled(plan, problems=("the plan has no instruction, and its transition is empty",))
    return Compiled(plan.model_copy(update={"instruction": instruction}), notes=(*notes, *more, *why))


def _with_obligations(plan: Plan, chosen: Transition, variant: PlanVariant) -> tuple[Plan, list[str]]:
    """The plan with obligations: those that the transition implies where the model gave none of a kind."""
    if not variant.obligations:
        return plan, []
    given = {each.kind for each in plan.obligations}
    implied: list[Obligation] = []
    sources: list[tuple[Literal["completion", "preservation"], tuple[str, ...]]] = [("completion", chosen.goal_state)]
    if variant.preservation:
        sources.append(("preservation", chosen.preserve))
    for kind, texts in sources:
        if kind not in given:
            implied += [Obligation(kind=kind, text=text) for text in texts]
    if not implied:
        return plan, []
    notes = [f"compile: {len(implied)} obligations taken from the selected transition"]
    return plan.model_copy(update={"obligations": (*plan.obligations, *implied)}), notes


def _instruction(plan: Plan, request: EditRequest, variant: PlanVariant) -> tuple[str, list[str]]:
    own = plan.instruction.strip()
    fault = _fault(own, plan, request)
    if fault is None:
        finished = with_closing(own, request.output)
        if word_count(finished) <= MAX_WORDS:
            return finished, [] if finished == own else ["compile: the closing sentence was added"]
        fault = f"has {word_count(finished)} words with its closing sentence, {MAX_WORDS} are allowed"
    rebuilt = rebuild(plan, request, variant)
    note = f"compile: the model's instruction {fault}; rebuilt from the transition and the obligations"
    return rebuilt, [note]


def _fault(text: str, plan: Plan, request: EditRequest) -> str | None:
    """What keeps a model's instruction from being used, if anything does."""
    if not text:
        return "is empty"
    if word_count(text) > MAX_WORDS:
        return f"has {word_count(text)} words, {MAX_WORDS} are allowed"
    ids = [each.claim_id for each in plan.evidence] + [each.transition_id for each in plan.candidates]
    ids += [each.query_id for each in plan.evidence if each.query_id]
    if speaks_of_analysis(text, ids) and not speaks_of_analysis(request.goal, ids):
        return "speaks of the analysis"
    return None


def rebuild(plan: Plan, request: EditRequest, variant: PlanVariant = PlanVariant()) -> str:
    """An instruction within the limit from the chosen transition and the obligations; empty if both say nothing."""
    chosen = plan.transition
    if chosen is None:
        return ""
    chinese = bool(_CHINESE.search(request.goal))
    steps = _steps(chosen, chinese)
    results = _distinct([*chosen.goal_state, *(each.text for each in plan.obligations if each.kind == "completion")])
    if not steps and not results:
        return ""
    kept = [each.text for each in plan.obligations if each.kind == "preservation"] if variant.preservation else []
    said = " ".join(kept).lower()
    named = [text for text in chosen.preserve if text.lower() not in said] if variant.preservation else []
    stays = _distinct([*(_staying(text, chinese) for text in named), *kept])
    rest = (
        ("其他内容保持不变。" if chinese else KEEP_REST) if variant.preservation and request.output == "edit" else ""
    )
    return _fitted([*steps, *results], stays, rest, request.output)


def _fitted(steps: list[str], stays: list[str], rest: str, output: str) -> str:
    """As many sentences as the limit takes: first those on what stays go, then the later steps."""
    while True:
        text = " ".join(as_sentence(each) for each in [*steps, *stays, rest] if each)
        finished = with_closing(text, output)
        if word_count(finished) <= MAX_WORDS or (not stays and len(steps) <= 1):
            break
        (stays or steps).pop()
    if word_count(finished) > MAX_WORDS:
        return ""
    return finished


def _steps(chosen: Transition, chinese: bool) -> list[str]:
    """One sentence an action; a bare verb takes the targets and the destination."""
    targets = ("、" if chinese else " and ").join(chosen.targets)
    place = ("、" if chinese else ", ").join(chosen.destination)
    sentences = []
    for action in chosen.actions or (("",) if chosen.targets and chosen.destination else ()):
        sentences.append(_step(action, targets, place, chinese))
    return _distinct(sentences)


def _step(action: str, targets: str, place: str, chinese: bool) -> str:
    if chinese:
        return action if len(action) > 4 else f"{action}{targets}" + (f"：{place}" if place else "")
    if len(action.split()) > 2:
        return action
    place = f"the {place}" if _BARE.match(place) else place
    joint = "" if _PREPOSITION.match(place) else "to " if _TOWARDS.match(action) or not action else "at "
    return " ".join(each for each in (action, targets, joint + place if place else "") if each)


def _staying(text: str, chinese: bool) -> str:
    """A thing that stays as a sentence; what already is one is left."""
    if chinese:
        return text if "保持" in text or "不变" in text else f"{text}保持不变"
    return (
        text
        if len(text.split()) > 7 or re.search(r"\b(stays?|remains?|keep|unchanged)\b", text, re.I)
        else f"Keep {text} unchanged"
    )


def _distinct(texts: list[str]) -> list[str]:
    seen: dict[str, str] = {}
    for text in texts:
        key = re.sub(r"\W+", " ", text.lower()).strip()
        if key:
            seen.setdefault(key, text)
    return list(seen.values())
