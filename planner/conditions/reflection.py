"""Self-reflection: draft, critique against the goal, generate again with another seed (RIG-Bench, SR-1 and SR-2)."""

from __future__ import annotations

from editplan.calls.budget import CallBudget
from editplan.planner.conditions.base import ChainCondition
from editplan.planner.conditions.direct import EDIT
from editplan.planner.graph import Step
from editplan.planner.nodes.goal import take_goal
from editplan.planner.nodes.reflect import again_from, critique_with


def self_reflection(rounds: int, start: str = "source") -> ChainCondition:
    """`rounds` critiques; `start` is where each new generation begins, "source" or "draft"."""
    task = "critique" if start == "source" else "critique_from_draft"
    steps = [Step("goal", take_goal), EDIT]
    for number in range(1, rounds + 1):
        steps.append(Step(f"critique_{number}", critique_with(task, number), thinking=False))
        steps.append(Step(f"edit_{number}", again_from(start), thinking=False))
    name = f"self_reflection:{rounds}" + ("" if start == "source" else f"?from={start}")
    return ChainCondition(name, CallBudget(agent_calls=rounds, generations=rounds + 1), tuple(steps))
