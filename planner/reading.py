"""Lenient reading of what a model wrote: odd but clear values are mended with a note, wrong ones are problems.

Notes go to the outcome; problems make the answer unusable and are quoted when the model is asked again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from editplan.boxes import BoxConvention, to_unit
from editplan.records import Box

Choice = TypeVar("Choice", bound=StrEnum)

MOST_ITEMS = 6
"""Variables, crop requests and candidates beyond this many are left out (protocols, SolveEdit-Plan)."""

_BOX_KEYS = (
    ("x1", "y1", "x2", "y2"),
    ("xmin", "ymin", "xmax", "ymax"),
    ("x_min", "y_min", "x_max", "y_max"),
    ("left", "top", "right", "bottom"),
)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


@dataclass(frozen=True)
class Frame:
    """One image of an ask, as a reader of its boxes has to know it."""

    image: int
    """1-based number of the source image: its own, or for a crop the one that it was cut from."""
    size: tuple[int, int] = (1, 1)
    """(width, height) in pixels as the model saw it."""
    box: Box | None = None
    """For a crop: its place in the source image."""
    query_id: str | None = None


@dataclass
class Reader:
    """Reads values out of one reply and gathers notes and problems on the way."""

    frames: tuple[Frame, ...] = (Frame(1),)
    convention: BoxConvention = BoxConvention.UNIT
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Something was mended."""
        self.notes.append(text)

    def problem(self, text: str) -> None:
        """Something makes the answer unusable."""
        self.problems.append(text)

    def required(self, value: dict[str, Any], keys: Collection[str], where: str) -> None:
        """A missing key is a problem; null stands for an empty value."""
        for key in keys:
            if key not in value:
                self.problem(f"{where}: the key {key!r} is missing")

    def surplus(self, value: dict[str, Any], known: Collection[str], where: str) -> None:
        """Keys that nobody asked for are dropped with a note."""
        extra = sorted(str(key) for key in set(value) - set(known))
        if extra:
            self.note(f"{where}: dropped the keys {', '.join(map(clean, extra[:6]))}")

    def text(self, value: Any, where: str) -> str:
        """A string; numbers are written out, lists of strings joined, null is empty."""
        if isinstance(value, str):
            return clean(value)
        if value is None:
            return ""
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            self.note(f"{where}: a list where a text was asked")
            return clean("; ".join(value))
        texts = [each for each in value.values() if isinstance(each, str)] if isinstance(value, dict) else []
        if len(texts) == 1:
            self.note(f"{where}: an object where a text was asked")
            return clean(texts[0])
        self.note(f"{where}: no text, left empty")
        return ""

    def texts(self, value: Any, where: str) -> tuple[str, ...]:
        """A list of non-empty strings; one string counts as a list of one, null as an empty list."""
        if value is None:
            return ()
        if isinstance(value, str):
            if clean(value):
                self.note(f"{where}: a text where a list was asked")
            value = [value]
        if not isinstance(value, list):
            self.note(f"{where}: no list, left empty")
            return ()
        return tuple(text for number, each in enumerate(value) if (text := self.text(each, f"{where}[{number}]")))

    def items(self, value: Any, where: str, *, most: int | None = MOST_ITEMS) -> list[tuple[str, dict[str, Any]]]:
        """The objects of a list, each with its path; what is no object is dropped, what is over `most` too."""
        if value is None:
            return []
        if isinstance(value, dict):
            self.note(f"{where}: one object where a list was asked")
            value = [value]
        if not isinstance(value, list):
            self.note(f"{where}: no list, left empty")
            return []
        found = [(f"{where}[{number}]", each) for number, each in enumerate(value) if isinstance(each, dict)]
        if len(found) < len(value):
            self.note(f"{where}: dropped {len(value) - len(found)} entries that are no objects")
        if most is not None and len(found) > most:
            self.note(f"{where}: {len(found)} entries, the first {most} count")
            found = found[:most]
        return found

    def choice(self, value: Any, kind: type[Choice], where: str) -> Choice:
        """A member by its value, whatever its case; anything else is a problem, and the first member stands in."""
        name = re.sub(r"[\s-]+", "_", clean(value).strip(" .,;:'\"").lower()) if isinstance(value, str) else ""
        for member in kind:
            if member.value == name:
                return member
        wanted = ", ".join(member.value for member in kind)
        self.problem(f"{where}: {_shown(value)} is none of {wanted}")
        return next(iter(kind))

    def confidence(self, value: Any, where: str) -> float | None:
        """A number in 0..1; a percentage is divided by 100, anything else is unknown, with a note."""
        if value is None:
            return None
        percent = isinstance(value, str) and value.strip().endswith("%")
        number = as_number(value.strip().rstrip("% ") if isinstance(value, str) else value)
        if number is not None and not percent and 0.0 <= number <= 1.0:
            return number
        if number is not None and 0.0 <= number <= 100.0:
            self.note(f"{where}: {_shown(value)} read as a percentage")
            return number / 100.0
        self.note(f"{where}: {_shown(value)} is no number from 0 to 1, unknown")
        return None

    def image(self, value: Any, where: str) -> int | None:
        """A 1-based image number of the ask; None where there is no such image, with a note. Missing means 1."""
        if value is None:
            return 1
        if isinstance(value, str) and (hit := re.fullmatch(r"\s*(?:image)?\s*#?(\d{1,4})\s*", value, re.IGNORECASE)):
            value = int(hit[1])
        number = as_number(value)
        if number is None or number != int(number) or not 1 <= number <= len(self.frames):
            self.note(f"{where}: there is no image {_shown(value)}")
            return None
        return int(number)

    def box(self, value: Any, where: str, image: int = 1) -> Box | None:
        """A box in our convention, in the image's own frame; None with a note for one that fits none."""
        numbers = _four(value)
        if numbers is None:
            self.note(f"{where}: {_shown(value)} is no box, dropped")
            return None
        size = self.frames[image - 1].size
        if self.convention is not BoxConvention.UNIT and max(numbers) <= 1.0:
            self.note(f"{where}: read as fractions although the model's boxes are of another kind")
            numbers = _unscaled(numbers, self.convention, size)
        fitted = _fitted(numbers, self.convention, size)
        if fitted is None:
            self.note(f"{where}: {_shown(value)} lies outside the image or has no area, dropped")
            return None
        if fitted != list(numbers):
            self.note(f"{where}: corners ordered or clipped to the image")
        return to_unit(fitted, self.convention, size)


