"""Specs of the SVG editor."""

from __future__ import annotations

import pytest

from editplan.errors import SpecError
from editplan.specs import parse_spec
from editplan.svg_provider import build


def test_a_spec_names_the_text_model_with_its_server_and_options() -> None:
    editor = build(parse_spec("svg:compatible:writer@http://127.0.0.1:9/v1?ceiling=study&timeout_s=5"))
    assert editor.id == "svg:compatible:writer@http://127.0.0.1:9/v1?timeout_s=5#study"
    assert editor.capabilities.media == "svg"


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("svg:", "names no text model"),
        ("svg:compatible:writer@http://127.0.0.1:9/v1?ceiling=high", "there are: study, current"),
        ("svg:compatible:writer@http://127.0.0.1:9/v1?colour=red", "colour"),
        ("svg:nobody:writer", "nobody"),
    ],
)
def test_a_wrong_spec_says_what_is_known(spec: str, problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        build(parse_spec(spec))
