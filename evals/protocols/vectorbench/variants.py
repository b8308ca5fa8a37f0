"""Variants of the semantic form, for its sensitivity: sibling order, storage of style, names of ids."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Hashable

from editplan.evals.protocols.vectorbench.canonical import canonical, collapsed
from editplan.evals.protocols.vectorbench.forms import Aliases, aligned_aliases, seen_attributes, seen_text
from editplan.evals.protocols.vectorbench.rules import Rules


def seen_equal_under(produced: ET.Element, target: ET.Element, rules: Rules) -> bool:
    """Equality of two trees under the form in `rules`."""
    aliases: tuple[Aliases, Aliases] = ({}, {})
    if not rules.form.id_names:
        aliases = aligned_aliases(produced, target)
    return _form(produced, aliases[0], rules) == _form(target, aliases[1], rules)


def _form(element: ET.Element, aliases: Aliases, rules: Rules) -> Hashable:
    children = tuple(_form(child, aliases, rules) for child in element)
    return (
        element.tag,
        frozenset(_attributes(element, aliases, rules).items()),
        seen_text(element, aliases),
        collapsed(element.tail),
        children if rules.form.child_order else tuple(sorted(children, key=_order)),
    )


def _order(form: Hashable) -> str:
    """A text that is equal for equal forms: `frozenset` itself prints in any order."""
    if isinstance(form, frozenset):
        return repr(sorted(form))
    return "(" + ",".join(map(_order, form)) + ")" if isinstance(form, tuple) else repr(form)


def _attributes(element: ET.Element, aliases: Aliases, rules: Rules) -> dict[str, str]:
    if rules.form.style_storage and "style" in element.attrib:
        bare = ET.Element(element.tag, {key: value for key, value in element.attrib.items() if key != "style"})
        seen = seen_attributes(bare, aliases, rules.grammar)
        seen["style"] = canonical("style", element.attrib["style"], rules.grammar)
    else:
        seen = seen_attributes(element, aliases, rules.grammar)
    if rules.form.id_names and "id" in element.attrib:
        seen["id"] = element.attrib["id"]
    return seen
