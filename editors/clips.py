"""Clips: the last frame of an mp4, gif or webp, and a clip written from frames."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from editplan.errors import BadReply, StoreError
from editplan.images import MAX_PIXELS, sniff

if TYPE_CHECKING:
    from PIL.Image import Image

_BY_PILLOW = frozenset({"gif", "webp", "png", "jpg"})


@dataclass(frozen=True)
class LastFrame:
    """The end of a clip."""

    png: bytes
    """The frame as a PNG file, RGB."""
    frames: int
    """How many frames were decoded."""


def last_frame(clip: bytes | Path, *, name: str = "the clip") -> LastFrame:
    """Decodes a clip to its end; the container's own count of frames isn't trusted.

    Raises `BadReply` for what is no clip or ends before its first frame.
    """
    data = _read(clip) if isinstance(clip, Path) else clip
    if not data:
        raise BadReply(f"{name} is empty (0 bytes)", kind="bad_image")
    if sniff(data) in _BY_PILLOW:
        return _by_pillow(data, name)
    if isinstance(clip, Path):
        return _by_opencv(clip, name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mp4"
        path.write_bytes(data)
        return _by_opencv(path, name)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadReply(f"{path}: {error.strerror or error}", kind="no_image") from error


def _by_pillow(data: bytes, name: str) -> LastFrame:
    import PIL.Image

    try:
        with PIL.Image.open(io.BytesIO(data)) as animation:
            _check_size(animation.width, animation.height, name)
            frames = int(getattr(animation, "n_frames", 1))
            # One after the other: a frame may only hold what changed since the one before.
            for place in range(frames):
                animation.seek(place)
            animation.load()
            return LastFrame(png=_png(_on_white(animation)), frames=frames)
    except (OSError, SyntaxError, ValueError, EOFError, PIL.Image.DecompressionBombError) as error:
        raise BadReply(f"{name} can't be decoded ({error})", kind="bad_image") from error


def _on_white(frame: Image) -> Image:
    import PIL.Image

    layered = frame.convert("RGBA")
    ground = PIL.Image.new("RGBA", layered.size, (255, 255, 255, 255))
    return PIL.Image.alpha_composite(ground, layered).convert("RGB")


def _by_opencv(path: Path, name: str) -> LastFrame:
    import cv2
    import PIL.Image

    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        last, frames = None, 0
        while True:
            held, frame = capture.read()
            if not held:
                break
            last, frames = frame, frames + 1
            _check_size(frame.shape[1], frame.shape[0], name)
    finally:
        capture.release()
    if last is None:
        raise BadReply(f"{name} holds no frame that can be decoded: give an mp4, gif or webp", kind="bad_image")
    return LastFrame(png=_png(PIL.Image.fromarray(cv2.cvtColor(last, cv2.COLOR_BGR2RGB))), frames=frames)


def _check_size(width: int, height: int, name: str) -> None:
    if width * height > MAX_PIXELS:
        raise BadReply(f"{name} has {width} × {height} pixels, over {MAX_PIXELS:,}", kind="bad_image")


def _png(picture: Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG", compress_level=1)
    return buffer.getvalue()


def write_clip(frames: Sequence[Image], path: Path, *, fps: float) -> None:
    """Writes an mp4 (lossy: to look at, not to measure). Raises `StoreError` where it can't be written."""
    import cv2
    import numpy as np

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{path.parent}: {error.strerror}: give another keep_clip folder") from error
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, frames[0].size)
    try:
        if not writer.isOpened():
            raise StoreError(f"{path} can't be written as an mp4: give another keep_clip folder")
        for frame in frames:
            writer.write(cv2.cvtColor(np.asarray(frame.convert("RGB")), cv2.COLOR_RGB2BGR))
    finally:
        writer.release()