def clean(text: str) -> str:
    """The text without lone surrogates, control characters and outer whitespace."""
    text = text.encode("utf-8", "replace").decode("utf-8") if _has_surrogate(text) else text
    return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", "", text).strip()


def as_number(value: Any) -> float | None:
    """A finite number, or a string that is one; truth values are none."""
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def into_source(box: Box, frame: Frame) -> Box:
    """A box of a crop's own frame as a box of the image that the crop was cut from."""
    if frame.box is None:
        return box
    left, top, right, bottom = frame.box
    width, height = right - left, bottom - top
    return (left + box[0] * width, top + box[1] * height, left + box[2] * width, top + box[3] * height)


def _four(value: Any) -> list[float] | None:
    """The four numbers of a box however it was written down."""
    if isinstance(value, dict):
        lowered = {str(key).lower(): each for key, each in value.items()}
        names = next((names for names in _BOX_KEYS if all(name in lowered for name in names)), None)
        if names is None and len(lowered) == 1:
            return _four(next(iter(lowered.values())))
        value = [lowered[name] for name in names] if names else None
    if isinstance(value, str):
        value = _NUMBER.findall(value) if re.fullmatch(r"[\s\[\](),;\d.eE+-]+", value) else None
    if isinstance(value, list) and len(value) == 2 and all(isinstance(each, list) for each in value):
        value = [*value[0], *value[1]]
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    if not isinstance(value, list) or len(value) != 4:
        return None
    numbers = [as_number(each) for each in value]
    return [each for each in numbers if each is not None] if None not in numbers else None


def _limits(convention: BoxConvention, size: tuple[int, int]) -> tuple[float, float, float, float]:
    """The largest value of each number of a box, in the order and units of the convention."""
    units = {BoxConvention.UNIT: (1.0, 1.0), BoxConvention.QWEN25: (float(size[0]), float(size[1]))}
    across, down = units.get(convention, (1000.0, 1000.0))
    return (down, across, down, across) if convention is BoxConvention.GEMINI else (across, down, across, down)


def _unscaled(numbers: list[float], convention: BoxConvention, size: tuple[int, int]) -> list[float]:
    return [number * limit for number, limit in zip(numbers, _limits(convention, size), strict=True)]


def _fitted(numbers: list[float], convention: BoxConvention, size: tuple[int, int]) -> list[float] | None:
    """Ordered and clipped in the model's own units; None where over half an image outside, or without area."""
    limits = _limits(convention, size)
    if any(not -0.5 * limit <= number <= 1.5 * limit for number, limit in zip(numbers, limits, strict=True)):
        return None
    first, second, third, fourth = (min(limit, max(0.0, n)) for n, limit in zip(numbers, limits, strict=True))
    ordered = [min(first, third), min(second, fourth), max(first, third), max(second, fourth)]
    return ordered if ordered[0] < ordered[2] and ordered[1] < ordered[3] else None


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _shown(value: Any) -> str:
    """A value as a message shows it: short, on one line."""
    text = " ".join(clean(repr(value)).split())
    return text if len(text) <= 60 else text[:57] + "..."
