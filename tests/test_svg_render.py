"""Rendering in a child process: right pixels, refused content, limits on the canvas and on time."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image
import pytest

from editplan.errors import ConfigError, ImageError
from editplan.records import Part
from editplan.store import ImageStore
from editplan.svg_render import render_svg, rendered_part

SVG = 'xmlns="http://www.w3.org/2000/svg"'
HALF_RED = f'<svg {SVG} viewBox="0 0 20 10"><rect width="10" height="10" fill="#ff0000"/></svg>'


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(PIL.Image.open(io.BytesIO(png)).convert("RGB"))


def test_a_drawing_is_rendered_on_white_at_the_asked_size() -> None:
    drawing = render_svg(HALF_RED, long_side=40)
    shown = pixels(drawing.png)
    assert (drawing.width, drawing.height) == (40, 20)
    assert shown.shape == (20, 40, 3)
    assert shown[10, 5].tolist() == [255, 0, 0]
    assert shown[10, 35].tolist() == [255, 255, 255]


def test_a_document_without_namespace_or_view_box_is_rendered_too() -> None:
    plain = '<svg width="20" height="10"><rect width="10" height="10" fill="red"/></svg>'
    assert (pixels(render_svg(plain, long_side=20).png)[5, 2] == (255, 0, 0)).all()


def test_a_huge_canvas_is_scaled_down_and_a_thin_one_keeps_a_pixel() -> None:
    huge = render_svg(f'<svg {SVG} width="1e9" height="1e9"/>', long_side=64)
    thin = render_svg(f'<svg {SVG} viewBox="0 0 1 90000"/>', long_side=64)
    assert ((huge.width, huge.height), (thin.width, thin.height)) == ((64, 64), (1, 64))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f'<svg {SVG}><image href="/etc/hostname"/></svg>', "points outside the document"),
        ("<!DOCTYPE svg><svg/>", "DTD"),
        ("<svg", "not well-formed"),
    ],
)
def test_text_that_the_gate_refuses_is_not_rendered(text: str, reason: str) -> None:
    with pytest.raises(ImageError, match=reason):
        render_svg(text)


def test_a_use_bomb_ends_in_an_error() -> None:
    groups = "".join(f'<g id="a{n}">' + f'<use href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, 10))
    bomb = f'<svg {SVG}><g id="a0"><rect width="1" height="1"/></g>{groups}</svg>'
    with pytest.raises(ImageError, match="can't be rendered"):
        render_svg(bomb, timeout_s=5.0)


def test_time_runs_out_and_sizes_are_checked() -> None:
    with pytest.raises(ImageError, match=r"can't be rendered in 0\.001 s"):
        render_svg(HALF_RED, timeout_s=0.001)
    with pytest.raises(ConfigError, match="1 to 4096 pixels"):
        render_svg(HALF_RED, long_side=0)


def test_a_part_is_shown_as_its_rendering_and_pixels_stay_as_they_are() -> None:
    store = ImageStore()
    drawing = Part(media=store.add_svg(HALF_RED, width=20, height=10), label="Image 1")
    shown = rendered_part(drawing, store, long_side=40)
    assert (shown.media.kind, shown.media.width, shown.label) == ("png", 40, "Image 1")
    assert store[shown.media.sha256].array()[10, 5].tolist() == [255, 0, 0]
    assert rendered_part(shown, store) == shown
