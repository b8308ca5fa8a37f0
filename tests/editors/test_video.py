"""`video:` takes the last frame of whatever clip it is given."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import PIL.Image
import pytest

from editplan.editors import resolve
from editplan.editors.clips import last_frame, write_clip
from editplan.editors.video import VideoEditor
from editplan.errors import BadReply, ConfigError, EditorError, SpecError, StoreError, Unsupported
from editplan.protocols import Editor
from editplan.records import Edited, EditJob, Part
from editplan.store import ImageStore
from editplan.testing import check_editor

COLOURS = [(220, 20, 20), (20, 200, 20), (20, 20, 220)]
SIZE = (64, 48)


def stills() -> list[PIL.Image.Image]:
    return [PIL.Image.new("RGB", SIZE, colour) for colour in COLOURS]


def animation(kind: str, **options: Any) -> bytes:
    first, *rest = stills()
    buffer = io.BytesIO()
    first.save(buffer, format=kind, save_all=True, append_images=rest, duration=40, **options)
    return buffer.getvalue()


def mp4(path: Path) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10.0, SIZE)
    for frame in stills():
        writer.write(cv2.cvtColor(np.asarray(frame), cv2.COLOR_RGB2BGR))
    writer.release()
    return path


def colour_of(png: bytes) -> tuple[float, ...]:
    with PIL.Image.open(io.BytesIO(png)) as picture:
        assert picture.mode == "RGB"
        assert picture.size == SIZE
        return tuple(np.asarray(picture).reshape(-1, 3).mean(axis=0))


async def edit(editor: Editor, **job: Any) -> tuple[Edited, ImageStore]:
    store = ImageStore()
    part = Part(media=store.add_picture(PIL.Image.new("RGB", SIZE, (255, 255, 255))))
    edited = await editor.edit(EditJob(**{"parts": (part,), "instruction": "Paint it.", "seed": 5, **job}), store)
    return edited, store


def test_the_last_frame_of_an_mp4(tmp_path: Path) -> None:
    last = last_frame(mp4(tmp_path / "clip.mp4"))
    assert last.frames == 3
    assert colour_of(last.png) == pytest.approx(COLOURS[-1], abs=12)


def test_an_mp4_as_bytes(tmp_path: Path) -> None:
    last = last_frame(mp4(tmp_path / "clip.mp4").read_bytes())
    assert colour_of(last.png) == pytest.approx(COLOURS[-1], abs=12)


@pytest.mark.parametrize(("kind", "options"), [("GIF", {}), ("WEBP", {"lossless": True})])
def test_the_last_frame_of_an_animation(kind: str, options: dict[str, Any]) -> None:
    last = last_frame(animation(kind, **options))
    assert last.frames == 3
    assert colour_of(last.png) == pytest.approx(COLOURS[-1], abs=2)


def test_a_last_frame_that_holds_only_what_changed_is_whole() -> None:
    first = PIL.Image.new("RGB", SIZE, (200, 200, 200))
    second = first.copy()
    second.paste((0, 0, 0), (0, 0, 8, 8))
    buffer = io.BytesIO()
    first.save(buffer, format="GIF", save_all=True, append_images=[second], duration=40, optimize=True)
    with PIL.Image.open(io.BytesIO(last_frame(buffer.getvalue()).png)) as picture:
        assert picture.getpixel((2, 2)) == pytest.approx((0, 0, 0), abs=2)
        assert picture.getpixel((60, 40)) == pytest.approx((200, 200, 200), abs=2)


@pytest.mark.parametrize("data", [b"", b"no clip at all", b"GIF89a", b"\0\0\0\x20ftypisom" + b"\0" * 64])
def test_what_is_no_clip_is_a_bad_image(data: bytes) -> None:
    with pytest.raises(BadReply) as failure:
        last_frame(data)
    assert failure.value.kind == "bad_image"


def test_a_written_clip_has_all_frames_and_makes_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "clip.mp4"
    write_clip(stills(), path, fps=10.0)
    assert last_frame(path).frames == 3


def test_a_clip_that_can_not_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="another keep_clip folder"):
        write_clip(stills(), tmp_path / "file" / "clip.mp4", fps=10.0)


async def test_a_clip_file_is_an_editor(tmp_path: Path) -> None:
    editor = resolve(f"video:{mp4(tmp_path / 'clip.mp4')}")
    edited, store = await edit(editor)
    assert colour_of(store[edited.media[0].sha256].png()) == pytest.approx(COLOURS[-1], abs=12)
    assert edited.notes == ("last of 3 frame(s)",)
    assert editor.capabilities.in_process
    await check_editor(editor)


def test_another_content_is_another_editor(tmp_path: Path) -> None:
    path = mp4(tmp_path / "clip.mp4")
    before = resolve(f"video:{path}").id
    path.write_bytes(animation("GIF"))
    assert resolve(f"video:{path}").id != before


async def test_a_function_of_a_file_gets_image_instruction_and_seed(tmp_path: Path) -> None:
    (tmp_path / "make.py").write_text(
        "def clip(image, instruction, seed):\n"
        "    assert instruction == 'Paint it.'\n"
        "    return [image, image.resize(image.size).point(lambda value: seed)]\n"
    )
    editor = resolve(f"video:{tmp_path / 'make.py'}:clip")
    edited, store = await edit(editor)
    assert colour_of(store[edited.media[0].sha256].png()) == (5.0, 5.0, 5.0)
    assert not editor.capabilities.in_process


@pytest.mark.parametrize(
    "clip",
    [
        stills(),
        np.stack([np.asarray(frame) for frame in stills()]),
        animation("GIF"),
    ],
    ids=["pictures", "array", "bytes"],
)
async def test_clips_of_all_kinds_are_taken(clip: Any) -> None:
    edited, store = await edit(VideoEditor(lambda image, instruction, seed: clip, editor_id="mine"))
    assert colour_of(store[edited.media[0].sha256].png()) == pytest.approx(COLOURS[-1], abs=2)


async def test_a_function_may_be_async_and_return_a_path(tmp_path: Path) -> None:
    path = mp4(tmp_path / "clip.mp4")

    async def make(image: Any, instruction: str, seed: int) -> str:
        return str(path)

    edited, _ = await edit(VideoEditor(make, editor_id="mine"))
    assert edited.usage.images_out == 1


async def test_an_own_video_editor_passes_the_conformance_suite() -> None:
    await check_editor(VideoEditor(lambda image, instruction, seed: [image], editor_id="mine"))


async def test_a_clip_without_frames_is_no_image() -> None:
    with pytest.raises(BadReply) as failure:
        await edit(VideoEditor(lambda image, instruction, seed: [], editor_id="mine"))
    assert failure.value.kind == "no_image"


async def test_a_path_that_is_not_there_is_no_image(tmp_path: Path) -> None:
    with pytest.raises(BadReply, match="No such file") as failure:
        await edit(VideoEditor(lambda image, instruction, seed: tmp_path / "absent.mp4", editor_id="mine"))
    assert failure.value.kind == "no_image"


async def test_another_return_type_is_the_functions_fault() -> None:
    with pytest.raises(EditorError, match="returned a int: a clip is a path, bytes"):
        await edit(VideoEditor(lambda image, instruction, seed: 3, editor_id="mine"))  # type: ignore[arg-type,return-value]


async def test_several_images_are_unsupported(tmp_path: Path) -> None:
    part = Part(media=ImageStore().add_picture(PIL.Image.new("RGB", SIZE)))
    with pytest.raises(Unsupported, match="takes one image"):
        await edit(resolve(f"video:{mp4(tmp_path / 'clip.mp4')}"), parts=(part, part))


@pytest.mark.parametrize(
    ("model", "error", "words"),
    [
        ("", SpecError, "names nothing"),
        ("absent.mp4", ConfigError, "there is no clip"),
        ("something", SpecError, "neither a clip"),
        ("no_such_module_here:make", ConfigError, "can't be imported"),
        ("json:no_such_function", ConfigError, "has no function 'no_such_function'"),
        ("absent.py:make", ConfigError, "there is no such file"),
    ],
)
def test_a_wrong_spec_is_an_error_before_the_run(model: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        resolve(f"video:{model}")
