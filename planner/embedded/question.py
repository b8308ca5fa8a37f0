"""What an ask says: the goal between its markers, and where each labelled picture comes from."""

from __future__ import annotations

import re
from dataclasses import dataclass

from editplan.records import Ask

_GOAL = re.compile(r"<goal>\s*(.*?)\s*</goal>", re.DOTALL | re.IGNORECASE)
_CROP = re.compile(r"crop of image (\d+)", re.IGNORECASE)
_QUERY = re.compile(r"query[:\s]+([\w.-]+)", re.IGNORECASE)
_SPAN = r"{side}\s+(-?\d+(?:\.\d+)?)\s*%?\s*(?:-|–|to)\s*(-?\d+(?:\.\d+)?)\s*%"
_ACROSS = re.compile(_SPAN.format(side="left"), re.IGNORECASE)
_DOWN = re.compile(_SPAN.format(side="top"), re.IGNORECASE)


@dataclass(frozen=True)
class CropLabel:
    """Where a crop lies, as its label says it: fractions of the picture that it was cut from."""

    image: int
    """1-based number of that picture."""
    query_id: str | None
    left: float
    top: float
    right: float
    bottom: float


def read_block(text: str, name: str) -> str | None:
    """What stands between `<name>` and `</name>`, the last block if there are several; None without one."""
    found = re.findall(rf"<{name}>[ \t]*\n?(.*?)\n?[ \t]*</{name}>", text, re.DOTALL | re.IGNORECASE)
    return str(found[-1]).strip() if found else None


def read_goal(ask: Ask) -> str:
    """The goal of an ask; empty where the text marks none."""
    found = _GOAL.findall(ask.text)
    return " ".join(str(found[-1]).split()) if found else ""


def read_crop_label(label: str) -> CropLabel | None:
    """The place that a crop's label gives; None for a label of a whole picture."""
    of, across, down = _CROP.search(label), _ACROSS.search(label), _DOWN.search(label)
    if of is None or across is None or down is None:
        return None
    query = _QUERY.search(label)
    return CropLabel(
        image=int(of[1]),
        query_id=query[1] if query else None,
        left=float(across[1]) / 100,
        top=float(down[1]) / 100,
        right=float(across[2]) / 100,
        bottom=float(down[2]) / 100,
    )
