"""PaintBench v1.0.0 (arXiv 2606.00188): generated edits with one pixel-exact answer each, judged without a model."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from editplan.evals.protocols.paintbench.facts import (
        answer_in_words as answer_in_words,
    )
    from editplan.evals.protocols.paintbench.facts import (
        follows_words as follows_words,
    )
    from editplan.evals.protocols.paintbench.metric import score as score
    from editplan.evals.protocols.paintbench.problems import (
        PaintProblem as PaintProblem,
    )
    from editplan.evals.protocols.paintbench.problems import (
        load_problems as load_problems,
    )
    from editplan.evals.protocols.paintbench.problems import (
        read_problems as read_problems,
    )
    from editplan.evals.protocols.paintbench.problems import (
        regime_of as regime_of,
    )
    from editplan.evals.protocols.paintbench.published import import_outputs as import_outputs
    from editplan.evals.protocols.paintbench.rollup import (
        ProblemScore as ProblemScore,
    )
    from editplan.evals.protocols.paintbench.rollup import (
        as_worded as as_worded,
    )
    from editplan.evals.protocols.paintbench.rollup import (
        roll_up as roll_up,
    )

_HOME = {
    "answer_in_words": "facts",
    "follows_words": "facts",
    "score": "metric",
    "PaintProblem": "problems",
    "load_problems": "problems",
    "read_problems": "problems",
    "regime_of": "problems",
    "import_outputs": "published",
    "ProblemScore": "rollup",
    "as_worded": "rollup",
    "roll_up": "rollup",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    """Load a public name where it is used, so that importing the package loads no numpy."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
