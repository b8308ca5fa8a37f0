"""The audit as a page and as tables: what this judge sees, what it misses, what it invents."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from editplan.evals.audit.agreeing import Agreement
from editplan.evals.audit.chart import curve_chart
from editplan.evals.audit.detecting import Curve, SmallestSeen
from editplan.evals.audit.report import AuditReport
from editplan.evals.audit.shares import Share
from editplan.evals.report.figures import DASH, counts, interval, number, signed
from editplan.evals.report.markup import Html, element, joined, table

AGREEMENT_HEAD = ("", "n", "abstained", "agree", "kappa", "false passes", "false fails")
DETECTION_HEAD = ("damage", "seen (95% CI)", "smallest seen 80% of the time", "n")
_TITLES = {
    "all": "All verdicts",
    "role": "By role",
    "property": "By property",
    "regime": "By regime",
    "output": "By kind of output",
    "atom": "By kind of claim",
}
_READING = (
    "On puzzles the truth of every atom is computed from exact pixels; the judge sees the output after one JPEG "
    "encoding. A false pass is a verdict of pass on what doesn't hold, a false fail one of partial or fail on what "
    "holds; abstentions are counted apart. Kappa is Cohen's, of pass against anything else.",
    "On pictures a square was asked for and painted, and one protected patch was damaged, or nothing was. Damage is "
    "seen where an atom that it breaks is called partial or fail. Sizes are sides of the patch as shares of the "
    "picture's shorter side; of a tint the mean CIE76, of a shift the share it moves.",
    "Intervals are for pictures, not for outputs: outputs of one picture resemble each other.",
)


def write_page(report: AuditReport, path: Path) -> None:
    """Writes the page. Raises `StoreError` if it can't be written."""
    from editplan.evals.store import write_durably

    style = (files("editplan.evals.report") / "templates" / "report.css").read_text(encoding="utf-8")
    policy = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"
    head = element(
        "head",
        {},
        element("meta", {"charset": "utf-8"}),
        element("meta", {"http-equiv": "Content-Security-Policy", "content": policy}),
        element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        element("title", {}, f"Audit of {report.judge}"),
        element("style", {}, Html(style)),
    )
    body = element("body", {}, element("main", {}, *_parts(report)))
    write_durably(path, "<!doctype html>\n" + element("html", {"lang": "en"}, head, body) + "\n")


def agreement_rows(agreements: Sequence[Agreement]) -> list[list[str]]:
    """Cells of an agreement table, in the order of `AGREEMENT_HEAD`."""
    return [
        [
            each.group,
            str(each.n),
            str(each.abstained),
            percent(each.agreement),
            number(each.kappa, 2),
            percent(each.false_pass),
            percent(each.false_fail),
        ]
        for each in agreements
    ]


def detection_rows(report: AuditReport) -> list[list[str]]:
    """Cells of the detection table, in the order of `DETECTION_HEAD`."""
    found = report.detection
    curves = (*found.curves, found.patches) if found.patches.points else found.curves
    return [[curve.kind, percent(curve.all), smallest(curve), str(curve.all.n)] for curve in curves]


def score_rows(report: AuditReport) -> list[list[str]]:
    """Outputs, n, bias with interval, mean absolute error."""
    return [
        [
            name,
            str(error.n),
            f"{signed(error.mean)} {interval(error.ci)}",
            number(error.mean_absolute),
        ]
        for name, error in report.score_error.items()
    ]


def percent(share: Share) -> str:
    """`12.0% [8.1, 17.3] (12 of 100)`, or a dash."""
    if share.share is None or share.ci is None:
        return DASH
    return f"{100 * share.share:.1f}% [{100 * share.ci[0]:.1f}, {100 * share.ci[1]:.1f}] ({share.k} of {share.n})"


def smallest(curve: Curve) -> str:
    """The size in the kind's own unit, with its interval."""
    found: SmallestSeen = curve.smallest
    if found.size is None:
        return "not at any size tried"
    low, high = _size(curve.kind, found.lo), _size(curve.kind, found.hi, none="beyond")
    return f"{_size(curve.kind, found.size)} [{low}, {high}]"


def _size(kind: str, size: float | None, none: str = DASH) -> str:
    if size is None:
        return none
    return f"ΔE {size:g}" if kind == "tint" else f"{100 * size:g}%"


def _parts(report: AuditReport) -> list[Html]:
    found = report.detection
    about = [f"{report.n_tasks} outputs", counts(report.statuses)]
    about += [f"model {', '.join(report.models)}"] if report.models else []
    parts = [
        element("h1", {}, f"Audit of {report.judge}"),
        element("p", {"class": "about"}, " · ".join(about)),
        *(element("p", {"class": "note"}, note) for note in report.notes),
        element("details", {}, element("summary", {}, "How to read this"), *_paragraphs()),
        element("h2", {}, "Planted damage"),
        element("p", {}, f"Missed: {percent(found.miss)}. False alarms on no-ops: {percent(found.false_alarms)}."),
    ]
    if found.curves:
        parts += [
            table(DETECTION_HEAD, detection_rows(report)),
            element("div", {"class": "groups"}, *(curve_chart(curve) for curve in (*found.curves, found.patches))),
        ]
    if found.by_noop:
        rows = [[kind, percent(share)] for kind, share in found.by_noop.items()]
        parts += [element("h2", {}, "No-ops called damage"), table(("no-op", "false alarms (95% CI)"), rows)]
    parts += [
        element("h2", {}, "What it does to SolveScore"),
        table(("outputs", "n", "judged − true (95% CI)", "mean absolute error"), score_rows(report)),
    ]
    if report.agreement:
        parts.append(element("h2", {}, "Agreement on puzzles"))
        for name, agreements in report.agreement.items():
            parts.append(
                joined([element("h3", {}, _TITLES[name]), table(AGREEMENT_HEAD, agreement_rows(agreements))])
            )
    return parts


def _paragraphs() -> list[Html]:
    return [element("p", {}, text) for text in _READING]
