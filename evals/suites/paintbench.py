"""The suite `paintbench:<dir>`: generated edits with one right picture each, scored by mean IoU."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from editplan.errors import ConfigError, EditplanError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.protocols.paintbench.facts import answer_in_words, follows_words
from editplan.evals.protocols.paintbench.problems import CATEGORY_OF, PaintProblem, read_problems
from editplan.planner.hints import OracleSpec
from editplan.records import EditRequest, Part, Record
from editplan.store import ImageStore

SAMPLE = "sample"
"""The folder name that stands for the packaged sample: one problem a task."""


class PaintBenchOptions(Record):
    """Options of `paintbench:...`."""

    tasks: str = ""
    """Names joined by commas; empty = all."""

    @property
    def names(self) -> frozenset[str]:
        """The tasks that were asked for. Raises `ConfigError` for an unknown one."""
        names = frozenset(name.strip() for name in self.tasks.split(",") if name.strip())
        unknown = sorted(names - set(CATEGORY_OF))
        if unknown:
            raise ConfigError(f"paintbench: unknown task {unknown[0]!r}; known: {', '.join(sorted(CATEGORY_OF))}")
        return names


class PaintBenchSuite:
    """A PaintBench tree."""

    metric = "mean_iou"

    def __init__(self, folder: Path, options: PaintBenchOptions | None = None, *, name: str = "") -> None:
        self.folder = folder
        self._name = name or str(folder)
        self._options = options or PaintBenchOptions()
        self._tasks = self._options.names

    @property
    def id(self) -> str:
        """The spec."""
        return f"paintbench:{self._name}" + (f"?tasks={self._options.tasks}" if self._tasks else "")

    def cases(self, images: ImageStore) -> Iterator[Case | InvalidCase]:
        """The problems in the tree's order, then those that can't be used."""
        loaded = read_problems(self.folder)
        for problem in loaded.items:
            if not self._tasks or problem.task in self._tasks:
                yield _item(problem, images)
        for fault in loaded.faults:
            if not self._tasks or fault.item.split("/")[0] in self._tasks:
                yield InvalidCase(case_id=fault.item, error=f"{fault.where}: {fault.problem}")


def sample_folder() -> Path:
    """Where the packaged sample lies."""
    return Path(__file__).parent / "paintbench_sample"


def _item(problem: PaintProblem, images: ImageStore) -> Case | InvalidCase:
    try:
        return _case(problem, images)
    except EditplanError as error:
        return InvalidCase(case_id=problem.id, error=str(error))


def _case(problem: PaintProblem, images: ImageStore) -> Case:
    source, _, _ = images.add(problem.input_path.read_bytes(), name=str(problem.input_path))
    answer, _, _ = images.add(problem.answer_path.read_bytes(), name=str(problem.answer_path))
    has_facts = problem.facts_path.is_file()
    groups = {
        "category": problem.category,
        "task": problem.task,
        "mode": problem.mode,
        "visual_condition": problem.visual_condition,
    }
    if has_facts:
        groups["as_worded"] = "yes" if follows_words(problem) else "no"
    return Case(
        case_id=problem.id,
        request=EditRequest(case_id=problem.id, parts=(Part(media=source),), goal=problem.instruction, language="en"),
        reference=answer,
        regime=problem.regime,
        provenance="PaintBench v1.0.0",
        oracle=_oracle(problem) if has_facts else None,
        groups=groups,
    )


def _oracle(problem: PaintProblem) -> OracleSpec | None:
    """The answer in words; an explicit instruction is its own."""
    words = answer_in_words(problem)
    if words is None and problem.regime == "IS":
        words = problem.instruction
    return OracleSpec(final_state=words) if words else None
