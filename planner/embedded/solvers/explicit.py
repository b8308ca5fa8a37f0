"""Goals that say exactly what to do: their references are confirmed in the picture, their words pass unchanged."""

from __future__ import annotations

import re
from dataclasses import dataclass

from editplan.planner.embedded.notebook import Decision, Notebook
from editplan.planner.embedded.places import around, at
from editplan.planner.embedded.references import NOUNS, Description, describe, matching
from editplan.planner.embedded.solvers.base import Unsolved, inspection, open_variable
from editplan.planner.embedded.view import View
from editplan.planner.embedded.vocabulary import has_verb, leaves_open, unknown_words
from editplan.planner.embedded.wording import KEEP_ALL, fits, sentence
from editplan.recognition.scene import Shape
from editplan.records import EvidenceSource, Inspection, Plan, Transition, Validity, VariableSource

_REFERENCE = re.compile(
    rf"\b(?P<article>the|a|an|all|every|each)\s+(?P<phrase>(?:[a-z-]+\s+){{0,3}}?(?:{NOUNS})(?:e?s)?(?:\s+shapes?)?)\b"
    r"(?!\s+(?:with|centered|centred|whose|brush))",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"(?:shape|object|one|figure) at \(\s*(\d+(?:\.\d+)?)\s*%\s*,\s*(\d+(?:\.\d+)?)\s*%\s*\)", re.IGNORECASE
)
_DRAWN = re.compile(r"\b(?:draw|add|write)\b[^.]*", re.IGNORECASE)
_OUTLINED = re.compile(r"\b(?P<phrase>[a-z -]*?)[ -]?(?:outlined?|bordered)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Bound:
    """One reference and what it was found to be."""

    words: str
    shapes: tuple[Shape, ...]
    doubt: str = ""


class Explicit:
    """Goals of known words that leave nothing to be found out but which things they name."""

    name = "explicit"

    def reads(self, goal: str) -> bool:
        return has_verb(goal) and not leaves_open(goal) and not unknown_words(goal)

    def inspect(self, goal: str, view: View) -> Inspection:
        bound = _bindings(goal, view)
        variable = open_variable(
            "targets", "Are the things that the request names there, each of them once?", VariableSource.BINDING,
            "the request names them by looks or place",
        )  # fmt: skip
        boxes = tuple(shape.box for reference in bound for shape in reference.shapes)
        return inspection(view, (variable,), boxes, ("all that the request does not name stays as it is",))

    def resolve(self, goal: str, view: View) -> Plan | Unsolved:
        if not view.scene.flat:
            return Unsolved("this is no flat drawing, so the things that the request names can't be confirmed")
        if not fits((sentence(goal),)):
            return Unsolved("the request is too long for one instruction")
        bound = _bindings(goal, view)
        doubts = tuple(reference.doubt for reference in bound if reference.doubt)
        if doubts:
            return Unsolved("; ".join(doubts))
        book = Notebook(view)
        claims = tuple(_claim(book, view, reference) for reference in bound if reference.shapes)
        if not claims:
            claims = (book.claim("the request gives all places in numbers", EvidenceSource.BINDING),)
        book.variable("targets", "; ".join(r.words for r in bound if r.shapes) or "given in numbers", claims)
        decision = Decision(
            chosen=Transition(
                transition_id="z1",
                targets=tuple(reference.words for reference in bound),
                actions=(sentence(goal),),
                goal_state=(f"the picture is as this asks: {sentence(goal)}",),
                preserve=("everything that the request does not name stays unchanged",),
                supporting_claim_ids=claims,
                validity=Validity.SUPPORTED,
            ),
            steps=(sentence(goal),),
            keep=KEEP_ALL,
        )
        return book.plan(decision)


def _claim(book: Notebook, view: View, reference: _Bound) -> str:
    places = " ".join(at(shape, view.size) for shape in reference.shapes)
    return book.claim(
        f'"{reference.words}" means {len(reference.shapes)} in the picture: {places}',
        EvidenceSource.BINDING,
        around(shape.box for shape in reference.shapes),
    )


def _bindings(goal: str, view: View) -> list[_Bound]:
    """Every reference to a shape or an outline with what it fits."""
    bound = []
    for match in _REFERENCE.finditer(_DRAWN.sub(_without_new, goal)):
        description = describe(match["phrase"])
        following = goal[match.end() : match.end() + 6]
        if description is None or re.match(r"\s+at\s+\(", following):
            continue
        if description.empty:
            continue
        bound.append(_bind(match["article"].lower(), description, view))
    for x, y in _PLACE.findall(goal):
        point = (float(x) / 100 * view.size[0], float(y) / 100 * view.size[1])
        shape = view.scene.shape_at(point)
        words = f"the shape at ({x}%, {y}%)"
        bound.append(_Bound(words, (shape,)) if shape else _Bound(words, (), f"no shape lies at ({x}%, {y}%)"))
    return bound


def _without_new(match: re.Match[str]) -> str:
    """A clause that draws names a thing that is not there yet, so its first noun is no reference."""
    return re.sub(
        rf"\b(?:a|an)\s+(?:[\w#()-]+\s+)*?(?:{NOUNS})\b", "something", match[0], count=1, flags=re.IGNORECASE
    )


def _bind(article: str, description: Description, view: View) -> _Bound:
    shapes = matching(description, view.scene.shapes)
    if not shapes:
        return _Bound(description.words, (), f'nothing in the picture fits "{description.words}"')
    one = article == "the" and not description.plural
    if one and len(shapes) > 1:
        return _Bound(
            description.words, shapes, f'{len(shapes)} things fit "{description.words}", the request means one'
        )
    return _Bound(description.words, shapes)
