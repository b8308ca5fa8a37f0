"""One case of a report: goal, source with evidence boxes, each arm's output and instruction, verdicts and plans."""

from __future__ import annotations

from collections.abc import Sequence

from editplan.evals.cases import Case
from editplan.evals.judging import Verdicts
from editplan.evals.report.figures import DASH, number
from editplan.evals.report.judged import chip, verdict_table
from editplan.evals.report.markup import Html, element
from editplan.evals.report.pictures import Pictures, labelled, with_boxes
from editplan.evals.report.planned import evidence_boxes, plan_page
from editplan.evals.rows import RunRow
from editplan.evals.run import Run
from editplan.evals.summary import NOT_RUN, groups_of
from editplan.records import Media, Outcome

Arms = Sequence[tuple[str, RunRow | None]]
"""Each run of a case under the name of its arm."""


def card(run: Run, case: Case, pictures: Pictures) -> Html:
    """A case with all its arms, marked with what the page filters by."""
    arms = _arms_of(run, case)
    states = sorted({row.outcome.status.value if row else NOT_RUN for _, row in arms})
    marks = {"class": "case", "id": anchor(case), "data-status": " ".join(states), "data-family": family(case)}
    shown = [*_sources(case, arms, pictures), *(_arm(name, row, run.judges, pictures) for name, row in arms)]
    return element(
        "section",
        marks,
        element("h3", {}, case.case_id),
        _labels(case),
        element("p", {"class": "goal"}, case.request.goal),
        element("div", {"class": "row"}, *shown),
        *_below(run, case, arms),
    )


def anchor(case: Case) -> str:
    """The case's id on its page, from its id's bytes, so that two ids never share one."""
    return "case-" + case.case_id.encode("utf-8").hex()


def family(case: Case) -> str:
    """What the page filters by: the suite's family or task, else the domain."""
    groups = groups_of(case)
    return groups.get("family") or groups.get("task") or groups.get("domain") or ""


def _arms_of(run: Run, case: Case) -> Arms:
    found = []
    for condition in run.experiment.conditions:
        for editor in run.experiment.editors:
            for key in run.keys_of(case, condition, editor):
                name = f"{condition} · {editor}" if len(run.experiment.editors) > 1 else condition
                name += f" · replicate {key.replicate + 1}" if run.experiment.replicates > 1 else ""
                found.append((name, run.rows.get(key)))
    return found


def _labels(case: Case) -> Html:
    named = ([("regime", case.regime)] if case.regime else []) + list(groups_of(case).items())
    return element("p", {"class": "labels"}, *(element("span", {}, f"{name}: {value}") for name, value in named))


def _sources(case: Case, arms: Arms, pictures: Pictures) -> list[Html]:
    planned = next(((name, row.outcome.plan) for name, row in arms if row and row.outcome.plan), None)
    found = []
    for at, part in enumerate(case.request.parts, start=1):
        boxes = evidence_boxes(planned[1], at) if planned else []
        shown = with_boxes(pictures.show(part.media, labelled(part, at)), part.media, boxes)
        caption = labelled(part, at) + (f", with the evidence of {planned[0]}" if planned and boxes else "")
        found.append(_figure(shown, caption, "source"))
    if case.reference is not None:
        found.append(_figure(pictures.show(case.reference, "reference answer"), "reference answer", "source"))
    return found


def _arm(name: str, row: RunRow | None, judges: Sequence[str], pictures: Pictures) -> Html:
    if row is None:
        return element("div", {"class": "arm"}, element("h4", {}, name), chip(NOT_RUN, "missing"))
    outcome = row.outcome
    chips = [chip(outcome.status.value, "good" if outcome.status.value == "ok" else "bad")]
    chips += [_score_chip(judge, row.score_of(judge), plain=len(judges) == 1) for judge in judges]
    drafts = (
        _figure(pictures.show(draft, "draft"), f"draft {number_}", "draft")
        for number_, draft in enumerate(outcome.drafts, start=1)
    )
    return element(
        "div",
        {"class": "arm"},
        element("h4", {}, name),
        element("p", {"class": "chips"}, *chips),
        _output(outcome.media, outcome.text, pictures),
        *drafts,
        element("p", {"class": "instruction"}, outcome.instruction or DASH),
        _notes(outcome),
    )


def _below(run: Run, case: Case, arms: Arms) -> list[Html]:
    """Verdicts and plans over the full width, closed until they are asked for."""
    found = []
    for judge in run.judges:
        judged = [(name, row.score_of(judge) if row else None) for name, row in arms]
        found.append(_details(f"Verdicts of {judge}", verdict_table(case, judged)))
    plans = [(name, row.outcome.plan) for name, row in arms if row]
    return [*found, *(_details(f"Plan of {name}", plan_page(plan)) for name, plan in plans if plan)]


def _output(media: Media | None, text: str | None, pictures: Pictures) -> Html:
    if media is not None:
        return _figure(pictures.show(media, "output"), "", "output")
    return element("blockquote", {}, text) if text else element("p", {"class": "missing"}, "no output")


def _notes(outcome: Outcome) -> Html:
    notes = list(outcome.notes)
    if outcome.refusal is not None and not any(outcome.refusal.text in note for note in notes):
        notes.insert(0, f"refused at {outcome.refusal.stage}: {outcome.refusal.text}")
    if not notes:
        return Html("")
    return _details("Notes", element("ul", {}, *(element("li", {}, element("pre", {}, note)) for note in notes)))


def _details(title: str, content: Html) -> Html:
    return element("details", {}, element("summary", {}, title), content)


def _figure(picture: Html, caption: str, kind: str) -> Html:
    return element("figure", {"class": kind}, picture, element("figcaption", {}, caption) if caption else Html(""))


def _score_chip(judge: str, found: Verdicts | None, *, plain: bool) -> Html:
    name = "" if plain else f"{judge} "
    if found is None or found.score is None:
        return chip(f"{name}{found.status if found else 'not judged'}", "missing")
    return chip(f"{name}{number(found.score)}", "score")
