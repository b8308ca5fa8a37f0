"""A run whose arms were not sent with the same settings says so."""

from pathlib import Path

import pytest

from editplan.evals.claims.verdicts import claim_page
from editplan.evals.comparison.document import compare_run
from editplan.evals.components import Given
from editplan.evals.experiment import parse_experiment
from editplan.evals.run import Run
from editplan.evals.session import SessionOptions, arun_experiment
from editplan.evals.settings import differing_settings
from editplan.evals.summary import summarise
from editplan.planner.conditions.base import ChainCondition, Condition
from editplan.planner.conditions.registry import resolve_condition
from editplan.planner.deps import Deps
from editplan.planner.graph import Step
from editplan.planner.state import State, request_of
from editplan.records import Ask
from editplan.testing import ScriptedEditor, ScriptedModel
from editplan.testing.evaluation import ScriptedJudge, TinySuite, by_output
from editplan.testing.rehearsal import scripted_answer


def asking(model: ScriptedModel | None, **changes: object) -> Condition:
    """A condition with one agent call of its own settings, under `generic_rewrite`'s budget."""

    async def ask(state: State, runtime: "object") -> State:
        deps: Deps = runtime.context  # type: ignore[attr-defined]
        settings = {"temperature": 0.0, "max_tokens": deps.options.max_tokens, **changes}
        parts = request_of(state).parts
        question = Ask.model_validate({"task": "x", "prompt_id": "x", "text": "x", "parts": parts, **settings})
        await deps.session.ask(model or deps.need_planner(), question, node="x")
        return {"instruction": "Do the right thing."}

    budget = resolve_condition("generic_rewrite").budget
    edit = resolve_condition("direct").steps[-1]  # type: ignore[attr-defined]
    return ChainCondition("own", budget, (Step("x", ask), edit))


async def run_with(folder: Path, own: Condition | None) -> Run:
    names = {"name": "x", "suite": "tiny", "editors": ["e"], "judges": ["j"], "planner": "scripted"}
    conditions = ["direct", "generic_rewrite", "plan"] + (["own"] if own else [])
    claims = [{"name": "c", "a": "plan", "b": "generic_rewrite"}]
    given = Given(
        suite=TinySuite(2),
        planner=ScriptedModel(lambda ask: scripted_answer("Do the right thing. Output only the edited image.")),
        editors={"e": ScriptedEditor()},
        judges={"j": ScriptedJudge(by_output)},
        conditions={"own": own} if own else {},
    )
    experiment = parse_experiment({**names, "conditions": conditions, "claims": claims})
    return (await arun_experiment(experiment, folder, SessionOptions(given=given))).run


async def test_our_own_arms_are_run_alike(tmp_path: Path) -> None:
    run = await run_with(tmp_path, None)
    assert differing_settings(run) == ()
    assert summarise(run)["settings"] == []


@pytest.mark.parametrize(
    ("own", "setting", "value"),
    [
        (asking(ScriptedModel(["x"] * 2, model_id="another")), "vision model", "another"),
        (asking(None, temperature=0.9), "temperature", "0.9"),
        (asking(None, max_tokens=300), "output ceiling", "300"),
    ],
)
async def test_an_arm_of_other_settings_is_named(tmp_path: Path, own: Condition, setting: str, value: str) -> None:
    run = await run_with(tmp_path, own)
    (found,) = differing_settings(run)
    assert (found.setting, found.values["own"]) == (setting, (value,))
    assert f"arms differ in {setting}" in found.words
    assert summarise(run)["settings"] == [found.words]
    assert compare_run(run).settings == (found,)
    assert found.words in claim_page(run).warnings
