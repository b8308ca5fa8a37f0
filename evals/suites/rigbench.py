"""The suite `rigbench:<items.jsonl>`: reasoning that ends in an image; the answer is a new picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from editplan.errors import EditplanError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.protocols.carried import rubric_of
from editplan.evals.protocols.rigbench.assembly import ImageBlock, assemble, goal
from editplan.evals.protocols.rigbench.items import RigItem, read_items
from editplan.evals.protocols.rigbench.subtasks import SUBTASKS
from editplan.evals.suites.shelf import Shelf
from editplan.records import EditRequest, Part, PartRole
from editplan.store import ImageStore

PROTOCOL = "rigbench"


class RigBenchSuite:
    """The items of one file."""

    metric = "rubric"

    def __init__(self, items_file: Path) -> None:
        self.items_file = items_file

    @property
    def id(self) -> str:
        """The spec."""
        return f"{PROTOCOL}:{self.items_file}"

    def cases(self, images: ImageStore) -> Iterator[Case | InvalidCase]:
        """The items in the file's order, then those that can't be used."""
        loaded = read_items(self.items_file)
        for item in loaded.items:
            try:
                yield _case(item, Shelf(images, self.items_file.parent))
            except EditplanError as error:
                yield InvalidCase(case_id=item.id, error=str(error))
        for fault in loaded.faults:
            yield InvalidCase(case_id=f"{fault.item} ({fault.where})", error=f"{fault.where}: {fault.problem}")


def _case(item: RigItem, shelf: Shelf) -> Case:
    parts = tuple(
        Part(media=shelf.add(block.path), role=PartRole(block.role))
        for block in assemble(item)
        if isinstance(block, ImageBlock)
    )
    truth = shelf.add(item.ground_truth)
    facts = SUBTASKS[item.subtask]
    groups = {
        "family": str(facts.family),
        "subtask": str(item.subtask),
        "kind": "open" if facts.open_ended else "closed",
        "set": "common" if facts.common else "full only",
    }
    if item.variant:
        groups["variant"] = item.variant
    return Case(
        case_id=item.id,
        request=EditRequest(case_id=item.id, parts=parts, goal=goal(item), output="new", language="en"),
        rubric=rubric_of(PROTOCOL, item, shelf.media, subtask=str(item.subtask), truth=(truth,)),
        provenance=facts.source,
        groups=groups,
    )
