"""What each family of OpenAI image models takes; checked before anything is sent."""

from __future__ import annotations

import re
from typing import Literal

from editplan.errors import SpecError, Unsupported
from editplan.records import Record

LEGACY_SIZES = ((1024, 1024), (1536, 1024), (1024, 1536))
_STEP = 16
_LONGEST = 3840
_FEWEST_PIXELS = 655_360
_MOST_PIXELS = 8_294_400
_WIDEST = 3.0


class Family(Record):
    """One row of the table."""

    pattern: str
    free_sizes: bool
    input_fidelity: tuple[str, ...] = ()
    complexity: bool = False
    retired: str = ""


FAMILIES = (
    Family(pattern=r"gpt-image-1-mini", free_sizes=False, input_fidelity=("low",)),
    Family(pattern=r"gpt-image-1\.5", free_sizes=False, input_fidelity=("low", "high")),
    Family(pattern=r"gpt-image-1$", free_sizes=False, retired="shut down on 2026-10-23: use gpt-image-2-2026-04-21"),
    Family(pattern=r"dall-e", free_sizes=False, retired="shut down on 2026-05-12: use gpt-image-2-2026-04-21"),
    Family(pattern=r"gpt-image-2\.[5-9]", free_sizes=True, complexity=True),
    Family(pattern=r"gpt-image-2", free_sizes=True),
    Family(pattern=r"", free_sizes=True, input_fidelity=("low", "high"), complexity=True),
)
"""First match counts; the last row lets unknown models through with whatever the user sets."""


def family_of(model: str) -> Family:
    """The row of a model. Raises `SpecError` for a model that was shut down."""
    row = next(family for family in FAMILIES if re.match(family.pattern, model))
    if row.retired:
        raise SpecError(f"{model} was {row.retired}")
    return row


def check_size(size: tuple[int, int], model: str) -> None:
    """Raises `Unsupported` with the law that a wanted size breaks."""
    width, height = size
    if not family_of(model).free_sizes:
        if size not in LEGACY_SIZES:
            shown = ", ".join(f"{w}x{h}" for w, h in LEGACY_SIZES)
            raise Unsupported(f"{model} makes {shown}, not {width}x{height}")
        return
    laws = {
        f"both sides divisible by {_STEP}": width % _STEP == 0 and height % _STEP == 0,
        f"no side over {_LONGEST}": max(size) <= _LONGEST,
        "a ratio from 1:3 to 3:1": max(size) <= _WIDEST * min(size),
        f"{_FEWEST_PIXELS:,} to {_MOST_PIXELS:,} pixels": _FEWEST_PIXELS <= width * height <= _MOST_PIXELS,
    }
    broken = [law for law, kept in laws.items() if not kept]
    if broken:
        raise Unsupported(f"{model} wants {broken[0]}; {width}x{height} breaks that")


def size_like(width: int, height: int, model: str) -> tuple[int, int]:
    """The legal size nearest in shape, then in area, to a source."""
    ratio = width / height
    if not family_of(model).free_sizes:
        return min(LEGACY_SIZES, key=lambda size: abs(size[0] / size[1] - ratio))
    ratio = min(_WIDEST, max(1 / _WIDEST, ratio))
    area = min(_MOST_PIXELS * 0.98, max(_FEWEST_PIXELS * 1.03, width * height))
    scale = min(1.0, _LONGEST / max((area * ratio) ** 0.5, (area / ratio) ** 0.5))
    wide = round((area * ratio) ** 0.5 * scale / _STEP) * _STEP
    candidates = [
        (w, h)
        for w in range(wide - 4 * _STEP, wide + 5 * _STEP, _STEP)
        for h in (int(w / ratio / _STEP) * _STEP, (int(w / ratio / _STEP) + 1) * _STEP)
        if _legal((w, h))
    ]
    return min(candidates, key=lambda size: (abs(size[0] / size[1] / ratio - 1), abs(size[0] - wide)))


def _legal(size: tuple[int, int]) -> bool:
    width, height = size
    if min(size) < _STEP or max(size) > _LONGEST or max(size) > _WIDEST * min(size):
        return False
    return _FEWEST_PIXELS <= width * height <= _MOST_PIXELS


def parse_size(text: str) -> tuple[int, int] | Literal["auto", "source"]:
    """The spec key `size`: auto, source or WxH. Raises `SpecError` for anything else."""
    if text == "auto":
        return "auto"
    if text == "source":
        return "source"
    match = re.fullmatch(r"(\d{2,5})x(\d{2,5})", text)
    if match is None:
        raise SpecError(f"size={text}: give auto, source (as near to the source's shape as the model can) or WxH")
    return int(match[1]), int(match[2])
