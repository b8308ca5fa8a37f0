"""Thinking in words: an answer, a description, or an answer made into an instruction (RIG-Bench, T and H)."""

from __future__ import annotations

from editplan.calls.budget import CallBudget
from editplan.planner.conditions.base import ChainCondition
from editplan.planner.conditions.direct import EDIT
from editplan.planner.graph import Step
from editplan.planner.nodes.answer import answer_as, describe, keep_answer, restate, take_answer

ONE_ANSWER = CallBudget(agent_calls=1, generations=0)
KEEP = Step("keep", keep_answer)


def text_answer() -> ChainCondition:
    """T: what the result must show, in words; no image is made."""
    return ChainCondition("text_answer", ONE_ANSWER, (Step("think", answer_as(None)), KEEP))


def describe_() -> ChainCondition:
    """What the images show, without solving anything; for the perception stage of the cascade."""
    return ChainCondition("describe", ONE_ANSWER, (Step("describe", describe), KEEP))


def text_thinking() -> ChainCondition:
    """Answer in words, then restate it as an instruction."""
    steps = (Step("think", answer_as(None)), Step("restate", restate), EDIT)
    return ChainCondition("text_thinking", CallBudget(agent_calls=2, generations=1), steps)


def text_thinking_raw() -> ChainCondition:
    """H: conditioned on the very answer of `text_answer`, which it shares with that condition."""
    steps = (Step("think", answer_as("text_answer")), Step("take", take_answer), EDIT)
    return ChainCondition("text_thinking:raw", CallBudget(agent_calls=1, generations=1), steps)
