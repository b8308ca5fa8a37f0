"""M_E: the two trees without what the request asks for, so that only side effects are left to compare."""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from collections.abc import Sequence

from editplan.evals.protocols.vectorbench.elements import by_id, camel_case, matching, style_value
from editplan.evals.protocols.vectorbench.tasks import Change


def masked(produced: ET.Element, target: ET.Element, changes: Sequence[Change]) -> tuple[ET.Element, ET.Element]:
    """Deep copies of both trees in which every requested change is undone or done alike.

    An inserted or deleted element goes from both; a requested attribute takes the target's value and storage
    in the produced tree. An element that isn't found changes nothing.
    """
    ours, theirs = copy.deepcopy(produced), copy.deepcopy(target)
    for change in changes:
        wanted = by_id(theirs, change.part)
        if change.attribute == "exists":
            found = by_id(ours, change.part) if wanted is None else matching(ours, theirs, change.part)
            _remove(ours, found)
            _remove(theirs, wanted)
            continue
        found = matching(ours, theirs, change.part)
        if found is not None and wanted is not None:
            _adopt(found, wanted, "transform" if change.attribute == "size" else change.attribute)
    return ours, theirs


def _remove(root: ET.Element, element: ET.Element | None) -> None:
    if element is None:
        return
    if element is root:
        root.clear()
        return
    parent = next((node for node in root.iter() if any(child is element for child in node)), None)
    if parent is not None:
        parent.remove(element)


def _adopt(produced: ET.Element, target: ET.Element, attribute: str) -> None:
    """Gives the produced element the target's value of an attribute, stored as the target stores it."""
    keys = (attribute, camel_case(attribute))
    for key in keys:
        produced.attrib.pop(key, None)
    declarations = _declarations(produced)
    if declarations.pop(attribute, None) is not None:
        _write_style(produced, declarations)
    for key in keys:
        if key in target.attrib:
            produced.attrib[key] = target.attrib[key]
            return
    styled = style_value(target, attribute)
    if styled is not None:
        _write_style(produced, {**declarations, attribute: styled})


def _declarations(element: ET.Element) -> dict[str, str]:
    pairs = (chunk.partition(":") for chunk in element.attrib.get("style", "").split(";"))
    return {name.strip(): value.strip() for name, colon, value in pairs if colon}


def _write_style(element: ET.Element, declarations: dict[str, str]) -> None:
    if declarations:
        element.attrib["style"] = ";".join(f"{name}:{value}" for name, value in sorted(declarations.items()))
    else:
        element.attrib.pop("style", None)
