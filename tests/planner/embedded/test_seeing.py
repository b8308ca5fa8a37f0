"""Downsampling, flattening, crops, and putting them back together."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import PIL.Image
import pytest

from editplan.planner.crops import cut
from editplan.planner.embedded.flatten import flattened
from editplan.planner.embedded.glyphs import DIGITS, LETTERS, read_character
from editplan.planner.embedded.solvers.registry import inspect_goal
from editplan.planner.embedded.view import downsampled, look
from editplan.planner.labels import labelled
from editplan.records import Ask, EditRequest, Part
from editplan.store import ImageStore

GOAL = "Remove the 2nd largest red circle."


def _crowd(sheet: Callable[..., object]) -> np.ndarray:
    made = sheet(1024, 1024)
    for number in range(8):
        made.disc(120 + 130 * (number % 7), 150 + 210 * (number // 2), 20 + 3 * number, (255, 0, 0))
    return np.asarray(made.picture)


def _stored(picture: np.ndarray, store: ImageStore) -> EditRequest:
    buffer = io.BytesIO()
    PIL.Image.fromarray(picture).save(buffer, format="PNG")
    media, _, _ = store.add(buffer.getvalue())
    return EditRequest(case_id="x", parts=(Part(media=media),), goal=GOAL, language="en")


def test_a_picture_is_seen_at_most_512_pixels_long() -> None:
    assert downsampled(np.zeros((300, 2048, 3), np.uint8), 512).shape == (75, 512, 3)
    assert downsampled(np.zeros((300, 400, 3), np.uint8), 512).shape == (300, 400, 3)


def test_crops_give_back_the_pixels_of_the_file(sheet: Callable[..., object]) -> None:
    picture, store = _crowd(sheet), ImageStore()
    request = _stored(picture, store)
    overview = look(Ask(task="t", prompt_id="p", text="", parts=labelled(request)), store, 512)
    wanted = inspect_goal(GOAL, overview).visual_queries
    assert 1 <= len(wanted) <= 6
    crops = cut(request, wanted, store, 6)
    view = look(Ask(task="t", prompt_id="p", text="", parts=labelled(request, crops)), store, 512)
    assert view.size == (1024, 1024)
    for shape in view.scene.shapes:
        assert view.crop_of(shape.box) is not None
    assert np.array_equal(view.canvas == (255, 0, 0), picture == (255, 0, 0))


def test_a_small_picture_needs_no_crop(sheet: Callable[..., object]) -> None:
    made = sheet(400, 400)
    made.disc(100, 100, 30, (255, 0, 0)).disc(250, 250, 40, (255, 0, 0))
    assert inspect_goal(GOAL, made.view()).visual_queries == ()


def test_mixed_rims_get_the_colour_of_a_side(sheet: Callable[..., object]) -> None:
    seen = downsampled(_crowd(sheet), 512)
    assert len(np.unique(seen.reshape(-1, 3), axis=0)) > 2
    assert len(np.unique(flattened(seen).reshape(-1, 3), axis=0)) == 2


def test_texture_stays_as_it_is() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3)).astype(np.uint8)
    assert np.array_equal(flattened(noise), noise)


@pytest.mark.parametrize("character", list("ABCDEFH") + list("0123456789"))
def test_printed_characters_are_read(character: str, sheet: Callable[..., object]) -> None:
    made = sheet(64, 64)
    made.text(character, 16, 48)
    alphabet = DIGITS if character.isdigit() else LETTERS
    assert read_character((made.picture == 0).all(axis=-1), alphabet) == character


def test_a_blot_is_no_character() -> None:
    assert read_character(np.ones((20, 80), dtype=bool)) is None
