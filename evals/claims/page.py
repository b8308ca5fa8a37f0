"""The page of claims as text and as HTML."""

from __future__ import annotations

from importlib.resources import files

from editplan.evals.claims.verdicts import ClaimPage, ClaimVerdict, Evidence
from editplan.evals.report.figures import DASH, interval, number, p_value, signed
from editplan.evals.report.markup import Html, element, table

_PARTS = ("agent", "generations", "vision", "image_pixels", "tokens_out", "instruction_words")


def claim_text(page: ClaimPage) -> str:
    """The page as plain text."""
    lines = [f"{page.name}: {len(page.verdicts)} claims", _about(page), ""]
    for each in page.verdicts:
        lines += [f"{each.verdict.upper()}: {each.words}", *(f"  {line}" for line in _lines(each)), ""]
    lines += [f"warning: {text}" for text in page.warnings]
    lines.append(f"records sha256 {page.records_sha256}")
    return "\n".join(lines) + "\n"


def claim_html(page: ClaimPage) -> str:
    """The page as one HTML document."""
    body = [element("h1", {}, f"{page.name}: claims"), element("p", {"class": "about"}, _about(page))]
    body += [element("p", {"class": "note"}, text) for text in page.warnings]
    for each in page.verdicts:
        body.append(element("h2", {}, f"{each.verdict}: {each.words}"))
        body.append(element("ul", {}, *(element("li", {}, line) for line in _lines(each))))
        body.append(_vector_table(each))
    body.append(element("p", {"class": "about"}, f"records sha256 {page.records_sha256}"))
    style = (files("editplan.evals.report") / "templates" / "report.css").read_text(encoding="utf-8")
    head = element(
        "head",
        {},
        element("meta", {"charset": "utf-8"}),
        element("title", {}, f"{page.name}: claims"),
        element("style", {}, Html(style)),
    )
    content = element("body", {}, element("main", {}, *body))
    return "<!doctype html>\n" + element("html", {"lang": "en"}, head, content) + "\n"


def _about(page: ClaimPage) -> str:
    editors = ", ".join(page.editors)
    return (
        f"{page.suite}, {page.n_cases} cases, metric {page.metric}, judge {page.judge}, planner {page.planner}, "
        f"editors {editors}; two-sided level {page.alpha:g}, p corrected over the claims (Holm)"
    )


def _lines(each: ClaimVerdict) -> list[str]:
    lines = list(each.reasons)
    lines.append(f"{_said(each.evidence)}, p (Holm) {p_value(each.p_holm)}")
    lines.append(f"calls: {each.matching}")
    bounds = each.evidence.bounds
    if bounds is not None:
        lines.append(f"bounds: {bounds.missing} missing, difference within {interval(bounds.absence)}")
        if bounds.abstained:
            lines.append(f"{bounds.abstained} undecided atoms: with them within {interval(bounds.abstention)}")
    lines += [f"judge {other.judge}: {_said(other)}" for other in each.others]
    return lines


def _said(evidence: Evidence) -> str:
    found = evidence.difference
    if found is None:
        return f"difference {DASH}"
    counts = f"wins {found.wins}, ties {found.ties}, losses {found.losses}, n {found.n}"
    return (
        f"difference {signed(found.delta)} {interval((found.ci.lo, found.ci.hi))}, p {p_value(evidence.p)}, {counts}"
    )


def _vector_table(each: ClaimVerdict) -> Html:
    rows = []
    for side, condition in (("a", each.claim.a), ("b", each.claim.b)):
        vector = each.vectors[side]
        total = vector["agent"] + vector["generations"]
        rows.append([condition, *(number(vector[part], 2) for part in _PARTS), number(total, 2)])
    return table(["arm", *(part.replace("_", " ") for part in _PARTS), "total"], rows)
