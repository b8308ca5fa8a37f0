"""The two normal forms of an SVG tree: V, what can be seen, and C, what was written (protocol section 4.3)."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping

from editplan.evals.protocols.vectorbench.canonical import canonical, collapsed, style_declarations
from editplan.evals.protocols.vectorbench.rules import Grammar
from editplan.evals.protocols.vectorbench.validity import URL_REFERENCE
from editplan.svg_source import local_name

Aliases = Mapping[str, str]
"""Raw id to the token of its place in the tree."""


def aligned_aliases(produced: ET.Element, target: ET.Element) -> tuple[dict[str, str], dict[str, str]]:
    """Tokens of the ids of elements that stand at the same place in both trees.

    The walk goes down only while tags and child counts agree.
    """
    ours: dict[str, str] = {}
    theirs: dict[str, str] = {}
    pending = [(produced, target, "@")]
    while pending:
        left, right, place = pending.pop()
        if left.tag != right.tag:
            continue
        for element, aliases in ((left, ours), (right, theirs)):
            identity = element.attrib.get("id")
            if identity:
                aliases[identity] = place
        if len(left) == len(right):
            pairs = zip(left, right, strict=True)
            pending.extend(reversed([(a, b, f"{place}/{n}") for n, (a, b) in enumerate(pairs)]))
    return ours, theirs


def source_equal(a: ET.Element, b: ET.Element, grammar: Grammar) -> bool:
    """Equality under C: attributes without order, ids and the storage of style as written."""
    pending = [(a, b)]
    while pending:
        left, right = pending.pop()
        if left.tag != right.tag or len(left) != len(right) or not _same_source(left, right, grammar):
            return False
        pending.extend(zip(left, right, strict=True))
    return True


def _same_source(a: ET.Element, b: ET.Element, grammar: Grammar) -> bool:
    if collapsed(a.text) != collapsed(b.text) or collapsed(a.tail) != collapsed(b.tail):
        return False
    if a.attrib == b.attrib:
        return True
    return a.attrib.keys() == b.attrib.keys() and all(
        canonical(key, value, grammar) == canonical(key, b.attrib[key], grammar) for key, value in a.attrib.items()
    )


def seen_attributes(element: ET.Element, aliases: Aliases, grammar: Grammar) -> dict[str, str]:
    """Attributes under V: without id and aria-*, style merged in (it wins), ids in references as tokens."""
    seen: dict[str, str] = {}
    for key, value in element.attrib.items():
        name = local_name(key)
        if name not in ("id", "style") and not name.startswith("aria-"):
            seen[name] = _aliased(name, canonical(name, value, grammar), aliases)
    style = element.attrib.get("style")
    if style:
        declarations = style_declarations(style)
        if declarations is None:
            seen["style"] = canonical("style", style, grammar)
        else:
            for name, value in declarations.items():
                seen[name] = _aliased(name, canonical(name, value, grammar), aliases)
    return seen


def _aliased(name: str, value: str, aliases: Aliases) -> str:
    if "(" in value:

        def token(reference: re.Match[str]) -> str:
            return f"url({aliases.get(reference.group(2), '#' + reference.group(2))})"

        value = URL_REFERENCE.sub(token, value)
    if name == "href" and value.startswith("#"):
        return aliases.get(value[1:], value)
    return value


def seen_text(element: ET.Element, aliases: Aliases) -> str:
    """Text under V: blanks collapsed; in `<style>`, `#id` as the token of the id."""
    text = collapsed(element.text)
    if "#" not in text or local_name(element.tag) != "style":
        return text
    lengths = sorted({len(identity) for identity in aliases}, reverse=True)
    pieces, position = [], 0
    while (mark := text.find("#", position)) >= 0:
        pieces.append(text[position:mark])
        names = (text[mark + 1 : mark + 1 + length] for length in lengths)
        identity = next((name for name in names if name in aliases), None)
        pieces.append("#" if identity is None else aliases[identity])
        position = mark + 1 + len(identity or "")
    return "".join(pieces) + text[position:]


def same_node(produced: ET.Element, target: ET.Element, aliases: tuple[Aliases, Aliases], grammar: Grammar) -> bool:
    """Equality of two elements under V, their children and tags left aside."""
    return (
        _same_attributes(produced, target, aliases, grammar)
        and _same_text(produced, target, aliases)
        and collapsed(produced.tail) == collapsed(target.tail)
    )


def _same_attributes(
    produced: ET.Element, target: ET.Element, aliases: tuple[Aliases, Aliases], grammar: Grammar
) -> bool:
    if produced.attrib == target.attrib and not _refers(target):
        return True
    return seen_attributes(produced, aliases[0], grammar) == seen_attributes(target, aliases[1], grammar)


def _same_text(produced: ET.Element, target: ET.Element, aliases: tuple[Aliases, Aliases]) -> bool:
    return seen_text(produced, aliases[0]) == seen_text(target, aliases[1])


def _refers(element: ET.Element) -> bool:
    return any("(" in value or key.endswith("href") for key, value in element.attrib.items())


def seen_equal(
    produced: ET.Element,
    target: ET.Element,
    grammar: Grammar,
    aliases: tuple[Aliases, Aliases] | None = None,
) -> bool:
    """Equality under V; without `aliases` those of the two subtrees themselves count."""
    if aliases is None:
        aliases = aligned_aliases(produced, target)
    pending = [(produced, target)]
    while pending:
        a, b = pending.pop()
        if a.tag != b.tag or len(a) != len(b) or not same_node(a, b, aliases, grammar):
            return False
        pending.extend(zip(a, b, strict=True))
    return True


def seen_differences(produced: ET.Element, target: ET.Element, grammar: Grammar) -> Iterator[str]:
    """Labels of the elements that differ under V; `+id` and `-id` for children that came or went."""
    yield from _differences(produced, target, aligned_aliases(produced, target), grammar, "__document__")


def _differences(
    produced: ET.Element, target: ET.Element, aliases: tuple[Aliases, Aliases], grammar: Grammar, fallback: str
) -> Iterator[str]:
    name = local_name(target.tag)
    label = target.attrib.get("id") or produced.attrib.get("id") or ("__svg" if name == "svg" else fallback)
    if produced.tag != target.tag:
        yield label
        return
    changed = not same_node(produced, target, aliases, grammar)
    if changed:
        yield label
    if len(produced) != len(target):
        moved = list(_moved(produced, target))
        yield from moved
        if not changed and not moved:
            yield label
        return
    for index, (left, right) in enumerate(zip(produced, target, strict=True)):
        yield from _differences(left, right, aliases, grammar, f"{label}/{local_name(right.tag)}[{index}]")


def _moved(produced: ET.Element, target: ET.Element) -> Iterator[str]:
    ours = {child.attrib["id"] for child in produced if "id" in child.attrib}
    theirs = {child.attrib["id"] for child in target if "id" in child.attrib}
    yield from (f"+{identity}" for identity in sorted(ours - theirs))
    yield from (f"-{identity}" for identity in sorted(theirs - ours))
