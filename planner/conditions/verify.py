"""`plan_verify`: plan, edit, check against the plan's obligations, one corrected generation. Ours, in no paper."""

from __future__ import annotations

from editplan.calls.budget import CallBudget
from editplan.planner.conditions.base import ChainCondition
from editplan.planner.conditions.plan import plan
from editplan.planner.graph import Step
from editplan.planner.nodes.reflect import again_from
from editplan.planner.nodes.verify import verify


def plan_verify() -> ChainCondition:
    """Never stops early: 3 agent calls and 2 generations, whatever the check says."""
    base = plan()
    steps = (
        *base.steps,
        Step("verify", verify, thinking=False),
        Step("edit_again", again_from("source"), thinking=False),
    )
    return ChainCondition("plan_verify", base.budget + CallBudget(agent_calls=1, generations=1), steps)
