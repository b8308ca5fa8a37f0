"""The hardened door for SVG: hostile text ends in one precise sentence, quickly; harmless text gets in."""

from __future__ import annotations

import time

import pytest

from editplan.svg_source import MAX_DEPTH, drawing_size, local_name, parse

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
BOMB = "<!DOCTYPE svg [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
    f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(9)
)

HOSTILE = {
    "a DTD": ("<!DOCTYPE svg>" + HEAD + "</svg>", "DTD"),
    "an entity bomb": (BOMB + "]>" + HEAD + "<text>&j;</text></svg>", "DTD"),
    "a quadratic entity": (f"<!DOCTYPE svg [<!ENTITY a '{'a' * 100_000}'>]>{HEAD}{'&a;' * 10_000}</svg>", "DTD"),
    "an external entity": (f"<!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>{HEAD}&x;</svg>", "DTD"),
    "an undeclared entity": (HEAD + "&nbsp;</svg>", "not well-formed XML: undefined entity"),
    "a script": (HEAD + "<script>alert(1)</script></svg>", "<script>: scripts"),
    "an event handler": (HEAD + '<rect onclick="x()"/></svg>', "<rect onclick>: event handlers"),
    "a script link": (HEAD + '<a href=" javascript:x()"/></svg>', "<a href>: script links"),
    "a remote image": (HEAD + '<image href="http://x.test/a.png"/></svg>', "<image href> points outside"),
    "a local file": (HEAD + '<image xlink:href="/etc/passwd"/></svg>', "<image href> points outside"),
    "a nested document": (HEAD + '<image href="data:image/svg+xml;base64,PHN2Zy8+"/></svg>', "points outside"),
    "a file by its bare name": (HEAD + '<image href="secret"/></svg>', "<image href> points outside"),
    "another file's part": (HEAD + '<use href="other.svg#a"/></svg>', "<use href> points outside"),
    "a remote paint": (
        HEAD + '<rect fill="url( http://x.test/#a )"/></svg>',
        "<rect fill> has 'url( http://x.test/#a'",
    ),
    "a quoted remote paint": (HEAD + "<rect style=\"fill:url('//x.test/a')\"/></svg>", "<rect style> has"),
    "an import": (HEAD + "<style>@import url(http://x.test/a.css);</style></svg>", "<style> imports"),
    "a remote font": (HEAD + "<style>@font-face{src:url(http://x.test/f)}</style></svg>", "<style> has"),
    "a frame": (HEAD + '<foreignObject><iframe src="http://x.test"/></foreignObject></svg>', "<iframe> embeds"),
    "deep nesting": (HEAD + "<g>" * 20_000 + "</g>" * 20_000 + "</svg>", f"more than {MAX_DEPTH} deep"),
    "a wide tree": (HEAD + "<g/>" * 200_000 + "</svg>", "more than 50000 elements"),
    "a 10 MB path": (HEAD + '<path d="M0 0' + "L1 1" * 2_500_000 + '"/></svg>', "the limit is 1000000 bytes"),
    "many bytes in few characters": (HEAD + "<text>" + "水" * 400_000 + "</text></svg>", "has 1200"),
    "half a character": (HEAD + "\ud800</svg>", "surrogate"),
    "a NUL": (HEAD + "\x00</svg>", "not well-formed"),
    "a long function list": (HEAD + f'<g transform="{"scale(1)" * 9_000}"/></svg>', "function calls"),
    "nested references": (HEAD + f'<g x="{"url(#" * 150_000}"/></svg>', "function calls"),
    "a long style sheet": (HEAD + f"<style>{'#' * 30_000}</style></svg>", "longer than 20000"),
    "no XML": ("I'm sorry, I can't.", "not well-formed"),
    "nothing": ("", "not well-formed"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_ends_in_a_precise_reason_within_a_second(name: str) -> None:
    text, reason = HOSTILE[name]
    started = time.process_time()
    root, found = parse(text)
    assert root is None
    assert found is not None
    assert reason in found
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize(
    "text",
    [
        "<svg/>",
        "\ufeff<svg/>",
        '<?xml version="1.0" encoding="UTF-16"?><svg/>',
        "<svg><!-- <!DOCTYPE svg> --></svg>",
        "<svg><text><![CDATA[<!DOCTYPE svg [<!ENTITY a 'b'>]>]]></text></svg>",
        '<svg><a href="https://example.test"/><use href="#a"/><rect fill="url(\'#a\')" on="1"/></svg>',
        '<svg><use href="a"/><rect fill="url(a)" filter="url( )"/></svg>',
        '<svg><image href="data:image/png;base64,AAAA"/></svg>',
        "<svg><style>rect{fill:url(#a);background:url(data:image/png;base64,AA)}</style></svg>",
        "<svg>" + "<g>" * (MAX_DEPTH - 1) + "</g>" * (MAX_DEPTH - 1) + "</svg>",
    ],
)
def test_harmless_text_gets_in(text: str) -> None:
    root, reason = parse(text)
    assert reason is None
    assert root is not None
    assert local_name(root.tag) == "svg"


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('viewBox="0 0 220 140"', (220, 140)),
        ('viewBox="0,0,220,140" width="5"', (220, 140)),
        ('width="30px" height="40"', (30, 40)),
        ('width="100%"', (100, 100)),
        ('width="-3" height="nan"', (100, 100)),
        ('width="1e12" height="2"', (100_000, 2)),
    ],
)
def test_size_of_a_drawing(attributes: str, size: tuple[float, float]) -> None:
    root, _ = parse(f"<svg {attributes}/>")
    assert root is not None
    assert drawing_size(root) == size
