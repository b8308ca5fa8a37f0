"""A picture goes whole into a video model's frame and comes whole out of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editplan.editors import resolve
from editplan.editors.diffusers_padding import fit, pad, settled_bucket, size_within, unpad
from editplan.editors.diffusers_video import VIDEO_FAMILIES, VideoOptions, video_settings
from editplan.errors import ConfigError, SpecError

SIDES = st.integers(min_value=8, max_value=2000)
FRAMES = st.tuples(st.integers(4, 60), st.integers(4, 60)).map(lambda steps: (16 * steps[0], 16 * steps[1]))
BUCKETS = [(64 * across, 64 * down) for across in range(1, 17) for down in range(1, 17) if across * down <= 100]


def pick_rounded(size: tuple[int, int]) -> tuple[int, int]:
    """Picks by a rounded ratio from the side of the square, as the pipeline does: not every bucket picks itself."""
    ratio = size[1] / size[0]
    rounded = {bucket: round(bucket[1] / bucket[0], 3) for bucket in BUCKETS}
    if ratio >= 1:
        allowed = [bucket for bucket in BUCKETS if 1 <= rounded[bucket] <= ratio]
    else:
        allowed = [bucket for bucket in BUCKETS if 1 >= rounded[bucket] >= ratio]
    return min(allowed, key=lambda bucket: (abs(rounded[bucket] - ratio), -bucket[0] * bucket[1]))


@given(SIDES, SIDES, FRAMES)
def test_a_picture_lies_whole_and_centred_in_its_frame(width: int, height: int, frame: tuple[int, int]) -> None:
    fitted = fit((width, height), frame)
    left, top, right, bottom = fitted.box
    assert 0 <= left < right <= frame[0]
    assert 0 <= top < bottom <= frame[1]
    assert right - left == frame[0] or bottom - top == frame[1]
    assert abs(left - (frame[0] - right)) <= 1
    assert abs(top - (frame[1] - bottom)) <= 1
    scale = min(frame[0] / width, frame[1] / height)
    assert abs((right - left) - width * scale) <= 1
    assert abs((bottom - top) - height * scale) <= 1


@settings(max_examples=25)
@given(st.integers(20, 90), st.integers(20, 90), st.integers(0, 5), st.integers(0, 5))
def test_padding_and_unpadding_gives_the_same_pixels(width: int, height: int, more: int, higher: int) -> None:
    pixels = np.random.default_rng(width * height).integers(0, 256, (height, width, 3), dtype=np.uint8)
    picture = PIL.Image.fromarray(pixels)
    fitted = fit((width, height), (width + 2 * more * (higher == 0), height + 2 * higher))
    padded = pad(picture, fitted)
    assert padded.size == fitted.frame
    assert np.array_equal(np.asarray(unpad(padded, fitted)), pixels)


def test_the_border_repeats_the_edge() -> None:
    picture = PIL.Image.new("RGB", (40, 20), (9, 8, 7))
    padded = pad(picture, fit((40, 20), (40, 40)))
    assert padded.getcolors() == [(1600, (9, 8, 7))]


def test_a_frame_that_came_back_smaller_is_cut_in_proportion() -> None:
    fitted = fit((80, 40), (80, 80))
    assert unpad(PIL.Image.new("RGB", (40, 40)), fitted).size == (40, 20)


@given(SIDES, SIDES)
def test_a_settled_bucket_is_its_own(width: int, height: int) -> None:
    bucket = settled_bucket((width, height), pick_rounded)
    assert pick_rounded(bucket) == bucket


def test_some_buckets_are_not_their_own() -> None:
    assert any(pick_rounded(bucket) != bucket for bucket in map(pick_rounded, BUCKETS))


@given(SIDES, SIDES)
def test_a_free_frame_has_the_sources_shape_and_the_models_pixels(width: int, height: int) -> None:
    frame = size_within((width, height), 480 * 832, 16)
    assert frame[0] % 16 == frame[1] % 16 == 0
    if max(width, height) <= 3 * min(width, height):
        assert 0.8 * 480 * 832 < frame[0] * frame[1] <= 480 * 832
        content = fit((width, height), frame).content
        assert content[0] * content[1] > 0.9 * frame[0] * frame[1]


def test_the_models_own_shape_is_kept() -> None:
    assert size_within((1664, 960), 480 * 832, 16) == (832, 480)


def test_frames_must_be_one_more_than_a_multiple_of_four() -> None:
    family = VIDEO_FAMILIES["WanImageToVideoPipeline"]
    assert video_settings(family, VideoOptions()).frames == 81
    with pytest.raises(SpecError, match="4k\\+1 frames, for instance 81"):
        video_settings(family, VideoOptions(frames=82))


def test_a_key_that_the_class_lacks_is_refused() -> None:
    family = VIDEO_FAMILIES["HunyuanVideo15ImageToVideoPipeline"]
    with pytest.raises(SpecError, match="takes no guidance; it takes: steps, frames, negative_prompt"):
        video_settings(family, VideoOptions(guidance=3.0))
    with pytest.raises(SpecError, match="takes no size"):
        video_settings(family, VideoOptions(size="640x480"))


def test_an_image_pipeline_is_no_video_pipeline(tmp_path: Path) -> None:
    (tmp_path / "model_index.json").write_text(json.dumps({"_class_name": "Flux2Pipeline"}))
    with pytest.raises(ConfigError, match="Flux2Pipeline; known here: HunyuanVideo15"):
        resolve(f"diffusers-video:{tmp_path}")
