"""The validity gate (protocol section 4.3): what a standalone SVG result must satisfy."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from editplan.evals.protocols.vectorbench.canonical import canonical, is_invalid
from editplan.evals.protocols.vectorbench.paths import readable_path
from editplan.evals.protocols.vectorbench.rules import Grammar
from editplan.svg_source import local_name

URL_REFERENCE = re.compile(r"url\(\s*(['\"]?)#([^\s)'\"]+)\1\s*\)", re.IGNORECASE)
"""`url(#id)` with or without quotes; group 2 is the id."""


def fault(root: ET.Element, grammar: Grammar) -> str | None:
    """The first reason why the document is no valid result, None where it is one.

    The root's local name is svg, ids are non-empty and unique, values of style, d, points, viewBox and
    transform can be read, and every reference to an id resolves.
    """
    if local_name(root.tag) != "svg":
        return f"the root element is <{local_name(root.tag)}>, not <svg>"
    ids: set[str] = set()
    for element in root.iter():
        identity = element.attrib.get("id")
        if identity is not None:
            if not identity or identity in ids:
                return f"id {identity!r} is {'used twice' if identity else 'empty'}"
            ids.add(identity)
        for key, value in element.attrib.items():
            if not _readable(local_name(key), value, grammar):
                return f"<{local_name(element.tag)} {local_name(key)}>: can't read {value[:60]!r}"
    return _dangling(root, ids)


def _readable(name: str, value: str, grammar: Grammar) -> bool:
    spelling = canonical(name, value, grammar)
    if is_invalid(spelling):
        return False
    if name == "d":
        return readable_path(value)
    if name == "points":
        return len(spelling.split()) % 2 == 0
    if name == "viewBox":
        return _view_box_fits(spelling)
    return True


def _view_box_fits(spelling: str) -> bool:
    try:
        numbers = [float(token) for token in spelling.split()]
    except ValueError:
        return False
    return len(numbers) == 4 and numbers[2] > 0 and numbers[3] > 0


def _dangling(root: ET.Element, ids: set[str]) -> str | None:
    for element in root.iter():
        name = local_name(element.tag)
        for key, value in element.attrib.items():
            target = value.strip()
            if target.startswith("#") and local_name(key) == "href" and target[1:] not in ids:
                return f"<{name} href> points to {target!r}, which doesn't exist"
            missing = _missing_reference(value, ids)
            if missing is not None:
                return f"<{name} {local_name(key)}> refers to '#{missing}', which doesn't exist"
        if name == "style" and element.text:
            missing = _missing_reference(element.text, ids)
            if missing is not None:
                return f"<style> refers to '#{missing}', which doesn't exist"
    return None


def _missing_reference(text: str, ids: set[str]) -> str | None:
    if "(" not in text:
        return None
    return next((found.group(2) for found in URL_REFERENCE.finditer(text) if found.group(2) not in ids), None)
