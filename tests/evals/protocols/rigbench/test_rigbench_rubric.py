"""Judge calls, replies, composites, tables and diagnostics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.evals.protocols.rigbench import (
    SUBTASKS,
    RigItem,
    RigScore,
    RubricScores,
    Subtask,
    cascade,
    integration_gap,
    judge_call,
    oracle_gain,
    parse_rubric,
    table,
)
from editplan.evals.protocols.rigbench.bootstrap import interval
from editplan.evals.protocols.rigbench.items import Demonstration
from editplan.evals.protocols.rigbench.rubric import describe_call, mean_scores, parse_text, text_call
from editplan.prompts.loader import PromptLibrary


def scores(vq: float, sa: float, rc: float) -> RubricScores:
    return RubricScores(visual_quality=vq, structural_alignment=sa, reasoning_correctness=rc)


def even(value: float) -> RubricScores:
    return scores(value, value, value)


def item(subtask: Subtask) -> RigItem:
    return RigItem(
        id="a",
        subtask=subtask,
        variant=None,
        context_images=(Path("q.png"),),
        demos=(Demonstration(inputs=(Path("d.png"),), outputs=(Path("e.png"),)),),
        instruction="Apply the change.",
        hint=None,
        ground_truth=Path("y.png"),
    )


@pytest.mark.parametrize("subtask", list(Subtask))
def test_every_subtask_has_its_own_anchors(subtask: Subtask) -> None:
    library = PromptLibrary()
    call = judge_call(item(subtask), library)
    text = library.render(call.prompt, call.fields).text
    assert library.get(f"rigbench_anchors_{subtask}").text.strip() in text
    assert all(text.count(f"\n- {level}: ") == 3 for level in range(6))
    assert len(call.anchor_ids) == 3
    assert all("@" in name for name in call.anchor_ids)
    assert [label for label, _ in call.images] == [
        "Example 1 input:",
        "Example 1 output:",
        "Given image 1:",
        "Right answer:",
    ]
    assert (call.output_label, call.samples, call.temperature) == ("Output to judge:", 3, 0.9)


def test_texts_are_judged_with_and_descriptions_without_the_right_answer() -> None:
    library = PromptLibrary()
    answered = text_call(item(Subtask.RULE_TRANSFER), "A blue square.")
    described = describe_call(item(Subtask.RULE_TRANSFER), "A red square.")
    assert "A blue square." in library.render(answered.prompt, answered.fields).text
    assert "A red square." in library.render(described.prompt, described.fields).text
    assert [label for label, _ in answered.images][-1] == "Right answer:"
    assert Path("y.png") not in [path for _, path in described.images]


def test_the_composite_of_a_worked_example() -> None:
    assert scores(4, 3, 2).composite == pytest.approx(0.6 + 0.6 + 1.3)
    assert even(5).composite == pytest.approx(5.0)


@pytest.mark.parametrize(
    "reply",
    [
        'Seen.\n{"observations": "x", "visual_quality": 4, "structural_alignment": 3.5, "reasoning_correctness": 0}',
        '```json\n{"visual_quality": 4, "structural_alignment": 3.5, "reasoning_correctness": 0}\n```',
    ],
)
def test_a_good_reply(reply: str) -> None:
    assert parse_rubric(reply) == scores(4, 3.5, 0)


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ("VQ 4, SA 3, RC 5", "no JSON object"),
        ('{"visual_quality": 4, "structural_alignment": 3}', '"reasoning_correctness" must be a number'),
        ('{"visual_quality": 6, "structural_alignment": 3, "reasoning_correctness": 1}', "0 to 5, not 6"),
        ('{"visual_quality": 3.3, "structural_alignment": 3, "reasoning_correctness": 1}', "half points"),
        ('{"visual_quality": "4", "structural_alignment": 3, "reasoning_correctness": 1}', 'not "4"'),
        ('{"visual_quality": true, "structural_alignment": 3, "reasoning_correctness": 1}', "not true"),
        ('{"visual_quality": NaN, "structural_alignment": 3, "reasoning_correctness": 1}', "not nan"),
        ('{"visual_quality": 1} {"visual_quality": 2}', "2 JSON objects"),
        ('{"visual_quality": 4, "structural_alignment": 3, "reasoning_corr', "no JSON object"),
    ],
)
def test_a_bad_reply_says_what_is_wrong(reply: str, error: str) -> None:
    parsed = parse_rubric(reply)
    assert isinstance(parsed, str)
    assert error in parsed


def test_a_judged_text_has_one_score() -> None:
    parsed = parse_text('{"observations": "", "correctness": 2.5}')
    assert not isinstance(parsed, str)
    assert parsed.correctness == 2.5
    assert isinstance(parse_text("{}"), str)


def test_samples_are_averaged_by_dimension() -> None:
    assert mean_scores([scores(5, 4, 3), scores(3, 4, 0)]) == scores(4, 4, 1.5)
    assert mean_scores([]) is None


def row(name: str, subtask: Subtask, value: float | None, status: str = "scored") -> RigScore:
    samples = () if value is None else (even(value),)
    return RigScore.model_validate({"item_id": name, "subtask": subtask, "status": status, "samples": samples})


def test_means_are_over_items_and_missing_outputs_count_zero() -> None:
    rows = [
        row("a", Subtask.MATRIX_REASONING, 5),
        row("b", Subtask.MATRIX_REASONING, 5),
        row("c", Subtask.MATRIX_REASONING, None, "missing_output"),
        row("d", Subtask.SCENE_TEMPORAL, 1),
        row("e", Subtask.ABSTRACT_CONCEPT, 3),
        row("f", Subtask.ABSTRACT_CONCEPT, None, "unsupported"),
    ]
    result = table(rows, resamples=200)
    assert result.common.mean == pytest.approx((100 + 100 + 0 + 20) / 4)
    assert result.full.mean == pytest.approx((100 + 100 + 0 + 20 + 60) / 5)
    assert result.common.scored_only == pytest.approx(220 / 3)
    assert result.open_minus_closed == pytest.approx(20 - 200 / 3)
    assert result.subtasks[Subtask.ABSTRACT_CONCEPT].n == 1
    assert result.unsupported == ("f",)
    assert result.common.missing_outputs == 1
    assert result.dimensions["visual_quality"] == pytest.approx(11 / 4)


def test_a_failed_judge_call_is_bounded_and_never_a_number() -> None:
    rows = [row("a", Subtask.MATRIX_REASONING, 4), row("b", Subtask.MATRIX_REASONING, None, "judge_failed")]
    result = table(rows, resamples=0).common
    assert (result.mean, result.unmeasured, result.bounds) == (
        pytest.approx(80),
        1,
        (pytest.approx(40), pytest.approx(90)),
    )


def test_the_open_closed_gap_of_the_published_subtasks_is_count_weighted() -> None:
    rows = [
        row(f"{subtask}/{n}", subtask, 4.0 if facts.open_ended else 1.0)
        for subtask, facts in SUBTASKS.items()
        for n in range(facts.n)
    ]
    result = table(rows, resamples=0)
    assert result.common.n == 1632
    assert result.common.mean == pytest.approx((310 * 80 + 1322 * 20) / 1632)
    assert result.open_minus_closed == pytest.approx(60)


@given(st.lists(st.floats(0, 100), min_size=2, max_size=30))
def test_the_interval_holds_the_mean_and_lies_within_the_values(values: list[float]) -> None:
    found = interval(values, resamples=200)
    assert found is not None
    assert min(values) - 1e-9 <= found[0] <= found[1] <= max(values) + 1e-9


def test_the_interval_covers_the_truth() -> None:
    random = np.random.default_rng(3)
    covered = 0
    for seed in range(200):
        found = interval(list(random.normal(50, 10, 60)), seed=seed, resamples=400)
        assert found is not None
        covered += found[0] <= 50 <= found[1]
    assert covered >= 178


def test_paired_differences_use_the_items_of_both_arms() -> None:
    gain = oracle_gain({"a": even(3), "b": even(5), "x": even(5)}, {"a": even(2), "b": even(2)}, resamples=100)
    assert gain is not None
    assert (gain.mean, gain.n) == (pytest.approx(40), 2)
    assert oracle_gain({"a": even(1)}, {"b": even(1)}) is None


def test_the_integration_gap_goes_by_correctness_first() -> None:
    text = {"a": 4.0, "b": 4.0, "c": 1.0, "d": 5.0}
    oracle = {name: even(5) for name in text}
    direct = {"a": scores(5, 5, 2.5), "b": even(3), "c": even(0), "d": even(1)}
    headline, other = (integration_gap(text, oracle, direct, by) for by in ("reasoning_correctness", "composite"))
    assert headline is not None
    assert other is not None
    assert (headline.share, headline.n) == (0.5, 4)
    # The pretty but wrong item "a" has a composite of 3.375 and hides here.
    assert other.share == 0.25


def test_the_cascade_of_a_worked_example() -> None:
    names = "abcdefghij"
    perception = {name: 5.0 if name < "i" else 0.0 for name in names}
    reasoning = {name: 5.0 if name < "e" else 0.0 for name in names}
    generation = {name: even(5 if name in "abj" else 0) for name in names}
    found = cascade(perception, reasoning, generation)
    assert found is not None
    assert (found.perception, found.reasoning, found.generation) == (0.8, 0.5, 0.5)
    assert found.bottleneck == "reasoning"


def test_a_stage_that_nothing_reaches_has_no_rate() -> None:
    found = cascade({"a": 5.0}, {"a": 0.0}, {"a": even(5)})
    assert found is not None
    assert (found.reasoning, found.generation, found.bottleneck) == (0.0, None, "reasoning")
