"""Finds a condition by its name: `plan`, `plan:no_crops`, `best_of:2[direct]`, or a user's own `module:function`."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editplan.calls.budget import CallBudget
from editplan.errors import ConfigError

if TYPE_CHECKING:
    from langgraph.types import Checkpointer

    from editplan.planner.conditions.base import Condition
    from editplan.planner.graph import Compiled

_HERE = "editplan.planner.conditions"
_PLAIN = {
    "direct": ("direct", "direct"),
    "direct:preserve": ("direct", "preserve"),
    "knowledge_hint": ("direct", "knowledge_hint"),
    "text_rewrite": ("rewrite", "text_rewrite"),
    "generic_rewrite": ("rewrite", "generic_rewrite"),
    "generic_rewrite:tiles": ("rewrite", "tiles"),
    "text_answer": ("text", "text_answer"),
    "describe": ("text", "describe_"),
    "text_thinking": ("text", "text_thinking"),
    "text_thinking:raw": ("text", "text_thinking_raw"),
    "oracle": ("oracle", "oracle"),
    "oracle:raw": ("oracle", "oracle_raw"),
    "plan": ("plan", "plan"),
    "plan_verify": ("verify", "plan_verify"),
}
_ABLATIONS = (
    "no_crops",
    "one_candidate",
    "no_contrast",
    "no_preservation",
    "no_obligations",
    "one_stage",
)
_REFLECTION = re.compile(r"self_reflection:([12])(?:\?from=(source|draft))?")
_BEST = re.compile(r"best_of:([2-9])\[(.+)\]")
_OWN = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


@dataclass(frozen=True)
class OwnCondition:
    """A user's condition: a compiled graph from {request} to {outcome} and the budget it declares."""

    id: str
    budget: CallBudget
    graph: Compiled

    def build(self, checkpointer: Checkpointer = None) -> Compiled:
        """The graph as the user compiled it."""
        return self.graph


def condition_names() -> tuple[str, ...]:
    """The names that need no argument, in the order of design §4, then the forms with one."""
    ablations = tuple(f"plan:{name}" for name in _ABLATIONS)
    return (*_PLAIN, *ablations, "self_reflection:1", "self_reflection:2", "best_of:K[BASE]")


def resolve_condition(name: str | Condition) -> Condition:
    """The condition of that name, or the object itself. Raises `ConfigError` that lists the known ones."""
    if not isinstance(name, str):
        return _checked(name, type(name).__name__)
    name = name.strip()
    if name in _PLAIN:
        module, function = _PLAIN[name]
        return _built(module, function)
    if name.startswith("plan:") and name.removeprefix("plan:") in _ABLATIONS:
        return _built("plan", "plan", name.removeprefix("plan:"))
    if hit := _REFLECTION.fullmatch(name):
        return _built("reflection", "self_reflection", int(hit[1]), hit[2] or "source")
    if hit := _BEST.fullmatch(name):
        return _built("best_of", "best_of", int(hit[1]), resolve_condition(hit[2]))
    if _OWN.fullmatch(name) and name.split(":")[0] not in {each.split(":")[0] for each in condition_names()}:
        return _own(name)
    raise ConfigError(
        f"there is no condition {name!r}; known: {', '.join(condition_names())}, or module:function of your own"
    )


def _built(module: str, function: str, *arguments: Any) -> Condition:
    made: Condition = getattr(importlib.import_module(f"{_HERE}.{module}"), function)(*arguments)
    return made


def _own(name: str) -> Condition:
    module, _, function = name.partition(":")
    try:
        found = getattr(_imported(module), function)
    except ImportError as error:
        raise ConfigError(
            f"condition {name!r}: can't import {module}: {error}: run where it can be imported"
        ) from error
    except AttributeError as error:
        raise ConfigError(f"condition {name!r}: {module} has no {function}") from error
    except Exception as error:
        # The module is the user's own: whatever it raises while it is imported is a fault of theirs, told by name.
        raise ConfigError(f"condition {name!r}: importing {module} raised {_told(error)}: correct it") from error
    made = _called(found, name) if callable(found) else found
    if isinstance(made, tuple) and len(made) == 2:
        graph, budget = made
        if not isinstance(budget, CallBudget) or not hasattr(graph, "ainvoke"):
            raise ConfigError(
                f"condition {name!r}: return (compiled graph, CallBudget), or an object with id, budget, build"
            )
        return OwnCondition(name, budget, graph)
    return _checked(made, name)


def _called(function: Callable[[], Any], name: str) -> Any:
    try:
        return function()
    except Exception as error:
        # The user's own code, as above.
        raise ConfigError(f"condition {name!r}: the function raised {_told(error)}: correct it") from error


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _imported(module: str) -> Any:
    """The module; the working directory is looked at too, as `python -m` does."""
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)
    return importlib.import_module(module)


def _checked(made: Any, name: str) -> Condition:
    if isinstance(getattr(made, "budget", None), CallBudget) and hasattr(made, "build") and hasattr(made, "id"):
        condition: Condition = made
        return condition
    raise ConfigError(f"condition {name!r} has no id, budget (a CallBudget) and build()")
