"""Comparing what was produced with what was asked, by the kind of attribute (protocol section 4.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from editplan.evals.protocols.vectorbench.canonical import NUMBER, canonical, is_invalid
from editplan.evals.protocols.vectorbench.colours import COLOUR_ATTRIBUTES, Lab, canonical_colour, lab
from editplan.evals.protocols.vectorbench.paths import path_distance
from editplan.evals.protocols.vectorbench.rules import Grammar, Rules
from editplan.evals.protocols.vectorbench.tolerance import COLOUR, Match, Viewport, root_mean_square

_NUMBER_NAMES = {"opacity": "opacity-delta", "stroke-width": "line-weight-delta"}


@dataclass(frozen=True, slots=True)
class Comparer:
    """Compares values under one set of rules in one viewport."""

    viewport: Viewport
    rules: Rules

    def requested(self, attribute: str, actual: Any, before: Any, after: Any) -> Match:
        """A requested edit: `after` is the target's value, `before` the corrupted one or None."""
        if isinstance(after, bool):
            passed = actual is after
            return Match.exact("existence", passed, f"required presence {'matches' if passed else 'differs'}")
        if isinstance(after, int | float):
            return self._number(attribute, actual, _as_float(before), float(after))
        if isinstance(after, list):
            return self._lists(attribute, actual, before, after)
        if actual is None:
            return Match(after is None, "exact", detail="value is missing")
        if attribute in COLOUR_ATTRIBUTES:
            return self._colour(str(actual), before, str(after))
        if attribute == "d":
            return self._path(str(actual), before, str(after))
        passed = self._canonical(attribute, str(actual)) == self._canonical(attribute, str(after))
        return Match.exact("canonical", passed, f"canonical values {'match' if passed else 'differ'}")

    def inserted(self, attribute: str, actual: str, target: str) -> Match:
        """An attribute of a newly inserted element: there is no corrupted value, so the cap is the tolerance."""
        if attribute == "id":
            return Match.exact("identity", actual == target)
        if attribute in COLOUR_ATTRIBUTES:
            return self._colour(actual, None, target)
        if attribute == "d":
            return self._path(actual, None, target)
        if attribute == "points":
            ours, theirs = numbers_in(actual), numbers_in(target)
            if ours is None or theirs is None:
                return Match(False, "points-rms", detail="points could not be parsed")
            return self._flat(attribute, ours, None, theirs)
        if NUMBER.fullmatch(target.strip()):
            return self._number(attribute, actual, None, float(target))
        return Match.exact("canonical", self._canonical(attribute, actual) == self._canonical(attribute, target))

    def _canonical(self, attribute: str, value: str) -> str:
        return canonical(attribute, value, self.rules.grammar)

    def _number(self, attribute: str, actual: Any, before: float | None, target: float) -> Match:
        name = _NUMBER_NAMES.get(attribute, "numeric-delta")
        number = _as_float(actual)
        if number is None:
            return Match(False, name, detail="produced value is not numeric")
        delta = None if before is None else abs(before - target)
        tolerance = self.viewport.number(attribute, target).tolerance(delta)
        unit = "absolute opacity" if attribute == "opacity" else "user units"
        return Match.measured(name, abs(number - target), delta, tolerance, unit)

    def _lists(self, attribute: str, actual: Any, before: Any, after: list[Any]) -> Match:
        ours, theirs, corrupted = _flattened(actual), _flattened(after), _flattened(before)
        if ours is None or theirs is None or len(ours) != len(theirs):
            return Match(False, _list_name(attribute), detail="numeric shape differs")
        if corrupted is not None and len(corrupted) != len(theirs):
            corrupted = None
        return self._flat(attribute, ours, corrupted, theirs)

    def _flat(self, attribute: str, actual: list[float], before: list[float] | None, target: list[float]) -> Match:
        shared = min(len(actual), len(target))
        distance = root_mean_square(actual[:shared], target[:shared])
        delta = None if before is None else root_mean_square(before, target)
        tolerance = self.viewport.number_list().tolerance(delta)
        return Match.measured(_list_name(attribute), distance, delta, tolerance, "coordinate RMS")

    def _colour(self, actual: str, before: Any, target: str) -> Match:
        grammar = self.rules.grammar
        ours, theirs = lab(actual, grammar), lab(target, grammar)
        if ours is None or theirs is None:
            same = canonical_colour(actual, grammar) == canonical_colour(target, grammar)
            return Match(same, "canonical-color", detail="unsupported color syntax; canonical comparison used")
        corrupted = None if before is None else lab(str(before), grammar)
        delta = None if corrupted is None else _apart(corrupted, theirs)
        tolerance = COLOUR.tolerance(delta)
        return Match.measured("color-lab", _apart(ours, theirs), delta, tolerance, "Delta E76")

    def _path(self, actual: str, before: Any, target: str) -> Match:
        distance = path_distance(actual, target)
        if distance is None:
            return Match(False, "path-shape", detail="path geometry could not be sampled")
        delta = None if before is None else path_distance(str(before), target)
        tolerance = self.viewport.path_shape().tolerance(delta)
        shape = Match.measured("path-shape", distance, delta, tolerance, "sampled geometry")
        if not shape.passed:
            coordinates = self._path_coordinates(actual, before, target)
            if coordinates is not None and coordinates.passed:
                return coordinates
        return replace(shape, detail="command topology is ignored; rendered path shape is compared")

    def _path_coordinates(self, actual: str, before: Any, target: str) -> Match | None:
        """The fallback for paths with the target's own command letters and as many numbers."""
        grammar = self.rules.grammar
        ours, theirs = _path_parts(actual, grammar), _path_parts(target, grammar)
        if ours is None or theirs is None or ours[0] != theirs[0] or len(ours[1]) != len(theirs[1]):
            return None
        corrupted = None if before is None else _path_parts(str(before), grammar)
        delta = None
        if corrupted is not None and corrupted[0] == theirs[0] and len(corrupted[1]) == len(theirs[1]):
            delta = root_mean_square(corrupted[1], theirs[1])
        tolerance = self.viewport.path_coordinates().tolerance(delta)
        distance = root_mean_square(ours[1], theirs[1])
        found = Match.measured("path-coordinate-rms", distance, delta, tolerance, "coordinate RMS")
        return replace(found, detail="matching command streams are within coordinate tolerance")


