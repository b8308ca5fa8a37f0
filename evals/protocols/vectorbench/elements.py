"""Finding an edit's element in a tree, and reading the value that the edit asks for (protocol section 4.3)."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from editplan.evals.protocols.vectorbench.canonical import collapsed

ROOT_PART = "__svg"
"""The part name that the corpus gives to the root element."""

Value = bool | int | float | str | list[float] | list[list[float]] | None

_DECIMAL = r"((?>[-+]?[0-9]*\.?[0-9]+))"
_SCALE = re.compile(rf"scale\({_DECIMAL}\)")
_TRANSLATE = re.compile(rf"translate\(\s*{_DECIMAL}(?:[\s,]+{_DECIMAL})?\s*\)")
_SIZE_UNIT = 24
"""Side of the corpus' icons: a scale of 1 is a size of 24."""


def by_id(root: ET.Element | None, part: str) -> ET.Element | None:
    """The first element with the id; the root for `__svg`."""
    if root is None or part == ROOT_PART:
        return root
    return next((element for element in root.iter() if element.attrib.get("id") == part), None)


def elements_by_id(root: ET.Element) -> dict[str, ET.Element]:
    """The first element of each id, and the root as `__svg`."""
    found: dict[str, ET.Element] = {ROOT_PART: root}
    for element in root.iter():
        identity = element.get("id")
        if identity is not None:
            found.setdefault(identity, element)
    return found


def matching(produced: ET.Element | None, reference: ET.Element | None, part: str) -> ET.Element | None:
    """The element with the id, or else the one at its place in the reference.

    The place counts only while every level above has as many children, of the same tags on the way down.
    """
    direct = by_id(produced, part)
    if direct is not None or produced is None or reference is None:
        return direct
    place = _place(reference, part)
    if place is None:
        return None
    ours, theirs = produced, reference
    for index in place:
        if len(ours) != len(theirs):
            return None
        ours, theirs = ours[index], theirs[index]
        if ours.tag != theirs.tag:
            return None
    return ours if ours.tag == theirs.tag else None


def _place(root: ET.Element, part: str) -> tuple[int, ...] | None:
    """Child indices from the root to the first element with the id."""
    pending: list[tuple[ET.Element, tuple[int, ...]]] = [(root, ())]
    while pending:
        element, place = pending.pop()
        if element.attrib.get("id") == part:
            return place
        pending.extend(reversed([(child, (*place, index)) for index, child in enumerate(element)]))
    return None


def produced_value(element: ET.Element | None, attribute: str) -> Value:
    """What the element says for an attribute of `expected_diff`: a number, text, a list, presence, or None."""
    if attribute == "exists":
        return element is not None
    if element is None:
        return None
    attributes = element.attrib
    if attribute == "viewBox":
        return _number_list(attributes.get("viewBox"))
    if attribute == "size":
        return _size(attributes.get("transform", ""))
    if attribute == "points":
        return _points(attributes.get("points"))
    if attribute in ("x", "y") and attribute not in attributes:
        offset = _translation(attributes.get("transform", ""))
        if offset is not None:
            return offset[0 if attribute == "x" else 1]
    return _stored_value(element, attribute)


def _stored_value(element: ET.Element, attribute: str) -> Value:
    style = style_value(element, attribute)
    if style is not None:
        return style if attribute == "color" else _number_or_text(style)
    for key in (attribute, camel_case(attribute)):
        if key in element.attrib:
            return _number_or_text(element.attrib[key])
    return None


def style_value(element: ET.Element, name: str) -> str | None:
    """The first declaration of exactly this name in the style attribute."""
    for chunk in element.attrib.get("style", "").split(";"):
        key, colon, value = chunk.partition(":")
        if colon and key.strip() == name:
            return value.strip()
    return None


def camel_case(attribute: str) -> str:
    """`stroke-width` as `strokeWidth`."""
    first, *rest = attribute.split("-")
    return first + "".join(chunk.title() for chunk in rest)


def _number_or_text(value: str) -> int | float | str:
    text = collapsed(value)
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def _number_list(value: str | None) -> list[float] | None:
    if value is None:
        return None
    try:
        return [float(text) for text in re.split(r"[\s,]+", value.strip()) if text]
    except ValueError:
        return None


def _points(value: str | None) -> list[list[float]] | None:
    if value is None:
        return None
    try:
        pairs = [[float(text) for text in pair.split(",") if text] for pair in value.split()]
    except ValueError:
        return None
    return [pair for pair in pairs if pair]


def _size(transform: str) -> float | None:
    scale = _SCALE.search(transform)
    return None if scale is None else round(float(scale.group(1)) * _SIZE_UNIT, 4)


def _translation(transform: str) -> tuple[int | float, int | float] | None:
    found = _TRANSLATE.search(transform)
    if found is None:
        return None
    x, y = float(found.group(1)), float(found.group(2) or 0.0)
    return _whole(x), _whole(y)


def _whole(number: float) -> int | float:
    return int(number) if number.is_integer() else number
