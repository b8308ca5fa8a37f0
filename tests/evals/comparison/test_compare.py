"""What `compare` says of pairs of arms: matching, differences, groups, bounds, contrasts."""

import numpy as np
import pytest

from editplan.evals.cases import Case
from editplan.evals.comparison.document import compare_run
from editplan.evals.judging import Verdicts
from editplan.evals.rows import RunKey
from editplan.evals.stats.paired import mcnemar
from editplan.records import Outcome, Status
from editplan.testing.runs import Made
from tests.evals.comparison.conftest import Making, ledger, made, number

PRIMARY = [{"a": "plan", "b": "direct", "primary": True}]


def gaining(case: Case, key: RunKey) -> float:
    """`plan` gains .1, and .4 more on rule-dependent cases; editor f adds half of that again."""
    base = 0.1 + 0.01 * (number(case) % 7)
    gain = 0.1 + 0.4 * (case.regime == "RD") + 0.01 * (number(case) % 5)
    return base + (gain * (1.5 if key.editor == "f" else 1.0) if key.condition == "plan" else 0.0)


async def test_the_difference_is_that_of_the_cases(run_of: Making) -> None:
    found = compare_run(await run_of(gaining, comparisons=PRIMARY)).pairs[0]
    assert found.difference is not None
    assert found.difference.delta == pytest.approx(0.1 + 0.4 / 3 + 0.02, abs=0.002)
    assert (found.difference.wins, found.difference.n, found.standing) == (24, 24, "primary")
    assert found.p_holm == found.difference.p < 0.001


async def test_the_word_matched_is_refused_where_answered_calls_differ(run_of: Making) -> None:
    unequal = await run_of(gaining, comparisons=PRIMARY, agent={"plan": 2})
    found = compare_run(unequal).pairs[0]
    assert "matched" not in found.matching
    assert found.matching.startswith("agent calls differ in 24 runs: tiny-000, tiny-001")
    assert found.vectors["a"]["agent"] == 2.0
    equal = await run_of(gaining, name="equal", comparisons=PRIMARY, agent={"plan": 2, "direct": 2})
    assert compare_run(equal).pairs[0].matching == "matched"


async def test_one_case_with_a_re_ask_is_named(run_of: Making) -> None:
    def reasked(case: Case, key: RunKey) -> Made:
        outcome, verdicts = made(case, 0.5, 2) or (Outcome(status=Status.OK), None)
        calls = ledger(3) if (number(case), key.condition) == (5, "plan") else ledger(2)
        return outcome.model_copy(update={"calls": calls}), verdicts

    found = compare_run(await run_of(reasked)).pairs[0]
    assert found.matching == "agent calls differ in 1 runs: tiny-005"


async def test_groups_and_interactions_find_a_planted_one(run_of: Making) -> None:
    details = compare_run(await run_of(gaining, comparisons=PRIMARY)).pairs[0].details
    assert details is not None
    regimes = details.groups["regime"]
    assert regimes["RD"].delta - regimes["IS"].delta == pytest.approx(0.4, abs=0.03)
    assert sum(each.n for each in regimes.values()) == 24
    assert {"regime", "family"} <= set(details.groups)
    contrast = next(each for each in details.interactions if each.group == "RD")
    assert contrast.contrast.delta == pytest.approx(0.4, abs=0.03)
    assert contrast.contrast.p < 0.001


async def test_gains_are_pooled_over_editors_and_contrasted_between_them(run_of: Making) -> None:
    found = compare_run(await run_of(gaining, editors=["e", "f"], comparisons=PRIMARY))
    plain, half_more = (pair.difference for pair in found.pairs)
    assert plain is not None
    assert half_more is not None
    assert found.pooled[0].difference.delta == pytest.approx((plain.delta + half_more.delta) / 2)
    assert found.editor_contrasts[0].difference.delta == pytest.approx(plain.delta - half_more.delta)


async def test_pass_rates_are_compared_by_mcnemar(run_of: Making) -> None:
    passes = {"plan": lambda at: at % 2 == 0, "direct": lambda at: at % 6 == 0}
    run = await run_of(lambda case, key: float(passes[key.condition](number(case))))
    found = compare_run(run).pairs[0].passed
    assert found is not None
    expected = mcnemar(*([each(at) for at in range(24)] for each in passes.values()))
    assert found == expected
    assert (found.both, found.only_a, found.only_b, found.neither) == (4, 8, 0, 12)