def _list_name(attribute: str) -> str:
    return "points-rms" if attribute == "points" else "list-rms"


def _as_float(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _apart(a: Lab, b: Lab) -> float:
    return math.sqrt(math.fsum((x - y) ** 2 for x, y in zip(a, b, strict=True)))


def _flattened(value: Any) -> list[float] | None:
    """The numbers of a list of numbers or of lists of numbers, in order; None for anything else."""
    if not isinstance(value, list):
        return None
    flat: list[float] = []
    for item in value:
        numbers = _flattened(item) if isinstance(item, list) else [_as_float(item)]
        if numbers is None:
            return None
        for number in numbers:
            if number is None:
                return None
            flat.append(number)
    return flat


def _path_parts(d: str, grammar: Grammar) -> tuple[tuple[str, ...], list[float]] | None:
    """Command letters and numbers of path data, None where it can't be read."""
    spelling = canonical("d", d, grammar)
    if is_invalid(spelling):
        return None
    letters, numbers = [], []
    for token in spelling.split():
        if NUMBER.fullmatch(token):
            numbers.append(float(token))
        else:
            letters.append(token)
    return tuple(letters), numbers


def numbers_in(value: str) -> list[float] | None:
    """The numbers of a string that holds nothing else but blanks and commas; None otherwise, or if it has none."""
    tokens = NUMBER.findall(value)
    if not tokens or NUMBER.sub("", value).strip(" \t\n\r\f\v,"):
        return None
    return [float(token) for token in tokens]
