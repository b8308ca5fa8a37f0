"""RISEBench (arXiv 2504.02826) and its larger release: edits that need reasoning, judged in three dimensions."""

from editplan.evals.protocols.risebench.items import RiseItem, read_items
from editplan.evals.protocols.risebench.judging import judge_calls
from editplan.evals.protocols.risebench.parsing import parse_permissive, parse_strict
from editplan.evals.protocols.risebench.published import import_outputs
from editplan.evals.protocols.risebench.scoring import Judgement, accurate, score
from editplan.evals.protocols.risebench.tables import table

__all__ = [
    "Judgement",
    "RiseItem",
    "accurate",
    "import_outputs",
    "judge_calls",
    "parse_permissive",
    "parse_strict",
    "read_items",
    "score",
    "table",
]
