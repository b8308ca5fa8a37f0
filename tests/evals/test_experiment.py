"""The experiment file."""

from pathlib import Path

import pytest

from editplan.errors import ConfigError
from editplan.evals.experiment import SESSION_FIELDS, Experiment, differing_keys, load_experiment, parse_experiment

FILE = """
name = "plan-vs-direct"
suite = "puzzles?count=6&seed=7"
conditions = ["direct", "generic_rewrite", "plan"]
editors = ["embedded:raster"]
judges = ["checkers"]
max_cost_usd = 20.0
[[comparisons]]
a = "plan"
b = "generic_rewrite"
primary = true
[planner_options]
max_crops = 4
[retry]
generation_attempts = 2
"""


def minimal(**changes: object) -> dict[str, object]:
    return {"name": "x", "suite": "s", "conditions": ["direct", "plan"], "editors": ["e"], **changes}


def test_a_file_becomes_a_record_with_its_defaults(tmp_path: Path) -> None:
    path = tmp_path / "experiment.toml"
    path.write_text(FILE)
    experiment = load_experiment(path)
    assert experiment.conditions == ("direct", "generic_rewrite", "plan")
    assert experiment.comparisons[0].primary
    assert experiment.planner_options.max_crops == 4
    assert experiment.retry.generation_attempts == 2
    assert experiment.limits.max_cost_usd == 20.0
    assert (experiment.replicates, experiment.seed, experiment.planner) == (1, 0, "embedded")


def test_a_record_survives_its_own_json() -> None:
    experiment = parse_experiment(minimal(max_calls=3))
    assert parse_experiment(experiment.model_dump(mode="json")) == experiment


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"conditons": ["plan"]}, ["unknown key 'conditons'", "did you mean 'conditions'", "known:", "editors"]),
        ({"comparisons": [{"a": "plan", "b": "direct", "primry": True}]}, ["'primry'", "[comparisons]", "'primary'"]),
        ({"planner_options": {"max_tokns": 5}}, ["'max_tokns'", "[planner_options]", "'max_tokens'"]),
        ({"retry": {"attempts": 5}}, ["'attempts'", "[retry]", "generation_attempts"]),
        ({"comparisons": [{"a": "plan", "b": "oracle"}]}, ["'oracle'", "none of the conditions"]),
        ({"comparisons": [{"a": "plan", "b": "plan"}]}, ["compared with itself"]),
        ({"conditions": ["plan", "plan"]}, ["conditions", "'plan' is named twice"]),
        ({"conditions": []}, ["conditions"]),
        ({"replicates": 0}, ["replicates", "0"]),
        ({"name": "../x"}, ["name", "../x"]),
        ({"planner_options": {"review": True}}, ["review"]),
        ({"executor": {"kind": "cloud"}}, ["executor.kind", "local"]),
        ({"planner_options": {"temperature": float("nan")}}, ["planner_options.temperature", "finite"]),
        ({"editor_options": {"strength": float("inf")}}, ["editor_options.strength", "finite"]),
        ({"simulation": {"executes": {"e": float("nan")}}}, ["simulation.executes.e"]),
        ({"again": 5}, ["again", "5"]),
        ({"again": {"zzz": "plan"}}, ["again", "'zzz' is none of the conditions"]),
        ({"conditions": ["plan", {"name": ["x"], "condition": "plan"}]}, ["conditions", "['x']"]),
        ({"limit": {"start": 9, "ceiling": 4}}, ["limit", "start = 9", "ceiling = 4"]),
        ({"limit": {"start": 99}}, ["limit", "start = 99", "ceiling = 64"]),
        ({"replicates": True}, ["replicates", "a whole number", "True"]),
        ({"replicates": "2"}, ["replicates", "a whole number", "'2'"]),
        ({"replicates": 2.0}, ["replicates", "a whole number"]),
        ({"max_cost_usd": "5"}, ["max_cost_usd", "a number", "'5'"]),
        ({"resend_unknown": 1}, ["resend_unknown", "true or false"]),
        ({"retry": {"agent_attempts": "3"}}, ["retry.agent_attempts", "a whole number"]),
        ({"comparisons": [{"a": "plan", "b": "direct", "primary": "yes"}]}, ["comparisons.0.primary"]),
    ],
)
def test_a_wrong_file_is_told_by_key(changes: dict[str, object], told: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_experiment(minimal(**changes), source="some.toml")
    assert str(caught.value).startswith("some.toml: ")
    for text in told:
        assert text in str(caught.value)


def test_a_ceiling_alone_lowers_the_start_and_survives_its_own_json() -> None:
    experiment = parse_experiment(minimal(limit={"ceiling": 4}, max_cost_usd=5))
    assert (experiment.limit.start, experiment.limit.ceiling, experiment.max_cost_usd) == (4, 4, 5.0)
    assert parse_experiment(experiment.model_dump(mode="json")) == experiment


def test_a_missing_key_is_named() -> None:
    with pytest.raises(ConfigError, match="editors is missing"):
        parse_experiment({"name": "x", "suite": "s", "conditions": ["plan"]})


@pytest.mark.parametrize("text", ["name = ", "name = 'x'\nname = 'y'"])
def test_a_file_that_is_no_toml_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=r"broken\.toml is no TOML"):
        load_experiment(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="check the path"):
        load_experiment(tmp_path / "none.toml")


def test_session_fields_are_no_part_of_the_identity() -> None:
    before = parse_experiment(minimal())
    after = parse_experiment(minimal(max_cost_usd=5, concurrency=2, retry_failed=True, max_cases=3))
    assert before.identity() == after.identity()
    assert set(Experiment.model_fields) >= SESSION_FIELDS


def test_differing_keys_are_named_by_path() -> None:
    before = parse_experiment(minimal()).identity()
    after = parse_experiment(minimal(seed=1, planner_options={"max_crops": 2})).identity()
    assert differing_keys(before, after) == ["planner_options.max_crops", "seed"]
