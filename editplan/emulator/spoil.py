"""Faults inside an answer: spoilt text and spoilt pictures."""

from __future__ import annotations

import io
import json

from editplan.emulator.faults import FaultKind

IMAGE_FAULTS = frozenset(
    {FaultKind.WRONG_SIZE, FaultKind.ROTATED, FaultKind.CMYK_JPEG, FaultKind.PNG16, FaultKind.GARBAGE_IMAGE}
)


def spoilt_text(text: str, kind: FaultKind | None) -> tuple[str, bool]:
    """The text as the fault leaves it, and whether it was cut off at the token limit."""
    if kind is FaultKind.FENCED:
        return f"```json\n{text}\n```", False
    if kind is FaultKind.TRAILING_PROSE:
        return f"{text}\n\nI hope that this is what you were looking for.", False
    if kind is FaultKind.TRUNCATED_JSON:
        return text[: len(text) * 2 // 3], True
    if kind is FaultKind.WRONG_SCHEMA:
        return json.dumps({"thoughts": "a different object", "answer": 42}), False
    if kind is FaultKind.WHITESPACE:
        return "{" + " \n" * 4000, True
    if kind in (FaultKind.NULL_IMAGE, FaultKind.EMPTY_DATA):
        return "", False
    return text, False


def spoilt_picture(png: bytes, kind: FaultKind | None) -> tuple[bytes, str]:
    """The picture as the fault leaves it, and its MIME type."""
    if kind not in IMAGE_FAULTS:
        return png, "image/png"
    if kind is FaultKind.GARBAGE_IMAGE:
        return png[: len(png) // 3], "image/png"
    import numpy as np
    import PIL.Image

    picture = PIL.Image.open(io.BytesIO(png)).convert("RGB")
    buffer = io.BytesIO()
    if kind is FaultKind.CMYK_JPEG:
        picture.convert("CMYK").save(buffer, format="JPEG", quality=95)
        return buffer.getvalue(), "image/jpeg"
    if kind is FaultKind.PNG16:
        grey = np.asarray(picture.convert("L"), np.uint16) * 257
        PIL.Image.fromarray(grey).save(buffer, format="PNG")
        return buffer.getvalue(), "image/png"
    if kind is FaultKind.ROTATED:
        exif = PIL.Image.Exif()
        exif[0x0112] = 6
        picture.transpose(PIL.Image.Transpose.ROTATE_90).save(buffer, format="PNG", exif=exif.tobytes())
        return buffer.getvalue(), "image/png"
    picture.resize((max(1, picture.width * 3 // 5), max(1, picture.height * 4 // 5))).save(buffer, format="PNG")
    return buffer.getvalue(), "image/png"
