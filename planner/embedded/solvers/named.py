"""One named thing is recoloured or removed: the reference becomes a place, the colour a value."""

from __future__ import annotations

import re
from dataclasses import dataclass

from editplan.pixels.colours import canonical_name, colour_value
from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import at, colour_words, shape_words
from editplan.planner.embedded.references import NOUNS, Description, describe, matching
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.recognition.scene import Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_THING = rf"the (?P<thing>(?:[a-z-]+ ){{0,3}}?(?:{NOUNS}))"
_COLOUR = r"(?P<colour>[a-z-]+(?: [a-z]+)??)"
_RECOLOUR = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:recolou?r|paint|make|turn|colou?r) {_THING} (?:to |in |into )?{_COLOUR}",
        rf"change the colou?r of {_THING} (?:to|into) {_COLOUR}",
        rf"change {_THING} (?:to|into) {_COLOUR}",
        rf"{_THING} (?:should|must|has to) (?:be|become) {_COLOUR}(?: instead)?",
    )
)
_REMOVE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:remove|delete|erase|take away|get rid of) {_THING}(?: from the (?:picture|image|scene))?",
        rf"take {_THING} away",
    )
)
_TWIN = re.compile(
    r"(?:remove|delete|erase|take away) (?:just |only )?one of the two "
    rf"(?P<thing>(?:[a-z-]+ ){{0,3}}?(?:{NOUNS})(?:e?s)?)"
    r"(?:[.;,]\s*(?:either one will do|it doesn't matter which|whichever you like|any will do))?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Command:
    thing: Description
    colour: str | None
    """None removes it."""
    twins: bool = False
    """One of two alike, whichever."""


class Named:
    """Goals that recolour or remove one thing that they name by its looks, or one of two alike."""

    name = "named"

    def reads(self, goal: str) -> bool:
        return _command(goal) is not None

    def inspect(self, goal: str, view: View) -> Inspection:
        command = _command(goal)
        if command is None:
            return Inspection()
        found = matching(command.thing, view.scene.shapes)
        variable = open_variable(
            "target",
            f"Which thing is the {command.thing.words}?",
            VariableSource.BINDING,
            "it is named by looks only",
        )
        boxes = tuple(shape.box for shape in found)
        return inspection(view, (variable,), boxes, ("things of the same shape or color stay as they are",))

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        command = _command(goal)
        if command is None:
            return Unsolved("the request can't be read")
        found = matching(command.thing, view.scene.shapes)
        if len(found) != (2 if command.twins else 1):
            return Unsolved(f'{len(found)} things in the picture fit "{command.thing.words}"')
        return _plan(view, command, found)


def _command(goal: str) -> _Command | None:
    text = " ".join(goal.replace("’", "'").split()).rstrip(".!")
    twin = _TWIN.fullmatch(text)
    if twin is not None:
        thing = describe(twin["thing"])
        return None if thing is None else _Command(thing, None, twins=True)
    for patterns, paints in ((_RECOLOUR, True), (_REMOVE, False)):
        for pattern in patterns:
            match = pattern.fullmatch(text)
            thing = describe(match["thing"]) if match else None
            if match is None or thing is None or thing.empty or thing.plural:
                continue
            colour = canonical_name(match["colour"]) if paints else None
            if colour is not None or not paints:
                return _Command(thing, colour)
    return None


def _plan(view: View, command: _Command, found: tuple[Shape, ...]) -> Plan:
    book, shape = Notebook(view), found[0]
    claims = tuple(
        book.claim(f'{shape_words(each, view.scene)} fits "{command.thing.words}"', EvidenceSource.BINDING, each.box)
        for each in found
    )
    book.variable("target", shape_words(shape, view.scene), claims)
    alike = [s for s in view.scene.shapes if s not in found and (s.kind == shape.kind or s.colour == shape.colour)]
    rivals = found[1:] or tuple(alike)
    others: tuple[Transition, ...] = ()
    question, deciding = "", claims
    if rivals:
        seen = book.claim(
            f"{shape_words(rivals[0], view.scene)} is also there", EvidenceSource.OBSERVED_STATE, rivals[0].box
        )
        validity = Validity.PLAUSIBLE if command.twins else Validity.REJECTED
        others = (_transition("z2", view, command, rivals[0], (seen,), validity),)
        question, deciding = f"Does {shape_words(rivals[0], view.scene)} fit the name?", (*claims, seen)
    decision = Decision(
        chosen=_transition("z1", view, command, shape, claims, Validity.SUPPORTED),
        steps=(_step(view, command, shape),),
        keep="Keep everything else exactly as it is.",
        others=others,
        question=question,
        deciding=deciding,
    )
    return book.plan(decision)


def _step(view: View, command: _Command, shape: Shape) -> str:
    if command.colour is None:
        return f"Remove the shape at {at(shape, view.size)}."
    value = colour_value(command.colour)
    new = command.colour if value is None else colour_words(command.colour, value)
    return f"Recolor the shape at {at(shape, view.size)} to {new}."


def _transition(
    name: str, view: View, command: _Command, shape: Shape, claims: tuple[str, ...], validity: Validity
) -> Transition:
    words = shape_words(shape, view.scene)
    state = f"{words} is gone and the background shows" if command.colour is None else f"{words} is {command.colour}"
    return Transition(
        transition_id=name,
        targets=(words,),
        actions=("remove" if command.colour is None else "recolor",),
        destination=() if command.colour is None else (command.colour,),
        goal_state=(state,),
        preserve=("all other shapes and the background stay unchanged",),
        supporting_claim_ids=claims,
        validity=validity,
    )
