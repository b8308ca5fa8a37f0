"""HTML that can't be injected into: text is escaped unless it was made here."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping

VOID = frozenset({"img", "meta"})
Attributes = Mapping[str, str | int | float | bool | None]


class Html(str):
    """Markup that was made by this module, and so is safe to place."""

    __slots__ = ()


def element(name: str, attributes: Attributes | None = None, *children: str) -> Html:
    """An element; a child that is no `Html` is escaped, an attribute that is None or False is left out."""
    written = "".join(_attribute(key, value) for key, value in (attributes or {}).items())
    if name in VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{''.join(escaped(child) for child in children)}</{name}>")


def escaped(text: str) -> Html:
    """`text` as markup that shows it."""
    return text if isinstance(text, Html) else Html(html.escape(text))


def joined(parts: Iterable[str], separator: str = "") -> Html:
    """Parts one after the other, each escaped if it needs to be."""
    return Html(escaped(separator).join(escaped(part) for part in parts))


def _attribute(key: str, value: str | int | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    return f" {key}" if value is True else f' {key}="{html.escape(str(value), quote=True)}"'


def table(head: Iterable[str], rows: Iterable[Iterable[str]], *, numbers_from: int = 1) -> Html:
    """A table; cells from column `numbers_from` on are numbers, set flush right."""
    header = element("tr", {}, *(element("th", _cell(at, numbers_from), text) for at, text in enumerate(head)))
    body = (
        element("tr", {}, *(element("td", _cell(at, numbers_from), text) for at, text in enumerate(row)))
        for row in rows
    )
    return element(
        "div", {"class": "scroll"}, element("table", {}, element("thead", {}, header), element("tbody", {}, *body))
    )


def _cell(at: int, numbers_from: int) -> Attributes:
    return {"class": "num"} if at >= numbers_from else {}
