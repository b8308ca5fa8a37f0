"""The live objects behind an experiment's names: those a caller gives, the others resolved from their specs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from platform import python_version
from typing import TYPE_CHECKING, Any

from editplan.calls.budget import CallBudget
from editplan.calls.layer import Calls
from editplan.errors import ConfigError
from editplan.evals.cases import Case, Suite
from editplan.evals.experiment import Experiment
from editplan.evals.importing.imported import IMPORTED, ImportedCondition, ImportedEditor
from editplan.evals.judging import Judge
from editplan.evals.rows import RunKey
from editplan.prompts.loader import PromptLibrary
from editplan.protocols import Editor, VisionModel, manifest_of
from editplan.records import Outcome, digest

if TYPE_CHECKING:
    from langgraph.types import Checkpointer

    from editplan.planner.conditions.base import Condition
    from editplan.planner.graph import Compiled

DEFAULT_JUDGES: Mapping[str, str] = {"solvescore": "checkers", "mean_iou": "pixels", "specification_pass": "svg"}
"""The judge that a metric is defined with, where code can compute it."""

_PACKAGES = (
    "editplan",
    "langgraph",
    "pydantic",
    "openai",
    "google-genai",
    "numpy",
    "opencv-python-headless",
    "pillow",
)


@dataclass(frozen=True)
class Given:
    """Objects that stand for names of the experiment; whatever is not given is resolved from its spec."""

    suite: Suite | None = None
    planner: VisionModel | None = None
    editors: Mapping[str, Editor] = field(default_factory=dict)
    judges: Mapping[str, Judge] = field(default_factory=dict)
    conditions: Mapping[str, Condition] = field(default_factory=dict)


@dataclass(frozen=True)
class Cast:
    """Everything that an experiment names, ready to work. `experiment` has its defaults filled in."""

    experiment: Experiment
    suite: Suite
    planner: VisionModel | None
    editors: Mapping[str, Editor]
    conditions: Mapping[str, Condition]
    prompts: PromptLibrary

    @property
    def asked_planner(self) -> VisionModel | None:
        """The planner, if a condition asks it anything."""
        return self.planner if any(each.budget.agent_calls for each in self.conditions.values()) else None


def resolve_cast(experiment: Experiment, given: Given) -> Cast:
    """Resolves everything but the judges. Raises `ConfigError` (`SpecError`, ...) for the first name that fails."""
    suite = given.suite or _suite(experiment.suite)
    experiment = _with_judges(experiment, suite)
    return Cast(
        experiment=experiment,
        suite=suite,
        planner=given.planner or _planner(experiment.planner),
        editors={spec: given.editors.get(spec) or _editor(spec, experiment) for spec in experiment.editors},
        conditions={name: given.conditions.get(name) or _arm(name, experiment) for name in experiment.conditions},
        prompts=PromptLibrary(experiment.prompts_dir),
    )


def _with_judges(experiment: Experiment, suite: Suite) -> Experiment:
    if experiment.judges:
        return experiment
    judge = DEFAULT_JUDGES.get(suite.metric)
    if judge is None:
        raise ConfigError(f'suite {suite.id} is scored by {suite.metric}: name a judge (judges = ["provider:model"])')
    return experiment.model_copy(update={"judges": (judge,)})


def _suite(spec: str) -> Suite:
    from editplan.evals.suites.registry import resolve_suite

    return resolve_suite(spec)


def _planner(spec: str) -> VisionModel | None:
    if spec == IMPORTED:
        return None
    from editplan.planner.models.registry import resolve

    return resolve(spec)


def _editor(spec: str, experiment: Experiment) -> Editor:
    if spec == IMPORTED:
        return ImportedEditor()
    from editplan.editors.registry import resolve

    return resolve(spec_with(spec, experiment.editor_options))


def _arm(name: str, experiment: Experiment) -> Condition:
    """A condition under its own name, or the one that an arm draws anew."""
    from editplan.planner.conditions.registry import condition_names

    if name not in experiment.again:
        return _condition(name)
    if name in condition_names():
        raise ConfigError(f"conditions: {name!r} is a condition of its own: give the second arm another name")
    return Again(name, _condition(experiment.again[name]))


@dataclass(frozen=True)
class Again:
    """A condition under another name: its calls are its own, so that an A/A comparison shares no sample."""

    id: str
    inner: Condition

    @property
    def budget(self) -> CallBudget:
        """That of the condition."""
        return self.inner.budget

    @property
    def given(self) -> str:
        """What the suite hands over to the condition."""
        return getattr(self.inner, "given", "")

    def build(self, checkpointer: Checkpointer = None) -> Compiled:
        """The condition's graph."""
        return self.inner.build(checkpointer)


