"""Vector-Bench as a suite: one case a task, its drawing as SVG media."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from editplan.evals.cases import Case, InvalidCase, Rubric
from editplan.evals.protocols.vectorbench.tasks import VectorTask, load_tasks
from editplan.records import EditRequest, Media, Part, PartRole
from editplan.store import ImageStore
from editplan.svg_source import drawing_size, parse

PROTOCOL = "vectorbench"
_SHARED_IDS = 0.2
"""Share of common part ids from which two tasks count as one scene; unrelated scenes of the corpus share none."""


class VectorBenchSuite:
    """The tasks of a directory; the hidden target travels in the rubric, which only a judge sees."""

    metric = "specification_pass"

    def __init__(self, directory: Path | str) -> None:
        self.id = f"{PROTOCOL}:{directory}"
        self._directory = Path(directory)

    def cases(self, images: ImageStore) -> Iterator[Case | InvalidCase]:
        """Tasks in the order of their ids, then the files that are none.

        Raises:
            DatasetError: the directory is missing or has no `*.json` file.
        """
        corpus = load_tasks(self._directory)
        groups = scene_groups(corpus.tasks)
        for task in corpus.tasks:
            yield _case(task, _drawing(task.initial_svg, images), groups[task.task_id])
        for failure in corpus.failures:
            yield InvalidCase(case_id=Path(failure.path).stem, error=failure.reason)


def _case(task: VectorTask, drawing: Media, scene: str) -> Case | InvalidCase:
    if not task.instruction.strip():
        return InvalidCase(case_id=task.task_id, error=f"task {task.task_id!r}: the instruction is empty")
    return Case(
        case_id=task.task_id,
        request=EditRequest(
            case_id=task.task_id,
            parts=(Part(media=drawing, role=PartRole.CANVAS),),
            goal=task.instruction,
            language="en",
        ),
        rubric=Rubric(protocol=PROTOCOL, fields=task.model_dump(mode="json")),
        difficulty=task.difficulty,
        scene_group=scene,
        groups={"difficulty": task.difficulty, "category": task.category},
    )


def _drawing(svg: str, images: ImageStore) -> Media:
    root, _ = parse(svg)
    width, height = (100.0, 100.0) if root is None else drawing_size(root)
    return images.add_svg(svg, width=max(1, round(width)), height=max(1, round(height)))


def scene_groups(tasks: Sequence[VectorTask]) -> dict[str, str]:
    """Task id to the id of the first task of its scene: the corpus draws several tasks from one drawing."""
    parts = {task.task_id: {*task.should_preserve, *(change.part for change in task.changes)} for task in tasks}
    groups: dict[str, str] = {}
    for name, ids in parts.items():
        twin = next((other for other in groups if _overlap(ids, parts[other]) >= _SHARED_IDS), None)
        groups[name] = name if twin is None else groups[twin]
    return groups


def _overlap(a: set[str], b: set[str]) -> float:
    """Jaccard index; 0 for two empty sets."""
    return len(a & b) / len(a | b) if a | b else 0.0
