"""`agent.edit(..., finish=, region=, mask=)`: what a product user gets back."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import PIL.Image
import pytest
from numpy.typing import NDArray
from skimage import data

from editplan import ConfigError, EditAgent, EditJob, EditResult, Media, Status
from editplan.finish.settings import Finish
from editplan.protocols import Images
from editplan.records import Capabilities
from editplan.store import ImageStore
from editplan.testing import ScriptedEditor, ScriptedModel

Pixels = NDArray[np.uint8]
BOX = (0.5, 0.25, 0.6, 0.35)
MASKLESS = Capabilities(max_images=1, in_process=True)


class Careless:
    """Draws a red dot in the middle of where it is told to, and moves and tints everything."""

    def __init__(self, at: tuple[float, float], *, shift: tuple[float, float] = (2, 1), tint: int = 4) -> None:
        self.seen: list[tuple[int, int]] = []
        self._at, self._shift, self._tint = at, shift, tint

    def __call__(self, job: EditJob, images: Images) -> Media:
        pixels = images[job.parts[0].media.sha256].array().copy()
        height, width = pixels.shape[:2]
        self.seen.append((width, height))
        centre = (int(self._at[0] * width), int(self._at[1] * height))
        cv2.circle(pixels, centre, max(6, min(width, height) // 40), (255, 0, 0), -1)
        matrix = np.array([[1, 0, self._shift[0]], [0, 1, self._shift[1]]], np.float32)
        moved = cv2.warpAffine(pixels, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
        tinted = np.clip(moved.astype(int) + self._tint, 0, 255).astype(np.uint8)
        assert isinstance(images, ImageStore)
        return images.add_array(tinted)


def edited(source: Any, how: Careless, condition: str = "direct", **wishes: Any) -> EditResult:
    editor = ScriptedEditor(how, capabilities=MASKLESS)
    planner = wishes.pop("planner", None)
    with EditAgent(planner, editor, condition=condition) as agent:
        return agent.edit(source, "Put a red dot there.", **wishes)


def inside(shape: tuple[int, ...], box: tuple[float, float, float, float] = BOX) -> NDArray[np.bool_]:
    region = np.zeros(shape[:2], bool)
    height, width = shape[:2]
    region[int(box[1] * height) : int(box[3] * height) + 1, int(box[0] * width) : int(box[2] * width) + 1] = True
    return region


@pytest.fixture(scope="module")
def large() -> Pixels:
    """A photograph of 4000 × 1400 px."""
    return np.asarray(cv2.resize(data.coffee()[80:290], (4000, 1400), interpolation=cv2.INTER_CUBIC), np.uint8)


def test_without_finish_the_image_is_the_editors(tmp_path: Path) -> None:
    result = edited(data.astronaut(), Careless((0.55, 0.3)))
    assert result.preservation is None
    assert np.array_equal(np.asarray(result.image), np.asarray(result.raw_image))


def test_a_region_changes_nothing_outside_it_and_the_raw_image_stays() -> None:
    source = data.astronaut()
    result = edited(source, Careless((0.55, 0.3)), region=BOX)
    outside = ~inside(source.shape)
    assert np.array_equal(np.asarray(result.image)[outside], source[outside])
    assert result.preservation is not None
    assert result.preservation.changed_outside == 0.0
    assert (result.preservation.changed_outside_raw or 0.0) > 0.5
    assert not np.array_equal(np.asarray(result.raw_image), np.asarray(result.image))
    assert any("registered" in note for note in result.notes)


def test_a_mask_that_the_editor_takes_none_of_is_the_region() -> None:
    source = data.astronaut()
    mask = np.repeat(inside(source.shape)[..., None] * np.uint8(255), 3, axis=2)
    result = edited(source, Careless((0.55, 0.3)), mask=mask, finish=True)
    assert result.status is Status.OK
    assert np.array_equal(np.asarray(result.image)[mask[..., 0] == 0], source[mask[..., 0] == 0])
    assert any("takes no mask" in note for note in result.notes)
    refused = edited(source, Careless((0.55, 0.3)), mask=mask)
    assert refused.status is Status.UNSUPPORTED


def test_profile_exif_and_alpha_are_saved_with_it(tmp_path: Path) -> None:
    layers = np.dstack([data.astronaut(), np.full((512, 512), 255, np.uint8)])
    layers[:40, :40, 3] = 0
    exif = PIL.Image.Exif()
    exif[0x010E] = "a description"
    exif[0x0112] = 1
    path = tmp_path / "source.png"
    PIL.Image.fromarray(layers).save(path, exif=exif.tobytes(), icc_profile=b"profile bytes")
    result = edited(str(path), Careless((0.55, 0.3)), region=BOX)
    for name in ("out.png", "out.jpg", "out.webp"):
        with PIL.Image.open(result.save(tmp_path / name)) as saved:
            assert saved.info["icc_profile"] == b"profile bytes"
            assert saved.getexif()[0x010E] == "a description"
    with PIL.Image.open(tmp_path / "out.png") as saved:
        assert np.array_equal(np.asarray(saved)[~inside(layers.shape)], layers[~inside(layers.shape)])


def test_a_large_picture_is_edited_in_a_crop_at_its_own_resolution(large: Pixels) -> None:
    how = Careless((0.5, 0.5))
    result = edited(large, how, region=BOX, finish=Finish(native_region=True))
    assert how.seen == [(800, 512)]
    pixels = np.asarray(result.image)
    assert pixels.shape == large.shape
    outside = ~inside(large.shape)
    assert np.array_equal(pixels[outside], large[outside])
    centre = pixels[int(0.3 * 1400), int(0.55 * 4000)]
    assert centre[0] > 200
    assert centre[1:].max() < 60
    assert result.preservation is not None
    assert result.preservation.pasted
    assert result.preservation.changed_outside == 0.0
    assert result.preservation.crop == pytest.approx((0.45, 0.118, 0.65, 0.483), abs=0.01)
    assert result.raw_image is not None
    assert result.raw_image.size == (800, 512)
    assert not any("the input is" in note for note in result.notes)


@pytest.mark.parametrize(("fault", "words"), [({"shift": (60, 0)}, "shifted"), ({"tint": 70}, "seam")])
def test_a_crop_that_doesnt_fit_is_given_raw_with_a_note(large: Pixels, fault: dict[str, Any], words: str) -> None:
    result = edited(large, Careless((0.5, 0.5), **fault), region=BOX, finish=Finish(native_region=True))
    assert result.preservation is not None
    assert not result.preservation.pasted
    assert result.image is not None
    assert result.image.size == (800, 512)
    assert any(words in note and "crop" in note for note in result.notes)


def test_the_plan_is_made_on_the_whole_picture_and_names_the_crop(large: Pixels, answers: dict[str, Any]) -> None:
    planner = ScriptedModel(answers)
    how = Careless((0.5, 0.5))
    result = edited(large, how, "plan", planner=planner, finish=Finish(native_region=True))
    assert result.status is Status.OK, result.notes
    assert planner.asks[0].parts[0].media.width == 4000
    assert how.seen[0][0] < 4000
    assert len(result.calls.calls) == 3
    assert result.preservation is not None
    assert result.preservation.changed_outside in (0.0, None)
    assert result.preservation.crop is not None


def test_a_region_of_nearly_all_is_edited_whole(large: Pixels) -> None:
    how = Careless((0.5, 0.5))
    result = edited(large, how, region=(0.05, 0.05, 0.95, 0.95), finish=Finish(native_region=True))
    assert how.seen == [(4000, 1400)]
    assert result.preservation is not None
    assert result.preservation.crop is None


@pytest.mark.parametrize("wishes", [{"region": (0.5, 0.5, 0.4, 0.9)}, {"region": BOX, "finish": False}])
def test_a_region_that_is_none_is_a_config_error(wishes: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="region"):
        edited(data.astronaut(), Careless((0.5, 0.5)), **wishes)


def test_the_agents_finish_holds_for_each_request_that_sets_none() -> None:
    source = io.BytesIO()
    PIL.Image.fromarray(data.astronaut()).save(source, format="PNG")
    editor = ScriptedEditor(Careless((0.55, 0.3)), capabilities=MASKLESS)
    with EditAgent(None, editor, condition="direct", finish=Finish(region=BOX)) as agent:
        kept = agent.edit(source.getvalue(), "Put a red dot there.")
        raw = agent.edit(source.getvalue(), "Put a red dot there.", finish=False)
    assert kept.preservation is not None
    assert raw.preservation is None
