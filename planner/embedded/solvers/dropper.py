"""Colours by place: "the color of the shape at (x%, y%)" becomes a colour value."""

from __future__ import annotations

import re

from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import colour_words
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.planner.embedded.wording import sentence
from editplan.recognition.scene import Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_PHRASE = re.compile(
    r"(?:the )?(?:same )?colou?r (?:of|as) the (?:shape|object|one) at "
    r"\(\s*(?P<x>\d+(?:\.\d+)?)\s*%\s*,\s*(?P<y>\d+(?:\.\d+)?)\s*%\s*\)",
    re.IGNORECASE,
)


class Dropper:
    """Goals that take a colour from a place in the picture."""

    name = "dropper"

    def reads(self, goal: str) -> bool:
        return len(_PHRASE.findall(goal)) == 1

    def inspect(self, goal: str, view: View) -> Inspection:
        sampled = _sampled(goal, view)
        variable = open_variable(
            "new color",
            "What color is at the given place?",
            VariableSource.STATE,
            "the request names a place, no color",
        )
        boxes = (sampled.box,) if sampled is not None else ()
        return inspection(view, (variable,), boxes, ("the sampled shape keeps its color and place",))

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        sampled, match = _sampled(goal, view), _PHRASE.search(goal)
        if sampled is None or match is None:
            return Unsolved("no shape lies at the place that the request takes its color from")
        book = Notebook(view)
        colour = colour_words(sampled.colour, sampled.rgb)
        claim = book.claim(
            f"the shape at {match['x']}%, {match['y']}% is {colour}", EvidenceSource.OBSERVED_STATE, sampled.box
        )
        book.variable("new color", colour, (claim,))
        step = sentence(goal[: match.start()] + colour + goal[match.end() :])
        decision = Decision(
            chosen=Transition(
                transition_id="z1",
                targets=(_target(goal),),
                actions=("recolor",),
                destination=(colour,),
                goal_state=(f"{_target(goal)} has the color {colour}",),
                preserve=("places, outlines and sizes stay unchanged, and so does the background",),
                supporting_claim_ids=(claim,),
                validity=Validity.SUPPORTED,
            ),
            steps=(step,),
            keep="Keep everything else exactly as it is.",
        )
        return book.plan(decision)


def _target(goal: str) -> str:
    """The words between the verb and the color."""
    match = re.match(r"\w+\s+(.*?)\s+to\s+(?:the )?(?:same )?colou?r", goal, re.IGNORECASE)
    return match[1] if match else "what the request names"


def _sampled(goal: str, view: View) -> Shape | None:
    match = _PHRASE.search(goal)
    if match is None:
        return None
    width, height = view.size
    return view.scene.shape_at((float(match["x"]) / 100 * width, float(match["y"]) / 100 * height))
