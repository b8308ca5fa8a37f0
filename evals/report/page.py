"""Writes a report: `index.html`, further pages of cases, their pictures, `summary.json` and `summary.csv`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from editplan.evals.cases import Case
from editplan.evals.official.registry import write_published_files
from editplan.evals.providers import changed_models
from editplan.evals.report.cards import anchor, card, family
from editplan.evals.report.markup import Html, element, joined
from editplan.evals.report.pictures import Pictures
from editplan.evals.report.tables import (
    attribution_table,
    comparison_table,
    cost_table,
    diagnostics_table,
    group_tables,
    headline_table,
    invalid_table,
    published_tables,
)
from editplan.evals.rows import RunRow
from editplan.evals.run import Run
from editplan.evals.sheet import summary_csv
from editplan.evals.store import write_durably
from editplan.evals.summary import NOT_RUN, summarise
from editplan.store import ImageStore

CASES_A_PAGE = 40

EMBEDDED_NOTE = (
    "The models of this run are embedded programs, not learned models: its figures show that the machinery works and "
    "are no evidence about learned models. They know PaintBench's shapes and words, which published models do not."
)


def write_report(run: Run, folder: Path | None = None) -> tuple[Path, dict[str, Any]]:
    """Writes the report of a run, finished or not, into `<run>/report`; returns its first page and the summary.

    Raises `StoreError` if the folder can't be written.
    """
    folder = folder or run.folder / "report"
    summary = summarise(run)
    write_durably(folder / "summary.json", json.dumps(summary, indent=2, ensure_ascii=False) + "\n")
    write_durably(folder / "summary.csv", summary_csv(run))
    write_published_files(run, run.judges[0], folder / "published")
    pictures = Pictures(ImageStore(run.folder / "images"), folder)
    pages = [run.cases[at : at + CASES_A_PAGE] for at in range(0, len(run.cases), CASES_A_PAGE)] or [()]
    for number, cases in enumerate(pages, start=1):
        body = [_front(run, summary, pages)] if number == 1 else [_title(run)]
        body += [_links(number, len(pages)), _filters(run, cases)]
        body += [card(run, case, pictures) for case in cases]
        write_durably(folder / _page_name(number), _document(run, [*body, _links(number, len(pages))]))
    return folder / _page_name(1), summary


def _page_name(number: int) -> str:
    return "index.html" if number == 1 else f"cases-{number}.html"


def _front(run: Run, summary: dict[str, Any], pages: Sequence[Sequence[Case]]) -> Html:
    parts = [
        _title(run),
        _about(run, summary),
        *(_warning(text) for text in _warnings(run, summary)),
        element("h2", {}, "Results"),
        headline_table(summary),
        element(
            "details", {}, element("summary", {}, "How to read this"), *(element("p", {}, text) for text in _READING)
        ),
        published_tables(summary),
        element("h2", {}, "Comparisons"),
        element("p", {}, _COMPARED),
        comparison_table(summary),
        attribution_table(summary),
        element("h2", {}, "Groups"),
        group_tables(summary),
        element("h2", {}, "Calls"),
        cost_table(summary),
        diagnostics_table(summary),
        invalid_table(summary),
        element("h2", {}, "Cases"),
        _contents(run, pages) if len(pages) > 1 else Html(""),
    ]
    return joined(parts)


_READING = (
    "n counts the cases that were measured. A missing or unusable output is the arm's own failure and scores the "
    "metric's floor. A judge that failed, or a run that was not made, is a missing measurement: the mean is then "
    "marked incomplete, and the bounds say what it could be with everything missing at the floor or at the ceiling. "
    "A case that an editor does not support lies outside its N.",
    "SolveScore = gate × max(0, R − 0.5 D): R is the share of what had to be reached, D the share of what had to be "
    "kept and was damaged. Abstained is the share of checks that the judge left undecided.",
    "A plan is drawn once and shared over editors; it is counted in each arm.",
)
_COMPARED = (
    "Differences are paired by case and resampled by scene. Matched means: equally many answered agent calls and "
    "generations in every run. p (Holm) is adjusted over the primary comparisons, those declared before the run."
)


def _title(run: Run) -> Html:
    return element("h1", {}, run.experiment.name)


def _about(run: Run, summary: dict[str, Any]) -> Html:
    facts = [
        f"suite {run.suite}",
        f"{summary['n_cases']} cases × {run.experiment.replicates} replicate(s)",
        f"planner {run.experiment.planner}",
        f"judges {', '.join(run.judges)}",
        f"seed {run.experiment.seed}",
    ]
    return element("p", {"class": "about"}, " · ".join(facts))


def _warnings(run: Run, summary: dict[str, Any]) -> list[str]:
    found = []
    if any(spec.split("?")[0].startswith("embedded") for spec in (run.experiment.planner, *run.experiment.editors)):
        found.append(EMBEDDED_NOTE)
    found += [f"{judge} judges plans of its own family: its gains may flatter." for judge in _same_family(summary)]
    found += changed_models(summary["returned_models"])
    if unpriced := summary["unpriced_models"]:
        found.append(f"Costs leave out {', '.join(unpriced)}: no price is known. Give one with --prices.")
    found += [f"The arms were not run alike: {words}." for words in summary["settings"]]
    if not summary["complete"]:
        found.append("This run is not complete: run the same command again to finish it. Bounds say what is open.")
    return found


def _same_family(summary: dict[str, Any]) -> list[str]:
    return list(summary["same_family_judges"])


def _warning(text: str) -> Html:
    return element("p", {"class": "note"}, text)


def _filters(run: Run, cases: Sequence[Case]) -> Html:
    families = sorted({family(case) for case in cases} - {""})
    rows = [run.rows.get(key) for case in cases for key in _keys(run, case)]
    states = sorted({_state(row) for row in rows})
    if len(families) < 2 and len(states) < 2:
        return Html("")
    return element(
        "form", {"class": "filters"}, _choice("family", families), _choice("status", states), element("output", {})
    )


def _keys(run: Run, case: Case) -> list[Any]:
    return [
        key
        for condition in run.experiment.conditions
        for editor in run.experiment.editors
        for key in run.keys_of(case, condition, editor)
    ]


def _state(row: RunRow | None) -> str:
    return row.outcome.status.value if row else NOT_RUN


def _choice(name: str, values: Sequence[str]) -> Html:
    options = [element("option", {"value": ""}, f"every {name}")]
    options += [element("option", {"value": value}, value) for value in values]
    return element("label", {}, f"{name} ", element("select", {"name": name}, *options))


def _contents(run: Run, pages: Sequence[Sequence[Case]]) -> Html:
    links = [
        element("a", {"href": f"{_page_name(number)}#{anchor(case)}", "data-family": family(case)}, case.case_id)
        for number, cases in enumerate(pages, start=1)
        for case in cases
    ]
    return element("details", {"class": "contents"}, element("summary", {}, f"All {len(links)} cases"), *links)


def _links(number: int, count: int) -> Html:
    if count == 1:
        return Html("")
    links = [
        element("a", {"href": _page_name(each), "aria-current": "page" if each == number else None}, str(each))
        for each in range(1, count + 1)
    ]
    return element("nav", {}, "Pages ", *links)


def _document(run: Run, body: Sequence[Html]) -> str:
    templates = files("editplan.evals.report") / "templates"
    style, script = ((templates / name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
    policy = "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    head = element(
        "head",
        {},
        element("meta", {"charset": "utf-8"}),
        element("meta", {"http-equiv": "Content-Security-Policy", "content": policy}),
        element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        element("title", {}, f"{run.experiment.name}: report"),
        element("style", {}, Html(style)),
    )
    page = element("body", {}, element("main", {}, *body), element("script", {}, Html(script)))
    return "<!doctype html>\n" + element("html", {"lang": "en"}, head, page) + "\n"
