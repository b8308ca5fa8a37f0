"""The suite `wiseedit:<dataset dir>`: an item in one language is a case, `<subset>/<language>/<idx>`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import Field, field_validator

from editplan.errors import DatasetError, EditplanError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.protocols.carried import rubric_of
from editplan.evals.protocols.wiseedit.dataset import WiseEditItem, read_items
from editplan.evals.protocols.wiseedit.layout import LANGUAGES, Language
from editplan.evals.suites.shelf import Shelf
from editplan.planner.hints import KnowledgeHint
from editplan.records import EditRequest, Part, PartRole, Record
from editplan.store import ImageStore

PROTOCOL = "wiseedit"
_TAGS = {"cn": "zh", "en": "en"}


class WiseEditOptions(Record):
    """Options of `wiseedit:...`."""

    languages: tuple[Language, ...] = Field(default=LANGUAGES, min_length=1)
    """`cn`, `en`, or both joined by a comma."""

    @field_validator("languages", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(dict.fromkeys(value.split(","))) if isinstance(value, str) else value


class WiseEditSuite:
    """A WiseEdit tree."""

    metric = "rubric"

    def __init__(self, folder: Path, options: WiseEditOptions | None = None) -> None:
        self.folder = folder
        self.options = options or WiseEditOptions()

    @property
    def id(self) -> str:
        """The spec."""
        chosen = self.options.languages
        return f"{PROTOCOL}:{self.folder}" + ("" if chosen == LANGUAGES else f"?languages={','.join(chosen)}")

    def cases(self, images: ImageStore) -> Iterator[Case | InvalidCase]:
        """The items in the tree's order, each in its languages, then those that can't be used."""
        loaded = read_items(self.folder)
        for item in loaded.items:
            for language in self.options.languages:
                name = f"{item.subset}/{language}/{item.idx}"
                try:
                    yield _case(name, item, language, Shelf(images, self.folder))
                except EditplanError as error:
                    yield InvalidCase(case_id=name, error=str(error))
        for fault in loaded.faults:
            yield InvalidCase(case_id=f"{fault.item} ({fault.where})", error=f"{fault.where}: {fault.problem}")


def _case(name: str, item: WiseEditItem, language: Language, shelf: Shelf) -> Case:
    goal = item.prompt(language)
    if not goal.strip():
        raise DatasetError("it has no prompt in this language ('promptcn' is empty)")
    if not item.inputs:
        raise DatasetError("it has no input image, and an edit needs one")
    media = shelf.add_all(item.inputs)
    roles = [PartRole.CANVAS, *[PartRole.REFERENCE] * (len(media) - 1)]
    truth = shelf.add_all(item.references)
    request = EditRequest(
        case_id=name,
        parts=tuple(Part(media=each, role=role) for each, role in zip(media, roles, strict=True)),
        goal=goal,
        language=_TAGS[language],
    )
    known = {"category": str(item.category), "subset": item.subset, "language": language}
    return Case(
        case_id=name,
        request=request,
        rubric=rubric_of(PROTOCOL, item, shelf.media, subtask=language, truth=truth),
        scene_group=item.id,
        hint=KnowledgeHint(text=item.hint) if item.hint else None,
        groups={**{key: text for key, text in item.groups.items() if text.strip()}, **known},
    )
