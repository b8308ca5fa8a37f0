"""What a condition is given, and nothing else."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from editplan.records.base import Record
from editplan.records.media import Media, Part


def _visible(text: str) -> str:
    # Categories C and Z of Unicode: control and format characters, surrogates, separators.
    if not any(unicodedata.category(character)[0] not in "CZ" for character in text):
        raise ValueError("the goal is empty: say what the edited image must show")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("the goal holds bytes that are no text: write it in UTF-8, and use a UTF-8 locale")
    return text


Goal = Annotated[str, AfterValidator(_visible)]


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
