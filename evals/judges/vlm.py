"""A vision model as judge: the case says by which recipe; refusals, outages and odd answers are statuses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from importlib import import_module
from typing import Any

from editplan.errors import ConfigError, ImageError, JudgeError, StoreError
from editplan.evals.cases import Case
from editplan.evals.judges.asking import Hearing, JudgeCalls
from editplan.evals.judges.evidence import load
from editplan.evals.judges.options import JudgeOptions
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.protocols import Images, VisionModel, manifest_of

VERSION = 1
"""Raised whenever a change can alter a verdict."""

Recipe = Callable[[Hearing, JudgeTask, JudgeOptions], Awaitable[Verdicts]]

_RECIPES = {
    "contract": "editplan.evals.judges.solveedit",
    "rigbench": "editplan.evals.judges.rubric_rigbench",
    "wiseedit": "editplan.evals.judges.rubric_wiseedit",
    "risebench": "editplan.evals.judges.rubric_risebench",
    "jsonl": "editplan.evals.judges.rubric_own",
}
"""What a case is judged by: modules with `judge` (a `Recipe`)."""
_READS_TEXTS = frozenset({"rigbench"})


class VisionModelJudge:
    """Judges by contract or rubric, blind to condition and editor."""

    def __init__(
        self, model: VisionModel, options: JudgeOptions = JudgeOptions(), reach: JudgeCalls | None = None
    ) -> None:
        self.model = model
        self.options = options
        self._reach = reach or JudgeCalls()

    @property
    def id(self) -> str:
        """The model's spec, the judge's version and every setting that isn't the default."""
        written = self.options.written()
        return f"vlm@{VERSION}:{self.model.id}" + (f"#{written}" if written else "")

    def manifest(self) -> dict[str, Any]:
        """The model's manifest and the judge's settings."""
        return {**manifest_of(self.model), "judge": self.options.model_dump(mode="json"), "version": VERSION}

    def check_cases(self, cases: Iterable[Case]) -> None:
        """Raises `ConfigError` before a run where no recipe fits any case, or an atom's instrument isn't there."""
        every = tuple(cases)
        protocols = {case.rubric.protocol for case in every if case.rubric is not None}
        contracts = tuple(case.contract for case in every if case.contract is not None)
        if not contracts and not protocols & set(_RECIPES):
            raise ConfigError(
                f"{self.id}: a vision model judges by a contract or by a rubric of {', '.join(sorted(_RECIPES))}, "
                "and no case has one: use another judge for this suite"
            )
        if self.options.checkers and contracts:
            from editplan.evals.checkers.instruments import require_instruments

            require_instruments(contracts, load(self.options))

    async def judge(self, task: JudgeTask, images: Images) -> Verdicts:
        """See `Judge.judge`. Raises `JudgeError` for a case that no recipe fits."""
        name = _recipe_name(task)
        if task.output is None and (task.text is None or name not in _READS_TEXTS):
            if task.text is not None:
                raise JudgeError(f"an answer in words can't be judged by this {name}: leave the condition out")
            return missing_output(name)
        if task.output is not None:
            if task.output.kind != "png":
                raise JudgeError(f"a vision model sees pictures, and the output is {task.output.kind}: use `svg`")
            try:
                images[task.output.sha256].array()
            except (ImageError, StoreError) as error:
                return missing_output(name, str(error))
        recipe: Recipe = import_module(_RECIPES[name]).judge
        return await recipe(self._reach.hearing(self.model, task, images), task, self.options)


def missing_output(recipe: str, *notes: str) -> Verdicts:
    """The arm's own failure: the floor of the scale."""
    if recipe == "contract":
        return Verdicts(status="missing_output", score=0.0, required=0.0, gate="fail", notes=notes)
    return Verdicts(status="missing_output", score=0.0, notes=notes)


def _recipe_name(task: JudgeTask) -> str:
    if task.contract is not None:
        return "contract"
    protocol = task.rubric.protocol if task.rubric is not None else ""
    if protocol not in _RECIPES:
        raise JudgeError(
            f"a vision model judges by a contract or by a rubric of {', '.join(sorted(_RECIPES))}; "
            f"this case has {f'a rubric of {protocol!r}' if protocol else 'neither'}: use another judge"
        )
    return protocol
