"""What a judge said of all arms of a case, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from editplan.evals.cases import Case
from editplan.evals.judging import Verdicts
from editplan.evals.report.figures import DASH, number
from editplan.evals.report.markup import Html, element, joined, table

Judged = Sequence[tuple[str, Verdicts | None]]
"""Arm and verdicts, in the order of the columns."""


def verdict_table(case: Case, judged: Judged) -> Html:
    """One column an arm: status and parts of the score, then each atom of the contract with the reason."""
    questions = {atom.id: atom.question for _, atom in case.contract.atoms()} if case.contract else {}
    named = dict.fromkeys(atom.id for _, found in judged if found for atom in found.atoms)
    rows = [["", *(_headline(found) for _, found in judged)]]
    rows += [[_question(name, questions), *(_verdict(found, name) for _, found in judged)] for name in named]
    if any(found and found.notes for _, found in judged):
        rows.append(["notes", *(_notes(found) for _, found in judged)])
    head = ["", *(arm for arm, _ in judged)]
    return table(head, rows, numbers_from=len(head))


def chip(text: str, kind: str) -> Html:
    """A word in a frame of its own colour."""
    return element("span", {"class": f"chip {kind}"}, text)


def _headline(found: Verdicts | None) -> Html:
    if found is None:
        return chip("not judged", "missing")
    parts = [found.status.replace("_", " ")]
    parts += [f"score {number(found.score)}"] if found.score is not None else []
    parts += [f"gate {found.gate}"] if found.gate else []
    parts += [f"R {number(found.required)}"] if found.required is not None else []
    parts += [f"D {number(found.damage)}"] if found.damage is not None else []
    parts += [f"coverage {number(found.coverage, 2)}"] if found.coverage is not None else []
    return joined(parts, ", ")


def _question(name: str, questions: dict[str, str]) -> Html:
    return joined([element("b", {}, name), " ", questions.get(name, "")])


def _verdict(found: Verdicts | None, name: str) -> Html:
    atom = next((atom for atom in found.atoms if atom.id == name), None) if found else None
    if atom is None:
        return Html(DASH)
    return joined([chip(atom.verdict, atom.verdict), " ", atom.reason])


def _notes(found: Verdicts | None) -> Html:
    return (
        element("ul", {}, *(element("li", {}, note) for note in found.notes)) if found and found.notes else Html("")
    )
