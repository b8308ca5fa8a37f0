"""What a condition is given, and nothing else."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from editplan.records.base import Record
from editplan.records.media import Media, Part


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("the goal is empty: say what the edited image must show")
    return text


Goal = Annotated[str, AfterValidator(_not_blank)]


class EditRequest(Record):
    """One edit to make: ordered images and a goal.

    `case_id` names the journal's rows and is never shown to a model.
    """

    case_id: str = Field(min_length=1)
    parts: tuple[Part, ...] = Field(min_length=1)
    goal: Goal
    mask: Media | None = None
    """White = edit; the size of the first part."""
    output: Literal["edit", "new"] = "edit"
    """"new" where the goal asks for a new picture rather than a changed source."""
    language: str = ""
    """BCP 47 tag of the goal's language; empty = as written."""
