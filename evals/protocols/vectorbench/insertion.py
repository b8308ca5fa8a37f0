"""Judging an element that the request asks to insert (protocol section 4.3, "Insertion")."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from itertools import starmap

from editplan.evals.protocols.vectorbench.canonical import canonical, collapsed
from editplan.evals.protocols.vectorbench.compare import Comparer
from editplan.evals.protocols.vectorbench.forms import Aliases, aligned_aliases, seen_attributes
from editplan.evals.protocols.vectorbench.tolerance import Match

_COMPARISON = "inserted-subtree"


@dataclass(frozen=True, slots=True)
class _Closeness:
    """How near a subtree is: the largest distance over tolerance, None where something differs outright."""

    passed: bool
    ratio: float | None
    detail: str


class _Differs(Exception):
    """A difference that no tolerance covers; the message is the verdict's detail."""


def inserted_match(produced: ET.Element | None, target: ET.Element | None, comparer: Comparer) -> Match:
    """The produced subtree against the target's: all values within their caps, the rest equal."""
    if produced is None or target is None:
        return Match.exact(_COMPARISON, False, "requested element is missing")
    try:
        found = _closeness(produced, target, comparer, aligned_aliases(produced, target))
    except _Differs as difference:
        return Match.exact(_COMPARISON, False, str(difference))
    return Match(
        passed=found.passed,
        comparison=_COMPARISON,
        distance=round(found.ratio, 6) if found.ratio is not None else None,
        tolerance=1.0,
        progress=1.0 if found.passed else 0.0,
        unit="normalized tolerance",
        detail=found.detail,
    )


def _closeness(
    produced: ET.Element, target: ET.Element, comparer: Comparer, aliases: tuple[Aliases, Aliases]
) -> _Closeness:
    if produced.tag != target.tag:
        raise _Differs("inserted element type differs")
    own = _attributes_closeness(produced, target, comparer, aliases)
    if collapsed(produced.text) != collapsed(target.text):
        raise _Differs("inserted element text differs")
    if len(produced) != len(target):
        raise _Differs("inserted element child count differs")

    def below(ours: ET.Element, theirs: ET.Element) -> _Closeness:
        return _closeness(ours, theirs, comparer, aliases)

    parts = [own, *starmap(below, zip(produced, target, strict=True))]
    failure = next((part.detail for part in parts if not part.passed), None)
    worst = max(part.ratio or 0.0 for part in parts)
    return _Closeness(failure is None, worst, failure or "inserted element is within visual tolerances")


def _attributes_closeness(
    produced: ET.Element, target: ET.Element, comparer: Comparer, aliases: tuple[Aliases, Aliases]
) -> _Closeness:
    grammar = comparer.rules.grammar
    ours = seen_attributes(produced, aliases[0], grammar)
    theirs = seen_attributes(target, aliases[1], grammar)
    if ours.keys() != theirs.keys():
        raise _Differs("inserted element attributes differ")
    worst, failure = 0.0, None
    for name, wanted in theirs.items():
        if canonical(name, ours[name], grammar) == canonical(name, wanted, grammar):
            continue
        match = comparer.inserted(name, ours[name], wanted)
        if match.distance is not None and match.tolerance:
            worst = max(worst, match.distance / match.tolerance)
        elif not match.passed:
            raise _Differs(f"inserted element {name} differs exactly")
        if not match.passed:
            failure = failure or f"inserted element {name} is outside tolerance"
    return _Closeness(failure is None, worst, failure or "")
