"""WiseEdit's printed table: one line a task step and language, in the published order and with its letters."""

from __future__ import annotations

from editplan.evals.protocols.wiseedit.layout import LANGUAGES, METRICS, Category, Language, Metric
from editplan.evals.protocols.wiseedit.official import NOT_RUN, Figure, Tables
from editplan.records import Record

PRINTED_ORDER = (Category.AWARENESS, Category.INTERPRETATION, Category.IMAGINATION, Category.COMPLEX)
_PRINTED = {Metric.DETAIL_PRESERVING: "DF"}
"""The published script prints DF where its files say DP."""


class ReportLine(Record):
    """One line, ready to print: figures with one decimal, or "not run"."""

    language: Language
    task: str
    figures: dict[str, str]
    """Letters of the metric -> figure, in the category's order; `AVG` is the last."""


def report_lines(tables: Tables) -> tuple[ReportLine, ...]:
    """The lines of both languages; each ends with the mean of the three basic steps."""
    figures = {column: value for table in tables.values() for column, value in table.items()}
    lines = []
    for language in LANGUAGES:
        for category in PRINTED_ORDER:
            shown = {
                _PRINTED.get(metric, metric.code): _shown(figures[f"{category}_{metric}_{language}"])
                for metric in METRICS[category]
            }
            shown["AVG"] = _shown(figures[f"{category}_overall_{language}"])
            lines.append(ReportLine(language=language, task=category.value, figures=shown))
        overall = _shown(figures[f"basic_overall_{language}"])
        lines.append(ReportLine(language=language, task="Basic overall", figures={"AVG": overall}))
    return tuple(lines)


def _shown(figure: Figure) -> str:
    return f"{figure:.1f}" if isinstance(figure, float) else NOT_RUN
