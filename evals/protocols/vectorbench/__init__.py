"""Vector-Bench (arXiv 2607.19056): repairing an SVG from words, judged on its source.

`evaluate` gives the published verdict on one output. Protocol: three gates (validity, repairs within
tolerances, preservation of everything else under a semantic form) and graded diagnostics beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from editplan.evals.protocols.vectorbench.evaluator import evaluate, evaluate_task
    from editplan.evals.protocols.vectorbench.rules import OFFICIAL, STRICT_SVG, Grammar, Rules, SemanticForm
    from editplan.evals.protocols.vectorbench.tasks import Corpus, VectorTask, load_tasks, read_task

__all__ = [
    "OFFICIAL",
    "STRICT_SVG",
    "Corpus",
    "Grammar",
    "Rules",
    "SemanticForm",
    "VectorTask",
    "evaluate",
    "evaluate_task",
    "load_tasks",
    "read_task",
]

_HOMES = {
    "evaluator": ("evaluate", "evaluate_task"),
    "rules": ("OFFICIAL", "STRICT_SVG", "Grammar", "Rules", "SemanticForm"),
    "tasks": ("Corpus", "VectorTask", "load_tasks", "read_task"),
}


def __getattr__(name: str) -> Any:
    """Imports a public name from its module when it is first asked for."""
    from importlib import import_module

    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
