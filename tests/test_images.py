"""Any picture file in, canonical RGB out; what can't be read is a clear error."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np
import PIL.Image
import pytest

from editplan.errors import ImageError
from editplan.images import canonicalise, encode_png, load_bytes


def _file(picture: PIL.Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, format=kind, **options)
    return buffer.getvalue()


def _huge_png_header() -> bytes:
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def test_transparent_pixels_show_the_matte_and_not_the_colour_under_them() -> None:
    picture = PIL.Image.new("RGBA", (4, 4), (255, 0, 0, 0))
    canonical = canonicalise(_file(picture))
    assert canonical.image.getpixel((0, 0)) == (255, 255, 255)
    assert any("transparency" in note for note in canonical.notes)


def test_16_bit_grey_keeps_its_greys() -> None:
    values = np.linspace(0, 65535, 64, dtype=np.uint16).reshape(8, 8)
    pixels = np.asarray(canonicalise(_file(PIL.Image.fromarray(values))).image)
    assert np.abs(pixels[..., 0].astype(int) - (values >> 8)).max() <= 1


def test_exif_orientation_is_applied_once_and_dropped() -> None:
    picture = PIL.Image.new("RGB", (6, 2), "white")
    picture.putpixel((0, 0), (255, 0, 0))
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    canonical = canonicalise(_file(picture, "PNG", exif=exif.tobytes()))
    assert canonical.image.size == (2, 6)
    assert canonical.image.getpixel((1, 0)) == (255, 0, 0)
    again = canonicalise(encode_png(canonical.image))
    assert again.image.size == (2, 6)
    assert again.notes == ()


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK"])
def test_every_mode_becomes_rgb(mode: str) -> None:
    picture = PIL.Image.new("RGB", (5, 7), (10, 200, 30)).convert(mode)
    kind = "TIFF" if mode == "CMYK" else "PNG"
    canonical = canonicalise(_file(picture, kind))
    assert canonical.image.mode == "RGB"
    assert canonical.image.size == (5, 7)


def test_frame_0_of_an_animation_is_taken_with_a_note() -> None:
    frames = [PIL.Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    data = _file(frames[0], "GIF", save_all=True, append_images=frames[1:])
    canonical = canonicalise(data)
    assert canonical.image.getpixel((3, 3)) == (254, 0, 0) or canonical.image.getpixel((3, 3)) == (255, 0, 0)
    assert any("2 frames" in note for note in canonical.notes)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"this is text with the name of a picture", "no picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (_file(PIL.Image.effect_noise((64, 64), 50))[:300], "truncated"),
        (_huge_png_header(), "over the limit"),
        (b"\x89PNG\r\n\x1a\nrubbish", "a.png"),
    ],
    ids=["empty", "text", "svg", "truncated", "bomb", "damaged"],
)
def test_bytes_that_are_no_picture_are_named(data: bytes, words: str) -> None:
    with pytest.raises(ImageError, match=words) as caught:
        canonicalise(data, name="a.png")
    assert "a.png" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_equal_pixels_give_equal_bytes_whatever_the_file() -> None:
    picture = PIL.Image.effect_noise((33, 21), 60).convert("RGB")
    files = [_file(picture, "PNG", compress_level=level) for level in (0, 9)] + [_file(picture, "BMP")]
    assert len({encode_png(canonicalise(data).image) for data in files}) == 1


def test_sources_of_all_kinds_are_read(tmp_path: Any) -> None:
    picture = PIL.Image.new("RGB", (3, 3), "teal")
    path = tmp_path / "t.png"
    picture.save(path)
    expected = np.asarray(picture)
    for source in (path, str(path), path.read_bytes(), picture, expected):
        assert np.array_equal(np.asarray(canonicalise(load_bytes(source)).image), expected)


def test_a_missing_file_and_a_foreign_object_are_image_errors(tmp_path: Any) -> None:
    with pytest.raises(ImageError, match=r"nowhere.png.*check the path"):
        load_bytes(tmp_path / "nowhere.png")
    with pytest.raises(ImageError, match="float64"):
        load_bytes(np.zeros((4, 4)))
    with pytest.raises(ImageError, match="int"):
        load_bytes(7)
