"""RIG-Bench (arXiv 2609.02864): reasoning that ends in an image, in eleven subtasks of four families."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from editplan.evals.protocols.rigbench.assembly import assemble as assemble
    from editplan.evals.protocols.rigbench.diagnostics import (
        cascade as cascade,
    )
    from editplan.evals.protocols.rigbench.diagnostics import (
        integration_gap as integration_gap,
    )
    from editplan.evals.protocols.rigbench.diagnostics import (
        oracle_gain as oracle_gain,
    )
    from editplan.evals.protocols.rigbench.items import (
        RigItem as RigItem,
    )
    from editplan.evals.protocols.rigbench.items import (
        import_outputs as import_outputs,
    )
    from editplan.evals.protocols.rigbench.items import (
        read_items as read_items,
    )
    from editplan.evals.protocols.rigbench.rubric import (
        RubricScores as RubricScores,
    )
    from editplan.evals.protocols.rigbench.rubric import (
        judge_call as judge_call,
    )
    from editplan.evals.protocols.rigbench.rubric import (
        parse_rubric as parse_rubric,
    )
    from editplan.evals.protocols.rigbench.subtasks import (
        SUBTASKS as SUBTASKS,
    )
    from editplan.evals.protocols.rigbench.subtasks import (
        Subtask as Subtask,
    )
    from editplan.evals.protocols.rigbench.tables import (
        RigScore as RigScore,
    )
    from editplan.evals.protocols.rigbench.tables import (
        table as table,
    )

_HOME = {
    "assemble": "assembly",
    "cascade": "diagnostics",
    "integration_gap": "diagnostics",
    "oracle_gain": "diagnostics",
    "RigItem": "items",
    "import_outputs": "items",
    "read_items": "items",
    "RubricScores": "rubric",
    "judge_call": "rubric",
    "parse_rubric": "rubric",
    "SUBTASKS": "subtasks",
    "Subtask": "subtasks",
    "RigScore": "tables",
    "table": "tables",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    """Load a public name where it is used, so that importing the package loads no numpy."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
