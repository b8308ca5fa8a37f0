"""Conditions without an agent call: the goal as it is, with boilerplate, or with the benchmark's own hint."""

from __future__ import annotations

from editplan.calls.budget import CallBudget
from editplan.planner.conditions.base import ChainCondition
from editplan.planner.graph import Step
from editplan.planner.nodes.edit import edit
from editplan.planner.nodes.goal import take_goal, take_goal_and_preserve, take_hint

EDIT = Step("edit", edit, thinking=False)
ONE_EDIT = CallBudget(agent_calls=0, generations=1)


def direct() -> ChainCondition:
    """The goal goes to the editor as it is."""
    return ChainCondition("direct", ONE_EDIT, (Step("goal", take_goal), EDIT))


def preserve() -> ChainCondition:
    """The goal with the sentences that planned instructions end with: how much of the gain is boilerplate?"""
    return ChainCondition("direct:preserve", ONE_EDIT, (Step("goal", take_goal_and_preserve), EDIT))


def knowledge_hint() -> ChainCondition:
    """The goal with the benchmark's knowledge hint (WiseEdit's rewriting probe)."""
    return ChainCondition("knowledge_hint", ONE_EDIT, (Step("goal", take_hint), EDIT), given="hint")
