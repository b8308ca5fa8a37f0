"""WiseEdit (arXiv 2512.00387): 1,220 bilingual edits that need knowledge, judged on up to five ten-point scales."""

from editplan.evals.protocols.wiseedit.dataset import WiseEditItem, read_items
from editplan.evals.protocols.wiseedit.judging import judge_parts
from editplan.evals.protocols.wiseedit.official import official_tables, write_tables
from editplan.evals.protocols.wiseedit.parsing import parse_permissive, parse_strict
from editplan.evals.protocols.wiseedit.published import import_outputs
from editplan.evals.protocols.wiseedit.report import report_lines
from editplan.evals.protocols.wiseedit.strict import strict_tables

__all__ = [
    "WiseEditItem",
    "import_outputs",
    "judge_parts",
    "official_tables",
    "parse_permissive",
    "parse_strict",
    "read_items",
    "report_lines",
    "strict_tables",
    "write_tables",
]
