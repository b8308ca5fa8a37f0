"""`best_of:K[BASE]`: the base's thinking once, K generations, K - 1 pairwise choices. Ours, in no paper."""

from __future__ import annotations

from editplan.calls.budget import CallBudget
from editplan.errors import ConfigError
from editplan.planner.conditions.base import ChainCondition, Condition
from editplan.planner.graph import Step
from editplan.planner.nodes.choose import choose_with, draw


def best_of(count: int, base: Condition) -> ChainCondition:
    """Raises `ConfigError` for a base that makes more or less than one generation."""
    if not isinstance(base, ChainCondition) or base.budget.generations != 1:
        raise ConfigError(f"best_of draws one generation of its base {count} times; {base.id} is no such condition")
    draws = [Step(f"draw_{number}", draw, thinking=False) for number in range(1, count + 1)]
    choices = [Step(f"choose_{number}", choose_with(number), thinking=False) for number in range(2, count + 1)]
    budget = CallBudget(agent_calls=base.budget.agent_calls + count - 1, generations=count)
    steps = (*base.thinking, *draws, *choices)
    return ChainCondition(f"best_of:{count}[{base.id}]", budget, steps, given=base.given)
