"""Image-to-video pipelines, tiny and random: the last frame of a padded clip, un-padded."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import PIL.Image
import pytest

from editplan.cli import main
from editplan.editors import resolve
from editplan.editors.diffusers_padding import settled_bucket
from editplan.records import EditJob, Part
from editplan.store import ImageStore
from editplan.testing import check_editor

pytestmark = pytest.mark.local

Folders = Callable[[str], Path]
OPTIONS = {
    "HunyuanVideo15ImageToVideoPipeline": "steps=1&frames=5",
    "WanImageToVideoPipeline": "steps=1&frames=5&size=64x48",
}


def spec_of(folder_of: Folders, name: str, more: str = "") -> str:
    return f"diffusers-video:{folder_of(name)}?{OPTIONS[name]}{more}"


def shape_of(width: int, height: int) -> float:
    return width / height


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_the_command_line_answers_with_the_last_frame_in_the_sources_shape(
    folder_of: Folders,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    source, out, clips = tmp_path / "source.png", tmp_path / "edited.png", tmp_path / "clips"
    PIL.Image.new("RGB", (300, 110), (200, 30, 30)).save(source)
    words = ["editplan", "edit", str(source), "--goal", "Paint it blue.", "--condition", "direct", "--json"]
    spec = spec_of(folder_of, name, f"&keep_clip={clips}")
    monkeypatch.setattr(sys, "argv", [*words, "--out", str(out), "--editor", spec])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    document = json.loads(capsys.readouterr().out)
    assert document["status"] == "ok"
    assert any("last of 5 frames" in note for note in document["notes"])
    with PIL.Image.open(out) as edited:
        height_at_source_shape = edited.width * 110 / 300
        assert abs(edited.height - height_at_source_shape) <= 1
    (clip,) = clips.glob("*.mp4")
    assert frames_of(clip) == 5


def frames_of(path: Path) -> int:
    capture = cv2.VideoCapture(str(path))
    count = 0
    while capture.read()[0]:
        count += 1
    capture.release()
    return count


@pytest.mark.parametrize("name", sorted(OPTIONS))
async def test_a_class_passes_the_conformance_suite(folder_of: Folders, name: str) -> None:
    edited = await check_editor(resolve(spec_of(folder_of, name)))
    media = edited.media[0]
    assert shape_of(media.width, media.height) == pytest.approx(64 / 48, rel=0.05)


@pytest.mark.parametrize("name", sorted(OPTIONS))
async def test_equal_seeds_give_equal_frames_and_other_seeds_others(folder_of: Folders, name: str) -> None:
    editor = resolve(spec_of(folder_of, name))
    store = ImageStore()
    part = Part(media=store.add_picture(PIL.Image.new("RGB", (80, 60), (10, 200, 30))))
    made = [
        (await editor.edit(EditJob(parts=(part,), instruction="Paint it blue.", seed=seed), store)).media
        for seed in (1, 1, 2)
    ]
    assert made[0] == made[1] != made[2]


def test_keeping_a_clip_is_no_other_editor(folder_of: Folders, tmp_path: Path) -> None:
    name = "WanImageToVideoPipeline"
    assert resolve(spec_of(folder_of, name)).id == resolve(spec_of(folder_of, name, f"&keep_clip={tmp_path}")).id


@pytest.mark.parametrize("target", [64, 640, 960])
def test_a_picture_padded_to_its_bucket_is_not_cropped_by_the_pipeline(target: int) -> None:
    from diffusers.pipelines.hunyuan_video1_5.image_processor import HunyuanVideo15ImageProcessor

    processor = HunyuanVideo15ImageProcessor(vae_scale_factor=16)

    def pick(size: tuple[int, int]) -> tuple[int, int]:
        height, width = processor.calculate_default_height_width(size[1], size[0], target)
        return int(width), int(height)

    moved = 0
    for width in range(64, 2000, 113):
        for height in (64, 480, 720, 1000):
            bucket = settled_bucket((width, height), pick)
            assert pick(bucket) == bucket
            moved += bucket != pick((width, height))
    assert moved or target == 64, "no bucket moves: the rule could be dropped"
