"""Judges by their specs: code judges, vision models, and settings from the spec or from [judge_options]."""

import pytest

from editplan.errors import ConfigError, SpecError
from editplan.evals.judges.options import split_options
from editplan.evals.judges.registry import resolve_judge
from editplan.evals.judges.vlm import VisionModelJudge
from editplan.specs import parse_spec

SERVER = "compatible:qwen3-vl@http://127.0.0.1:9/v1"


def judge_of(spec: str, **options: str | int | float | bool) -> VisionModelJudge:
    judge = resolve_judge(spec, options)
    assert isinstance(judge, VisionModelJudge)
    return judge


def test_a_vision_model_judges_with_and_without_the_prefix() -> None:
    assert judge_of(SERVER).id == judge_of(f"vlm:{SERVER}").id
    assert judge_of(SERVER).options.mode == "strict"


def test_settings_of_the_spec_go_before_the_common_ones() -> None:
    judge = judge_of(f"{SERVER}?samples=5&mode=official&timeout_s=9", samples=3, temperature=0.5, max_side_px=900)
    assert (judge.options.samples, judge.options.mode, judge.options.temperature) == (5, "official", 0.5)
    assert judge.model.id == f"{SERVER}?max_side_px=900&timeout_s=9"
    assert judge.id.endswith("#mode=official&samples=5&temperature=0.5")


def test_a_temperature_in_words_is_the_models_own_setting() -> None:
    spec, options = split_options(parse_spec("openai:gpt-5.6?temperature=false"), {"temperature": 0.2})
    assert (spec.options, options.temperature) == ((("temperature", "false"),), None)


def test_common_settings_do_not_disturb_judges_that_are_code() -> None:
    assert resolve_judge("checkers", {"samples": 3}).id.startswith("checkers@")
    assert resolve_judge("svg", {"mode": "official"}).id.startswith("svg:")


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("nobody", ConfigError, "checkers, pixels, svg"),
        ("embedded", ConfigError, "no such judge"),
        (f"{SERVER}?sample=3", SpecError, "samples"),
        (f"{SERVER}?mode=lenient", SpecError, "mode"),
        (f"{SERVER}?samples=0", SpecError, "samples"),
        ("svg?strict=true", ConfigError, "neither a model nor options"),
    ],
)
def test_what_is_wrong_in_a_spec_is_said(spec: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        resolve_judge(spec)
