"""On photographs: untouched pixels stay, a bad fit is refused and never passed off as an edit."""

from __future__ import annotations

import io
from typing import Any

import cv2
import numpy as np
import PIL.Image
import pytest
from numpy.typing import NDArray
from skimage import data

from editplan.errors import ConfigError
from editplan.finish.give_back import GivenBack, finish
from editplan.finish.settings import Finish
from editplan.records import (
    EditRequest,
    Evidence,
    EvidenceSource,
    Outcome,
    Part,
    Plan,
    Status,
    Transition,
)
from editplan.store import ImageStore

BOX = (0.3, 0.3, 0.5, 0.5)
Pixels = NDArray[np.uint8]


def _file(pixels: Pixels, **options: Any) -> bytes:
    buffer = io.BytesIO()
    PIL.Image.fromarray(pixels).save(buffer, format="PNG", **options)
    return buffer.getvalue()


def _edit(
    source: Pixels,
    *,
    shift: tuple[float, float] = (0, 0),
    tint: int = 0,
    zoom: float = 1.0,
    size: float = 1.0,
) -> Pixels:
    """What a learned editor does: a dot in BOX, and all else a little moved, tinted and rescaled."""
    height, width = source.shape[:2]
    centre = (int(0.4 * width), int(0.4 * height))
    drawn = cv2.circle(source.copy(), centre, int(0.06 * height), (255, 0, 0), -1)
    matrix = np.array([[zoom, 0, shift[0]], [0, zoom, shift[1]]], np.float32)
    moved = cv2.warpAffine(drawn, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
    tinted = np.clip(moved.astype(int) + tint, 0, 255).astype(np.uint8)
    target = (round(width * size), round(height * size))
    return np.asarray(cv2.resize(tinted, target, interpolation=cv2.INTER_AREA), np.uint8)


def _finish(
    original: bytes, output: Pixels, settings: Finish, *, plan: Plan | None = None, mask: Pixels | None = None
) -> GivenBack:
    images = ImageStore()
    media, _, _ = images.add(original)
    chosen = images.add_array(mask) if mask is not None else None
    request = EditRequest(case_id="c", parts=(Part(media=media),), goal="Add a dot.", mask=chosen)
    outcome = Outcome(status=Status.OK, media=images.add_array(output), plan=plan)
    return finish(outcome, request, original, images, settings)


def _outside(height: int, width: int) -> NDArray[np.bool_]:
    outside = np.ones((height, width), bool)
    outside[int(0.3 * height) : int(0.5 * height) + 1, int(0.3 * width) : int(0.5 * width) + 1] = False
    return outside


@pytest.mark.parametrize("photograph", ["astronaut", "coffee", "chelsea", "rocket"])
def test_shifted_tinted_and_rescaled_output_leaves_no_pixel_changed_outside_the_region(photograph: str) -> None:
    source: Pixels = getattr(data, photograph)()
    output = _edit(source, shift=(3, 2), tint=4, size=0.7)
    back = _finish(_file(source), output, Finish(region=BOX))
    assert back.preservation.pasted
    assert back.preservation.changed_outside == 0.0
    assert (back.preservation.changed_outside_raw or 0) > 0.5
    pixels = np.asarray(back.image)
    outside = _outside(*source.shape[:2])
    assert np.array_equal(pixels[outside], source[outside])
    centre = pixels[int(0.4 * source.shape[0]), int(0.4 * source.shape[1])]
    assert centre[0] > 200
    assert centre[1:].max() < 60


@pytest.mark.parametrize(("fault", "words"), [({"shift": (40, 0)}, "shifted"), ({"tint": 60}, "seam")])
def test_a_bad_fit_gives_the_raw_image_with_a_note(fault: dict[str, Any], words: str) -> None:
    source = data.astronaut()
    output = _edit(source, **fault)
    back = _finish(_file(source), output, Finish(region=BOX))
    assert not back.preservation.pasted
    assert back.preservation.changed_outside is None
    assert any(words in note and "raw output" in note for note in back.notes)
    assert np.array_equal(np.asarray(back.image), output)


def test_an_unrelated_picture_is_not_pasted() -> None:
    source = data.astronaut()
    other = cv2.resize(data.coffee(), (512, 512))
    assert not _finish(_file(source), other, Finish(region=BOX)).preservation.pasted


def test_an_output_that_is_exact_outside_is_taken_as_it_is() -> None:
    flat = np.full((200, 300, 3), 90, np.uint8)
    output = flat.copy()
    output[70:90, 100:120] = (255, 0, 0)
    back = _finish(_file(flat), output, Finish(region=BOX))
    assert np.array_equal(np.asarray(back.image), output)
    assert back.preservation.shift_px == 0.0


def test_alpha_profile_and_exif_come_back_and_the_orientation_is_spent() -> None:
    layers = np.zeros((100, 200, 4), np.uint8)
    layers[..., :3] = (10, 120, 200)
    layers[:, 100:, 3] = 255
    exif = PIL.Image.Exif()
    exif[0x0112] = 1
    exif[0x010E] = "a description"
    original = _file(layers, exif=exif.tobytes(), icc_profile=b"profile bytes")
    shown = np.full((100, 200, 3), 255, np.uint8)
    shown[:, 100:] = (10, 120, 200)
    shown[40:45, 70:80] = (255, 0, 0)
    back = _finish(original, shown, Finish(region=BOX))
    answer = np.asarray(back.image)
    assert back.image.mode == "RGBA"
    assert tuple(answer[42, 75]) == (255, 0, 0, 255)
    outside = _outside(100, 200)
    assert np.array_equal(answer[outside], layers[outside])
    buffer = io.BytesIO()
    back.image.save(buffer, format="PNG", exif=back.image.info["exif"])
    again = PIL.Image.open(buffer)
    assert again.info["icc_profile"] == b"profile bytes"
    assert again.getexif()[0x010E] == "a description"
    assert 0x0112 not in again.getexif()


def _plan(box: tuple[float, float, float, float] | None) -> Plan:
    claims = (
        Evidence(claim_id="e1", claim="the dot goes here", source=EvidenceSource.BINDING, bbox=box),
        Evidence(claim_id="e2", claim="keep", source=EvidenceSource.PRESERVATION, bbox=(0.8, 0.8, 0.9, 0.9)),
    )
    z1 = Transition(transition_id="z1", supporting_claim_ids=("e1", "e2"))
    return Plan(evidence=claims, candidates=(z1,), selected="z1", instruction="Add a dot.")


def test_the_plans_boxes_are_the_region_and_preserved_things_are_not() -> None:
    source = data.astronaut()
    back = _finish(_file(source), _edit(source, shift=(2, 1)), Finish(), plan=_plan(BOX))
    assert back.preservation.pasted
    assert len(back.preservation.region) == 1
    x1, _, x2, _ = back.preservation.region[0]
    assert (x1, x2) == pytest.approx((0.285, 0.515))


def test_a_plan_without_boxes_gives_the_output_and_says_so() -> None:
    source = data.astronaut()
    back = _finish(_file(source), _edit(source, size=0.5), Finish(), plan=_plan(None))
    assert not back.preservation.pasted
    assert any("names no box" in note for note in back.notes)
    assert back.image.size == (512, 512)


def test_the_requests_mask_is_the_region_and_an_empty_one_is_an_error() -> None:
    source = data.astronaut()
    mask = np.zeros_like(source)
    mask[150:260, 150:260] = 255
    back = _finish(_file(source), _edit(source, shift=(2, 0)), Finish(region="mask"), mask=mask)
    assert np.array_equal(np.asarray(back.image)[mask[..., 0] == 0], source[mask[..., 0] == 0])
    with pytest.raises(ConfigError, match="selects nothing"):
        _finish(_file(source), source, Finish(region="mask"), mask=np.zeros_like(source))
