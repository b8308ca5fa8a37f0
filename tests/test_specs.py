"""Model spec strings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.errors import SpecError
from editplan.records import Record
from editplan.specs import ModelSpec, parse_spec, read_options

LOCAL = "http://localhost:8000/v1"
FREE = "google/gemini-2.5-flash:free"


@pytest.mark.parametrize(
    ("text", "provider", "model", "base_url", "options"),
    [
        ("embedded", "embedded", "", None, ()),
        ("embedded:raster?unparsed=refuse", "embedded", "raster", None, (("unparsed", "refuse"),)),
        ("embedded?max_side_px=512", "embedded", "", None, (("max_side_px", "512"),)),
        (f"compatible:qwen3-vl:8b@{LOCAL}", "compatible", "qwen3-vl:8b", LOCAL, ()),
        (f"compatible:{FREE}@{LOCAL}?a=1", "compatible", FREE, LOCAL, (("a", "1"),)),
        ("diffusers:/a@b/qwen?steps=4&dtype=f16", "diffusers", "/a@b/qwen", None, (("dtype", "f16"), ("steps", "4"))),
        ("comfyui:w.json@http://localhost:8188", "comfyui", "w.json", "http://localhost:8188", ()),
        ("compatible:m@http://u@h:1/v1", "compatible", "m", "http://u@h:1/v1", ()),
    ],
)
def test_parts_are_told_apart(
    text: str, provider: str, model: str, base_url: str | None, options: tuple[tuple[str, str], ...]
) -> None:
    assert parse_spec(text) == ModelSpec(provider=provider, model=model, base_url=base_url, options=options)


@given(
    st.builds(
        ModelSpec,
        provider=st.from_regex(r"[a-z][a-z0-9-]{0,8}", fullmatch=True),
        model=st.from_regex(r"[A-Za-z0-9/._:-]{0,20}", fullmatch=True),
        base_url=st.none() | st.just("http://localhost:8000/v1"),
        options=st.dictionaries(st.from_regex(r"[a-z_]{1,6}", fullmatch=True), st.text(max_size=8), max_size=3).map(
            lambda pairs: tuple(sorted(pairs.items()))
        ),
    )
)
def test_the_canonical_text_reads_back(spec: ModelSpec) -> None:
    assert parse_spec(str(spec)) == spec


@pytest.mark.parametrize("text", ["", ":x", "Two Words", "embedded?nonsense", "embedded?a=1&a=2"])
def test_what_is_no_spec_is_said(text: str) -> None:
    with pytest.raises(SpecError, match="spec"):
        parse_spec(text)


class _Options(Record):
    steps: int = 20
    fast: bool = False


def test_an_unknown_key_lists_the_known_ones() -> None:
    with pytest.raises(SpecError, match=r"unknown option 'step'.*fast, steps"):
        read_options(parse_spec("x:y?step=3"), _Options)


def test_values_are_typed() -> None:
    assert read_options(parse_spec("x:y?steps=3&fast=on"), _Options) == _Options(steps=3, fast=True)
    with pytest.raises(SpecError, match="option steps"):
        read_options(parse_spec("x:y?steps=many"), _Options)