async def test_the_mark_for_passing_can_be_given(run_of: Making) -> None:
    run = await run_of(lambda case, key: 0.7 if key.condition == "plan" else 0.2)
    assert compare_run(run).pairs[0].passed.only_a == 0
    assert compare_run(run, given_mark=0.6).pairs[0].passed.only_a == 24


def missing(case: Case, key: RunKey) -> float | Made:
    """`plan` is unjudged on four cases, `direct` on two others."""
    special = {"plan": (0, 1, 2, 3), "direct": (10, 11)}[key.condition]
    if number(case) in special:
        return Outcome(status=Status.OK, calls=ledger(0)), Verdicts(status="judge_refused")
    return 0.8 if key.condition == "plan" else 0.5


async def test_judge_failures_are_bounded_both_ways(run_of: Making) -> None:
    pair = compare_run(await run_of(missing)).pairs[0]
    assert pair.difference is not None
    assert pair.difference.n == 18
    assert pair.bounds is not None
    assert (pair.bounds.n, pair.bounds.missing) == (24, 6)
    low = (18 * 0.3 + 4 * (0.0 - 0.5) + 2 * (0.8 - 1.0)) / 24
    high = (18 * 0.3 + 4 * (1.0 - 0.5) + 2 * (0.8 - 0.0)) / 24
    assert pair.bounds.absence == pytest.approx((low, high))


async def test_the_sweep_has_eleven_weights_and_the_published_one_in_the_middle(run_of: Making) -> None:
    def damaging(case: Case, key: RunKey) -> Made:
        outcome, _ = made(case, 1.0) or (Outcome(status=Status.OK), None)
        damage = 0.6 if key.condition == "plan" else 0.0
        score = 1.0 - 0.5 * damage
        parts = {"required": 1.0, "damage": damage, "coverage": 1.0, "gate": "pass"}
        return outcome, Verdicts.model_validate({"status": "scored", "score": score, **parts})

    details = compare_run(await run_of(damaging)).pairs[0].details
    assert details is not None
    gains = {each.damage_weight: each.gain.delta for each in details.sweep}
    assert list(gains) == pytest.approx([step / 10 for step in range(11)])
    assert [gains[0.0], gains[0.5], gains[1.0]] == pytest.approx([0.0, -0.3, -0.6])


async def test_a_constant_gain_does_not_depend_on_difficulty(run_of: Making) -> None:
    rng = np.random.default_rng(4)
    noise = {(at, arm, again): float(rng.uniform(0, 0.4)) for at in range(24) for arm in "dp" for again in (0, 1)}

    def noisy(case: Case, key: RunKey) -> float:
        gain = 0.3 if key.condition == "plan" else 0.0
        return gain + noise[number(case), key.condition[0], key.replicate]

    details = compare_run(await run_of(noisy, replicates=2)).pairs[0].details
    assert details is not None
    trend = details.difficulty
    assert trend is not None
    assert trend.ci is not None
    assert 0.0 in trend.ci
    assert trend.n == 24
    once = compare_run(await run_of(noisy, name="once")).pairs[0].details
    assert once is not None
    assert once.difficulty is None


async def test_the_first_judge_is_compared_unless_another_is_named(run_of: Making) -> None:
    run = await run_of(gaining, judges=["one", "two"])
    assert compare_run(run).judge == "one"
    assert compare_run(run, "two").judge == "two"


async def test_all_pairs_are_there_and_only_declared_ones_are_detailed(run_of: Making) -> None:
    run = await run_of(gaining, conditions=["direct", "text_rewrite", "plan"], comparisons=PRIMARY)
    found = compare_run(run).pairs
    assert [(pair.a, pair.b, pair.standing, pair.details is None) for pair in found] == [
        ("plan", "direct", "primary", False),
        ("text_rewrite", "direct", "exploratory", True),
        ("plan", "text_rewrite", "exploratory", True),
    ]