def arm_seed(experiment: Experiment, condition: str) -> int:
    """The seed of an arm: the experiment's, the same in every arm but in those that are drawn anew."""
    if condition not in experiment.again:
        return experiment.seed
    return int(digest([experiment.seed, condition])[:8], 16)


def _condition(name: str) -> Condition:
    if name.startswith(f"{IMPORTED}:"):
        return ImportedCondition(name)
    from editplan.planner.conditions.registry import resolve_condition

    return resolve_condition(name)


def spec_with(spec: str, options: Mapping[str, str | int | float | bool]) -> str:
    """The spec with options that it doesn't set itself."""
    from editplan.specs import parse_spec

    parsed = parse_spec(spec)
    written = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in options.items()}
    return str(parsed.model_copy(update={"options": tuple(sorted({**written, **dict(parsed.options)}.items()))}))


def resolve_judges(cast: Cast, given: Given, calls: Calls | None = None) -> dict[str, Judge]:
    """The judges by their names in the experiment; those that are models make their calls through `calls`.

    Raises `ConfigError` for one that is unknown.
    """
    from editplan.evals.judges.asking import JudgeCalls
    from editplan.evals.judges.registry import check_options, resolve_judge

    reach = JudgeCalls(calls, cast.prompts)
    options = cast.experiment.judge_options
    if named := [name for name in cast.experiment.judges if name not in given.judges]:
        check_options(named, options)
    return {name: given.judges.get(name) or resolve_judge(name, options, reach) for name in cast.experiment.judges}


def check_judges(judges: Mapping[str, Judge], cases: Iterable[Case]) -> None:
    """Raises `ConfigError` before a run for a case that a judge lacks something for, such as a detector's weights."""
    every = tuple(cases)
    for judge in judges.values():
        check = getattr(judge, "check_cases", None)
        if check is not None:
            check(every)


def models_of(judges: Mapping[str, Judge]) -> tuple[VisionModel, ...]:
    """The vision models that judge."""
    found = (getattr(judge, "model", None) for judge in judges.values())
    return tuple(model for model in found if isinstance(model, VisionModel))


@dataclass(frozen=True)
class Generator:
    """Makes outcomes through the conditions' graphs: the only place where a case meets a condition."""

    cast: Cast
    calls: Calls

    async def __call__(self, case: Case, key: RunKey) -> Outcome:
        """See `editplan.evals.runner.Generate`."""
        from editplan.planner.deps import Deps
        from editplan.planner.run import run_condition, session_of

        condition = self.cast.conditions[key.condition]
        experiment = self.cast.experiment
        deps = Deps(
            session=session_of(
                self.calls,
                condition,
                case_id=case.case_id,
                replicate=key.replicate,
                seed=arm_seed(experiment, key.condition),
            ),
            planner=self.cast.planner,
            editor=self.cast.editors[key.editor],
            prompts=self.cast.prompts,
            options=experiment.planner_options.model_copy(
                update={"instruction_language": experiment.instruction_language}
            ),
            oracle=case.oracle,
            hint=case.hint,
        )
        return await run_condition(condition, case.request, deps)


def describe(cast: Cast, judges: Mapping[str, Judge]) -> dict[str, Any]:
    """`experiment.json`: the resolved configuration and all that could change a figure."""
    from editplan.planner.schemas import schema_hashes

    experiment = cast.experiment
    prompts = cast.prompts.ids()
    models: dict[str, Any] = {
        "planner": manifest_of(cast.planner) if cast.planner is not None else None,
        "editors": {spec: manifest_of(editor) for spec, editor in cast.editors.items()},
        "judges": [manifest_of(model) for model in models_of(judges)],
    }
    names = {name: judge.id for name, judge in judges.items()}
    schemas = schema_hashes()
    return {
        "format": "editplan.experiment.v1",
        "experiment": experiment.model_dump(mode="json"),
        "suite": {"id": cast.suite.id, "metric": cast.suite.metric},
        "models": models,
        "judges": names,
        "conditions": {name: each.budget.model_dump() for name, each in cast.conditions.items()},
        "prompts": prompts,
        "schemas": schemas,
        "packages": {"python": python_version(), **_versions()},
        "identity": {
            **experiment.identity(),
            "suite": cast.suite.id,
            "models": {"planner": cast.planner and cast.planner.id, "editors": _ids(cast.editors), "judges": names},
            "prompts": prompts,
            "schemas": schemas,
        },
    }


def _ids(editors: Mapping[str, Editor]) -> dict[str, str]:
    return {spec: editor.id for spec, editor in editors.items()}


def _versions() -> dict[str, str | None]:
    return {name: _version(name) for name in _PACKAGES}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
