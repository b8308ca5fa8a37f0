"""The hardened door for SVG: text that a model wrote becomes a tree, or one sentence says why it doesn't.

Everything behind it may recurse and use regular expressions freely, since depth, size and the length
of the values they see are bounded here.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from xml.parsers import expat

MAX_BYTES = 1_000_000
"""UTF-8 bytes of a document; the corpus has 5 to 16 thousand characters an item."""
MAX_DEPTH = 200
MAX_ELEMENTS = 50_000
MAX_CALL_CHARACTERS = 10_000
"""Length of an attribute value that holds a parenthesis (`url()`, `transform`)."""
MAX_STYLE_CHARACTERS = 20_000
"""Length of the text of all `<style>` elements together."""

_SCRIPTS = frozenset({"script", "handler", "listener"})
_EMBEDS = frozenset({"iframe", "object", "embed", "audio", "video", "link"})
_IMAGES = frozenset({"image", "feImage"})
"""Elements whose bare word in `href` is a file's name."""
_EVENT = re.compile(r"on[a-z]+", re.IGNORECASE)
_URL = re.compile(r"url\(\s*['\"]?\s*([^\s)'\"]*)", re.IGNORECASE)
_OUTSIDE = re.compile(r"[:/\\.]")
"""A target with any of these may name another file or host; a bare word is a reference without its `#`."""
_RASTER_DATA = re.compile(r"data:image/(?:png|jpe?g|gif|webp)[;,]", re.IGNORECASE)
_IMPORT = re.compile(r"@import", re.IGNORECASE)
_SCRIPT_URL = re.compile(r"[\s\x00-\x1f]*(?:java|vb)script:", re.IGNORECASE)


_DEFAULT_SIDE = 100.0
_MAX_SIDE = 100_000.0


class Unreadable(Exception):
    """The document is refused; the message is the reason. `parse` turns it into a value."""


def local_name(name: str) -> str:
    """A tag's or an attribute's name without its `{namespace}`."""
    return name.rpartition("}")[2] if "}" in name else name


def parse(text: str) -> tuple[ET.Element | None, str | None]:
    """The root element and None, or None and the reason why the document is refused."""
    try:
        return _root(text), None
    except Unreadable as refusal:
        return None, str(refusal)


def _root(text: str) -> ET.Element:
    _check_size(text)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        _check_no_doctype(text)
    try:
        root = ET.fromstring(text)
    except ET.ParseError as broken:
        line, column = broken.position
        raise Unreadable(
            f"not well-formed XML: {broken.msg.split(':')[0]} (line {line}, column {column})"
        ) from broken
    _check_tree(root)
    return root


def _check_size(text: str) -> None:
    if len(text) > MAX_BYTES:
        raise Unreadable(f"the document has {len(text)} characters, the limit is {MAX_BYTES} bytes")
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as lone:
        raise Unreadable(f"character {lone.start} is half of a surrogate pair") from lone
    if size > MAX_BYTES:
        raise Unreadable(f"the document has {size} bytes, the limit is {MAX_BYTES}")


def _check_no_doctype(text: str) -> None:
    """Refuses a document type declaration; the same characters in a comment or CDATA are no declaration."""

    def refuse(*_: object) -> None:
        raise Unreadable("the document has a DTD (<!DOCTYPE>), which may declare entities: not read")

    parser = expat.ParserCreate("utf-8")
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError:
        return


def _check_tree(root: ET.Element) -> None:
    style_characters = 0
    for count, (element, depth) in enumerate(_walk(root), start=1):
        if count > MAX_ELEMENTS:
            raise Unreadable(f"the document has more than {MAX_ELEMENTS} elements")
        if depth > MAX_DEPTH:
            raise Unreadable(f"elements are nested more than {MAX_DEPTH} deep")
        name = local_name(element.tag)
        _check_name(name)
        for key, value in element.attrib.items():
            _check_attribute(name, local_name(key), value)
        if name == "style" and element.text:
            style_characters += len(element.text)
            if style_characters > MAX_STYLE_CHARACTERS:
                raise Unreadable(f"<style> text is longer than {MAX_STYLE_CHARACTERS} characters")
            _check_css("<style>", element.text)


def _walk(root: ET.Element) -> Iterator[tuple[ET.Element, int]]:
    pending = [(root, 1)]
    while pending:
        element, depth = pending.pop()
        yield element, depth
        pending.extend((child, depth + 1) for child in element)


def _check_name(name: str) -> None:
    if name.lower() in _SCRIPTS:
        raise Unreadable(f"<{name}>: scripts are not read")
    if name.lower() in _EMBEDS:
        raise Unreadable(f"<{name}> embeds another document: external content is not read")


def _check_attribute(element: str, name: str, value: str) -> None:
    if _EVENT.fullmatch(name):
        raise Unreadable(f"<{element} {name}>: event handlers are scripts and are not read")
    if name == "href":
        _check_link(element, value)
    elif "(" in value:
        if len(value) > MAX_CALL_CHARACTERS:
            raise Unreadable(
                f"<{element} {name}> has {len(value)} characters with function calls, limit {MAX_CALL_CHARACTERS}"
            )
        _check_css(f"<{element} {name}>", value)


def _check_link(element: str, value: str) -> None:
    """A link that a renderer would follow must stay in the document; `<a>` is only a place to click."""
    if _SCRIPT_URL.match(value):
        raise Unreadable(f"<{element} href>: script links are not read")
    target = value.strip()
    if element == "a" or not _leaves(target, any_file=element in _IMAGES):
        return
    raise Unreadable(f"<{element} href> points outside the document ({target[:60]!r}): external content is not read")


def _check_css(place: str, text: str) -> None:
    if _IMPORT.search(text):
        raise Unreadable(f"{place} imports a style sheet: external content is not read")
    outside = next((found for found in _URL.finditer(text) if _leaves(found.group(1), any_file=False)), None)
    if outside is not None:
        raise Unreadable(f"{place} has {outside.group()[:60]!r}: external content is not read")


def _leaves(target: str, *, any_file: bool) -> bool:
    """Whether a reference may lead out of the document; raster data inside it doesn't."""
    if not target or target.startswith("#") or _RASTER_DATA.match(target):
        return False
    return any_file or _OUTSIDE.search(target) is not None


def drawing_size(root: ET.Element) -> tuple[float, float]:
    """Width and height of a drawing in user units: its viewBox, else width and height, else 100 x 100.

    Always positive and at most 100,000.
    """
    box = re.split(r"[\s,]+", root.get("viewBox", "").strip())
    sides = box[2:] if len(box) == 4 else [root.get("width", ""), root.get("height", "")]
    width, height = (_side(text) for text in sides)
    return width, height


def _side(text: str) -> float:
    try:
        side = float(text.removesuffix("px"))
    except ValueError:
        return _DEFAULT_SIDE
    return min(side, _MAX_SIDE) if math.isfinite(side) and side > 0 else _DEFAULT_SIDE
