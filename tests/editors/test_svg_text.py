"""The published extraction rule and token ceilings."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.editors.svg_text import TokenCeiling, extract_svg


@pytest.mark.parametrize(
    ("reply", "svg", "rule"),
    [
        ("<svg>a</svg>", "<svg>a</svg>", "inline"),
        ("Sure:\n<SVG>a</SVG> done <svg>b</svg>", "<SVG>a</SVG>", "inline"),
        ("x <svg>a</svg>\n```svg\n<svg>b</svg>\n```", "<svg>b</svg>", "fenced"),
        ("```xml <svg>b</svg>```", "<svg>b</svg>", "fenced"),
        ("```\n<svg>b</svg>\n```", "<svg>b</svg>", "fenced"),
        ("```html\n<svg>b</svg>\n```", "<svg>b</svg>", "inline"),
        ("```svg\n<svg>b</svg> and more", "<svg>b</svg>", "inline"),
        ("```svg\n<svg><svg/></svg></svg>\n```", "<svg><svg/></svg></svg>", "fenced"),
        ("  <svg>cut off ", "<svg>cut off", "whole"),
        ("  no ", "no", "whole"),
        ("", "", "whole"),
    ],
)
def test_extraction_follows_the_published_rule(reply: str, svg: str, rule: str) -> None:
    found = extract_svg(reply)
    assert (found.svg, found.rule) == (svg, rule)


PIECES = ("<svg>", "</svg>", "```", "svg", "xml", "\n", " ", "x", "</SVG>", "<svg ")


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_extraction_equals_the_rule_written_as_two_patterns(reply: str) -> None:
    fenced = re.search(r"```(?:svg|xml)?\s*(<svg[\s\S]*?</svg>)\s*```", reply, re.IGNORECASE)
    inline = re.search(r"(<svg[\s\S]*?</svg>)", reply, re.IGNORECASE)
    found = fenced or inline
    assert extract_svg(reply).svg == (found.group(1).strip() if found else reply.strip())


def test_a_nested_svg_is_cut_and_noted() -> None:
    found = extract_svg("<svg><svg></svg><rect/></svg>")
    assert (found.svg, found.cuts_nested) == ("<svg><svg></svg>", True)
    assert not extract_svg("<svg><svgs/></svg>").cuts_nested


@pytest.mark.parametrize("piece", ["```svg <svg>", "<svg", "```", "</svg> ", "```svg" + " " * 50])
def test_extraction_takes_linear_time(piece: str) -> None:
    started = time.process_time()
    extract_svg(piece * (1_000_000 // len(piece)))
    assert time.process_time() - started < 2.0


@pytest.mark.parametrize(
    ("characters", "study", "current"),
    [(0, 4_096, 8_192), (6_400, 4_096, 8_192), (13_665, 7_002, 8_880), (100_000, 16_000, 16_000)],
)
def test_token_ceilings(characters: int, study: int, current: int) -> None:
    source = "x" * characters
    assert TokenCeiling.STUDY.tokens(source) == study
    assert TokenCeiling.CURRENT.tokens(source) == current
