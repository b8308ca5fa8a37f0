"""Legends in a frame: shapes outside it take the colour that the row of their shape or colour shows."""

from __future__ import annotations

import re
from collections import defaultdict

from editplan.planner.embedded.boxes import cells
from editplan.planner.embedded.framed import Entry, FramedLegend, applies, read_framed_legend
from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import around, at, colour_words, listed
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.recognition.scene import Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_LEGEND = re.compile(r"\b(?:legend|color key|colour key)\b", re.IGNORECASE)
_APPLY = re.compile(r"\b(?:apply|use|follow|recolou?r|colou?r|paint|according)\b", re.IGNORECASE)
_Wanted = dict[int, list[Shape]]
"""Number of the row: the shapes that it recolours."""


class FramedLegendRecolor:
    """Goals that apply a framed legend somewhere in the picture."""

    name = "framed legend"

    def reads(self, goal: str) -> bool:
        return _LEGEND.search(goal) is not None and _APPLY.search(goal) is not None

    def inspect(self, goal: str, view: View) -> Inspection:
        variables = (
            open_variable("rule", "What does each row of the legend say?", VariableSource.RULE, "it is drawn"),
            open_variable(
                "targets", "Which shapes does a row speak of?", VariableSource.STATE, "the request names none"
            ),
        )
        boxes = (*(cell.outer for cell in cells(view)), *(shape.box for shape in view.scene.shapes))
        return inspection(view, variables, boxes, ("the legend stays", "shapes that no row speaks of stay"))

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        legend = read_framed_legend(view)
        if legend is None:
            return Unsolved("no legend of rows with arrows can be read")
        outside = [shape for shape in view.scene.shapes if not legend.frame.holds(shape.middle)]
        wanted: _Wanted = defaultdict(list)
        for shape in outside:
            rows = [number for number, entry in enumerate(legend.entries) if applies(entry, legend, shape)]
            if len(rows) == 1:
                wanted[rows[0]].append(shape)
        if not wanted:
            return Unsolved("no row of the legend speaks of a shape in the picture")
        return _plan(view, legend, dict(wanted))


def _words(entry: Entry, legend: FramedLegend) -> str:
    sample = f"{entry.sample.kind}" if legend.by_shape else entry.sample.colour
    return f"{sample} → {entry.colour}"


def _plan(view: View, legend: FramedLegend, wanted: _Wanted) -> Plan:
    book = Notebook(view)
    rules = tuple(
        book.claim(f"the legend says: {_words(entry, legend)}", EvidenceSource.IN_SCENE_RULE, entry.box)
        for entry in legend.entries
    )
    claims, steps, states = list(rules), [], []
    for number, shapes in sorted(wanted.items()):
        entry = legend.entries[number]
        new = colour_words(entry.colour, entry.target)
        places = [at(shape, view.size) for shape in shapes]
        sample = entry.sample.kind if legend.by_shape else entry.sample.colour
        claims.append(
            book.claim(
                f"the row of {sample} speaks of {len(shapes)} shapes outside the legend",
                EvidenceSource.BINDING,
                around(shape.box for shape in shapes),
                seen=" ".join(places),
            )
        )
        targets = f"the {'shape' if len(places) == 1 else 'shapes'} at {listed(places)}"
        steps.append(f"Recolor {targets} to {new}.")
        states.append(f"{targets} {'is' if len(places) == 1 else 'are'} {entry.colour}")
    book.variable("rule", "; ".join(_words(entry, legend) for entry in legend.entries), rules)
    book.variable("targets", f"{sum(map(len, wanted.values()))} shapes", tuple(claims[len(rules) :]))
    preserve = ("the legend stays unchanged", "shapes that no row speaks of and the background stay unchanged")
    decision = Decision(
        chosen=Transition(
            transition_id="z1",
            targets=tuple(f"the shape at {at(shape, view.size)}" for shapes in wanted.values() for shape in shapes),
            actions=("recolor",),
            destination=tuple(legend.entries[number].colour for number in sorted(wanted)),
            goal_state=tuple(states),
            preserve=preserve,
            supporting_claim_ids=tuple(claims),
            validity=Validity.SUPPORTED,
        ),
        steps=tuple(steps),
        keep="Keep the legend, all other shapes and the background exactly as they are.",
        others=(_other_reading(legend, rules, preserve),),
        question="Do the samples of the legend differ in shape or in color?",
        deciding=rules,
    )
    return book.plan(decision)


def _other_reading(legend: FramedLegend, rules: tuple[str, ...], preserve: tuple[str, ...]) -> Transition:
    """The closest wrong reading: rows told apart by the other feature."""
    feature = "color" if legend.by_shape else "shape"
    return Transition(
        transition_id="z2",
        targets=(f"the shapes that share the {feature} of a sample",),
        actions=("recolor",),
        goal_state=(f"shapes are recolored by their {feature}",),
        preserve=preserve,
        supporting_claim_ids=rules,
        validity=Validity.REJECTED,
    )
