"""The suite `risebench:<dir>`: edits that need temporal, causal, spatial or logical reasoning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from editplan.errors import DatasetError, EditplanError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.protocols.carried import rubric_of
from editplan.evals.protocols.risebench.items import RiseItem, read_items
from editplan.evals.suites.shelf import Shelf
from editplan.planner.hints import OracleSpec
from editplan.records import EditRequest, Part, PartRole
from editplan.store import ImageStore

PROTOCOL = "risebench"
PLACES = ("data_total.json", "data/data_total.json")
"""Where the list of items lies below the folder."""


class RiseBenchSuite:
    """A RISEBench tree, or its JSON file itself; image paths are relative to the file."""

    metric = "rubric"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data_file = data_file(path)

    @property
    def id(self) -> str:
        """The spec."""
        return f"{PROTOCOL}:{self.path}"

    def cases(self, images: ImageStore) -> Iterator[Case | InvalidCase]:
        """The items in the file's order, then those that can't be used."""
        loaded = read_items(self.data_file)
        for item in loaded.items:
            try:
                yield _case(item, Shelf(images, self.data_file.parent))
            except EditplanError as error:
                yield InvalidCase(case_id=item.index, error=str(error))
        for fault in loaded.faults:
            yield InvalidCase(case_id=f"{fault.item} ({fault.where})", error=f"{fault.where}: {fault.problem}")


def data_file(path: Path) -> Path:
    """The JSON file of a tree. Raises `DatasetError` where there is none."""
    if path.is_file():
        return path
    found = next((path / place for place in PLACES if (path / place).is_file()), None)
    if found is None:
        raise DatasetError(f"{path}: neither {' nor '.join(PLACES)} is in it; give the RISEBench folder or its file")
    return found


def _case(item: RiseItem, shelf: Shelf) -> Case:
    media = shelf.add_all(item.images)
    roles = [PartRole.CANVAS, *[PartRole.REFERENCE] * (len(media) - 1)]
    truth = shelf.add_all(path for path in (item.reference_image, item.consistency_image) if path is not None)
    groups = {"category": item.category, "subtask": item.subtask}
    return Case(
        case_id=item.index,
        request=EditRequest(
            case_id=item.index,
            parts=tuple(Part(media=each, role=role) for each, role in zip(media, roles, strict=True)),
            goal=item.instruction,
            language="en",
        ),
        rubric=rubric_of(PROTOCOL, item, shelf.media, subtask=item.category, truth=truth),
        domain=item.category.removesuffix("_reasoning"),
        oracle=OracleSpec(final_state=item.reference_text) if item.reference_text else None,
        groups={name: text for name, text in groups.items() if text},
    )
