"""One canonicaliser for planner, editors and judge: any picture file in, an 8-bit RGB picture out.

Canonical means: EXIF orientation applied and dropped, alpha composited on a matte, 16-bit scaled down,
CMYK / palette / grey converted, frame 0 of an animation, no metadata. Each change is said in a note.
"""

from __future__ import annotations

import hashlib
import io
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from editplan.errors import ImageError

if TYPE_CHECKING:
    from pathlib import Path

    from PIL.Image import Image

MAX_PIXELS = 100_000_000
"""Larger pictures are refused before they are decoded."""

MATTE = (255, 255, 255)
"""What shows through transparent pixels."""

_MAGIC = {
    b"\x89PNG\r\n\x1a\n": "png",
    b"\xff\xd8\xff": "jpg",
    b"GIF8": "gif",
    b"BM": "bmp",
    b"II*\x00": "tiff",
    b"MM\x00*": "tiff",
}


@dataclass(frozen=True)
class Canonical:
    """A decoded picture in canonical form."""

    image: Image
    notes: tuple[str, ...]


def sha256_hex(data: bytes) -> str:
    """The SHA-256 of bytes, hex."""
    return hashlib.sha256(data).hexdigest()


def sniff(data: bytes) -> str:
    """The file type by its first bytes: png, jpg, gif, bmp, tiff, webp, svg or "" for none of them."""
    for magic, name in _MAGIC.items():
        if data.startswith(magic):
            return name
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return "svg" if head.startswith((b"<svg", b"<?xml")) and b"<svg" in data[:4096].lower() else ""


def canonicalise(data: bytes, *, name: str = "image", max_pixels: int = MAX_PIXELS) -> Canonical:
    """Decodes `data` into canonical RGB.

    Raises `ImageError` that names the file: empty, no picture, truncated, or more than `max_pixels`.
    """
    if not data:
        raise ImageError(f"{name} is empty (0 bytes): give a PNG, JPEG, WebP, GIF, BMP or TIFF file")
    kind = sniff(data)
    if kind in {"", "svg"}:
        what = "an SVG drawing" if kind == "svg" else f"no picture (it begins with {data[:12]!r})"
        raise ImageError(f"{name} is {what}: give a PNG, JPEG, WebP, GIF, BMP or TIFF file")
    return _decode(data, name, max_pixels)


def _decode(data: bytes, name: str, max_pixels: int) -> Canonical:
    import PIL.Image
    from PIL import UnidentifiedImageError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            picture = PIL.Image.open(io.BytesIO(data))
            width, height = picture.size
            if width * height > max_pixels:
                raise ImageError(
                    f"{name} has {width} × {height} pixels, over the limit of {max_pixels:,}: scale it down first"
                )
            picture.seek(0)
            picture.load()
            return _to_rgb(picture)
        except PIL.Image.DecompressionBombError as error:
            raise ImageError(f"{name} is over the limit of {max_pixels:,} pixels: scale it down first") from error
        except UnidentifiedImageError as error:
            raise ImageError(f"{name} can't be decoded: its content is damaged or of another type") from error
        except (OSError, SyntaxError, ValueError, EOFError, MemoryError) as error:
            raise ImageError(f"{name} is truncated or damaged ({error}): fetch or export it again") from error


def _to_rgb(picture: Image) -> Canonical:
    from PIL import ImageOps

    notes: list[str] = []
    frames = int(getattr(picture, "n_frames", 1) or 1)
    if frames > 1:
        notes.append(f"animation of {frames} frames: the first was taken")
    if picture.getexif().get(0x0112, 1) != 1:
        picture = ImageOps.exif_transpose(picture)
        notes.append("EXIF orientation applied")
    if picture.mode in {"I;16", "I;16B", "I;16L", "I", "F"}:
        notes.append(f"{picture.mode} scaled down to 8 bits")
        picture = _scale_to_8_bits(picture)
    if picture.mode in {"RGBA", "LA", "PA", "RGBa", "La"} or "transparency" in picture.info:
        picture = _flatten(picture, notes)
    if picture.mode != "RGB":
        notes.append(f"{picture.mode} converted to RGB")
        picture = picture.convert("RGB")
    clean = picture.copy()
    clean.info = {}
    return Canonical(clean, tuple(notes))


def _scale_to_8_bits(picture: Image) -> Image:
    import numpy as np
    import PIL.Image

    values = np.asarray(picture)
    if values.dtype.kind == "f":
        peak = float(np.nanmax(values)) if values.size else 0.0
        scaled = np.nan_to_num(values) * (255.0 if peak <= 1.0 else 1.0)
    else:
        scaled = values.astype(np.int64) >> 8
    return PIL.Image.fromarray(np.clip(scaled, 0, 255).astype(np.uint8))


def _flatten(picture: Image, notes: list[str]) -> Image:
    import PIL.Image

    layered = picture.convert("RGBA")
    low, _ = layered.getchannel("A").getextrema()
    if low == 255:
        return layered.convert("RGB")
    notes.append(f"transparency composited on {MATTE}")
    ground = PIL.Image.new("RGBA", layered.size, (*MATTE, 255))
    return PIL.Image.alpha_composite(ground, layered).convert("RGB")


def encode_png(picture: Image) -> bytes:
    """The canonical PNG of an RGB picture: equal pixels give equal bytes."""
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG", compress_level=1)
    return buffer.getvalue()


def save_picture(picture: Image, path: Path) -> None:
    """Writes a picture with the ICC profile and EXIF of its `info`. Raises `ValueError` for a suffix of no format."""
    import PIL.Image

    kept = {name: picture.info[name] for name in ("icc_profile", "exif") if picture.info.get(name)}
    if path.suffix.lower() in {".jpg", ".jpeg"}:
        if picture.mode == "RGBA":
            ground = PIL.Image.new("RGBA", picture.size, (*MATTE, 255))
            picture = PIL.Image.alpha_composite(ground, picture).convert("RGB")
        kept |= {"quality": 95, "subsampling": 0}
    picture.save(path, **kept)


def load_bytes(source: Any, *, name: str = "image") -> bytes:
    """The file bytes of a path, bytes, a PIL image or a uint8 array (H × W, H × W × 3 or × 4).

    Raises `ImageError` for what is missing, unreadable or none of these.
    """
    from pathlib import Path

    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    if isinstance(source, (str, Path)):
        try:
            return Path(source).read_bytes()
        except OSError as error:
            raise ImageError(f"{source}: {error.strerror or error}: check the path") from error
        except ValueError as error:
            raise ImageError(f"{source!r} is no path ({error}): check it") from error
    return _encode_object(source, name)


def _encode_object(source: Any, name: str) -> bytes:
    import numpy as np
    import PIL.Image

    if isinstance(source, np.ndarray):
        if source.dtype != np.uint8 or source.ndim not in (2, 3) or source.size == 0:
            raise ImageError(
                f"{name} is an array of {source.dtype} with shape {source.shape}: give uint8, H × W or H × W × 3 or 4"
            )
        source = PIL.Image.fromarray(source)
    if not isinstance(source, PIL.Image.Image):
        raise ImageError(f"{name} is a {type(source).__name__}: give a path, bytes, a PIL image or a numpy array")
    buffer = io.BytesIO()
    keep = source if source.mode in {"1", "L", "LA", "P", "RGB", "RGBA", "I;16"} else source.convert("RGB")
    exif = source.getexif()
    keep.save(buffer, format="PNG", compress_level=1, exif=exif.tobytes() if exif else b"")
    return buffer.getvalue()
