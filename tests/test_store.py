"""Images are files by hash, durable and checked."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from editplan.errors import StoreError
from editplan.store import ImageStore


def _jpeg() -> bytes:
    buffer = io.BytesIO()
    PIL.Image.effect_noise((40, 30), 80).convert("RGB").save(buffer, format="JPEG")
    return buffer.getvalue()


@pytest.mark.parametrize("on_disk", [False, True])
def test_raw_bytes_and_canonical_image_are_both_kept(tmp_path: Path, on_disk: bool) -> None:
    store = ImageStore(tmp_path if on_disk else None)
    data = _jpeg()
    media, raw, _ = store.add(data)
    assert store.read(raw) == data
    assert store[media.sha256].array().shape == (30, 40, 3)
    assert (media.width, media.height) == (40, 30)
    assert media.sha256 in store
    assert "0" * 64 not in store


def test_equal_pixels_are_stored_once(tmp_path: Path) -> None:
    store = ImageStore(tmp_path)
    picture = PIL.Image.open(io.BytesIO(_jpeg()))
    assert store.add_picture(picture) == store.add_array(np.asarray(picture))
    assert len(list(tmp_path.rglob("*.png"))) == 1


def test_a_store_reads_what_an_earlier_one_wrote(tmp_path: Path) -> None:
    media, _, _ = ImageStore(tmp_path).add(_jpeg())
    again = ImageStore(tmp_path)[media.sha256]
    assert again.media == media
    assert again.pil().size == (40, 30)


def test_a_half_written_file_is_not_taken_for_an_image(tmp_path: Path) -> None:
    media, _, _ = ImageStore(tmp_path).add(_jpeg())
    path = ImageStore(tmp_path).path(media.sha256)
    assert path is not None
    path.rename(path.parent / f".{path.name}.1-1.part")
    assert media.sha256 not in ImageStore(tmp_path)


def test_a_changed_file_is_an_error(tmp_path: Path) -> None:
    media, _, _ = ImageStore(tmp_path).add(_jpeg())
    path = ImageStore(tmp_path).path(media.sha256)
    assert path is not None
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(StoreError, match="changed after it was stored"):
        ImageStore(tmp_path).read(media.sha256)


def test_arrays_can_not_be_written_to() -> None:
    store = ImageStore()
    pixels = store[store.add(_jpeg())[0].sha256].array()
    with pytest.raises(ValueError, match="read-only"):
        pixels[0, 0, 0] = 1


def test_a_folder_that_can_not_be_made_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="choose another folder"):
        ImageStore(tmp_path / "file" / "images")


def test_a_drawing_of_an_earlier_session_is_found_by_its_hash(tmp_path: Path) -> None:
    text = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 30'/>"
    kept = ImageStore(tmp_path).add_svg(text, width=40, height=30)
    broken = ImageStore(tmp_path).add_svg("no drawing at all", width=5, height=5)
    later = ImageStore(tmp_path)
    assert later[kept.sha256].media == kept
    assert later[kept.sha256].png().decode() == text
    assert later[broken.sha256].media.kind == "svg"
