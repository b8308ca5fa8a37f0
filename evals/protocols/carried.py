"""A benchmark's item inside a case's rubric, so that a run can be judged without its dataset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from editplan.errors import JudgeError
from editplan.evals.cases import Rubric
from editplan.records import Media, Record

Item = TypeVar("Item", bound=Record)

_ITEM, _PICTURES = "item", "pictures"


def rubric_of(
    protocol: str, item: Record, pictures: Mapping[Path, Media], *, subtask: str = "", truth: Iterable[Media] = ()
) -> Rubric:
    """A rubric that carries an item and where each of its picture files lies in the image store."""
    fields = {
        _ITEM: item.model_dump(mode="json"),
        _PICTURES: {str(path): media.model_dump(mode="json") for path, media in pictures.items()},
    }
    return Rubric(protocol=protocol, subtask=subtask, ground_truth=tuple(truth), fields=fields)


def item_in(rubric: Rubric | None, kind: type[Item]) -> Item:
    """The item that a rubric carries. Raises `JudgeError` where there is none of that kind."""
    if rubric is None:
        raise JudgeError(f"the case has no rubric with a {kind.__name__}: use another judge for this suite")
    try:
        return kind.model_validate(rubric.fields.get(_ITEM))
    except ValidationError as error:
        raise JudgeError(f"the rubric holds no {kind.__name__}: {error.errors()[0]['msg']}") from error


def pictures_in(rubric: Rubric) -> dict[Path, Media]:
    """The item's pictures by the paths that the item names."""
    stored: dict[str, Any] = rubric.fields.get(_PICTURES) or {}
    return {Path(path): Media.model_validate(raw) for path, raw in stored.items()}
