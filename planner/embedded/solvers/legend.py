"""Legends: colours that the picture maps to new colours or to an X."""

from __future__ import annotations

import re
from collections.abc import Sequence

from editplan.pixels.colours import as_hex, colour_name
from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import around, at, colour_words, listed
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.swatches import Legend, Rule, read_legend
from editplan.planner.embedded.view import View
from editplan.recognition.scene import Rgb, Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_GOAL = re.compile(
    r"(?:apply|follow|use) the (?:legend|key) (?:shown )?(?:at|on|along) the (?P<side>left|right|top|bottom)\b",
    re.IGNORECASE,
)
_SAME_COLOUR = 14
"""Largest channel difference between a swatch and the shapes that it speaks of."""


class LegendRecolor:
    """Goals that apply a legend along a side of the picture."""

    name = "legend"

    def reads(self, goal: str) -> bool:
        return _GOAL.search(goal) is not None

    def inspect(self, goal: str, view: View) -> Inspection:
        match = _GOAL.search(goal)
        if match is None:
            return Inspection()
        side = match["side"].lower()
        width, height = view.size
        strip = {
            "left": (0, 0, width // 6, height),
            "right": (width - width // 6, 0, width, height),
            "top": (0, 0, width, height // 6),
            "bottom": (0, height - height // 6, width, height),
        }[side]
        variables = (
            open_variable(
                "rule", f"What does each entry of the legend at the {side} say?", VariableSource.RULE, "it is drawn"
            ),
            open_variable(
                "targets", "Which shapes have a color of the legend?", VariableSource.STATE, "the request names none"
            ),
        )
        boxes = (strip, *(shape.box for shape in view.scene.shapes))
        return inspection(view, variables, boxes, ("the legend itself stays", "the background stays"))

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        match = _GOAL.search(goal)
        legend = read_legend(view.canvas, match["side"].lower()) if match is not None else None
        if legend is None:
            return Unsolved("no legend of swatches and arrows can be read at the side that the request names")
        targets = [
            (rule, [shape for shape in _outside(view, legend) if _same(shape.rgb, rule.source)])
            for rule in legend.rules
        ]
        if not any(shapes for _, shapes in targets):
            return Unsolved("no shape has a color of the legend")
        return _plan(view, legend, targets)


def _outside(view: View, legend: Legend) -> list[Shape]:
    x1, y1, x2, y2 = legend.strip
    return [s for s in view.scene.shapes if not (x1 <= s.middle[0] < x2 and y1 <= s.middle[1] < y2)]


def _same(a: Rgb, b: Rgb) -> bool:
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) <= _SAME_COLOUR


def _plan(view: View, legend: Legend, targets: Sequence[tuple[Rule, list[Shape]]]) -> Plan:
    book = Notebook(view)
    steps, states, claims, rules = [], [], [], []
    for rule, shapes in targets:
        said = book.claim(f"the legend says: {_words(rule)}", EvidenceSource.IN_SCENE_RULE, rule.box)
        claims.append(said)
        rules.append(said)
        if not shapes:
            continue
        claims.append(
            book.claim(
                f"{len(shapes)} shapes outside the legend are {colour_name(rule.source)}",
                EvidenceSource.BINDING,
                around(shape.box for shape in shapes),
                seen=" ".join(at(shape, view.size) for shape in shapes),
            )
        )
        steps.append(_step(rule, [at(shape, view.size) for shape in shapes]))
        states.append(_state(rule, len(shapes)))
    book.variable("rule", "; ".join(_words(rule) for rule in legend.rules), tuple(rules))
    book.variable("targets", f"{sum(len(shapes) for _, shapes in targets)} shapes", tuple(claims))
    preserve = (
        "the legend stays where it is, unchanged",
        "shapes whose color is not in the legend and the background stay unchanged",
    )
    decision = Decision(
        chosen=_transition("z1", targets, view, tuple(states), preserve, tuple(claims)),
        steps=tuple(steps),
        keep="Keep the legend, all other shapes and the background exactly as they are.",
        others=(_chained(targets, preserve, tuple(rules)),),
        question="Does an entry apply again to a shape that another entry has recolored?",
        deciding=tuple(rules),
    )
    return book.plan(decision)


def _words(rule: Rule) -> str:
    source = colour_name(rule.source)
    return f"{source} → X" if rule.target is None else f"{source} → {colour_name(rule.target)} {as_hex(rule.target)}"


def _step(rule: Rule, places: list[str]) -> str:
    noun = "shape" if len(places) == 1 else "shapes"
    if rule.target is None:
        return f"Remove the {noun} at {listed(places)}."
    return f"Recolor the {noun} at {listed(places)} to {colour_words(colour_name(rule.target), rule.target)}."


def _state(rule: Rule, count: int) -> str:
    source = colour_name(rule.source)
    if rule.target is None:
        return f"the {count} shapes that were {source} are gone and the background shows"
    return f"the {count} shapes that were {source} are {colour_words(colour_name(rule.target), rule.target)}"


def _transition(
    name: str,
    targets: Sequence[tuple[Rule, list[Shape]]],
    view: View,
    states: tuple[str, ...],
    preserve: tuple[str, ...],
    claims: tuple[str, ...],
) -> Transition:
    return Transition(
        transition_id=name,
        targets=tuple(f"the shape at {at(shape, view.size)}" for _, shapes in targets for shape in shapes),
        actions=tuple(
            "remove" if rule.target is None else f"recolor to {colour_words(colour_name(rule.target), rule.target)}"
            for rule, shapes in targets
            if shapes
        ),
        goal_state=states,
        preserve=preserve,
        supporting_claim_ids=claims,
        validity=Validity.SUPPORTED,
    )


def _chained(
    targets: Sequence[tuple[Rule, list[Shape]]], preserve: tuple[str, ...], claims: tuple[str, ...]
) -> Transition:
    """The closest wrong reading: entries applied one after the other, so that a new colour is mapped again."""
    return Transition(
        transition_id="z2",
        targets=tuple(f"the {colour_name(rule.source)} shapes" for rule, shapes in targets if shapes),
        actions=("apply the entries one after the other, also to colors that an entry has just given",),
        goal_state=("no shape has a color on the left side of an entry",),
        preserve=preserve,
        supporting_claim_ids=claims,
        validity=Validity.REJECTED,
    )
