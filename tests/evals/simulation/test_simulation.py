"""Planted truth comes out of simulated experiments, and a whole rehearsal runs through the real pipeline."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from editplan.errors import ConfigError
from editplan.evals.experiment import Experiment, parse_experiment
from editplan.evals.simulation.claims import simulate_claims
from editplan.evals.simulation.drawing import drawn_scores, true_mean
from editplan.evals.simulation.rates import Rates
from editplan.evals.summary import summarise
from editplan.testing.rehearsal import rehearse_experiment

RATES = Rates(recovers={"plan": 0.7}, otherwise_recovers=0.4, cases=60)


def experiment(**keys: object) -> Experiment:
    names = {"name": "x", "suite": "tiny", "editors": ["e"], "judges": ["j"]}
    conditions = ["direct", "plan", {"name": "direct-b", "condition": "direct"}]
    claims = [{"name": "gain", "a": "plan", "b": "direct"}, {"name": "a-a", "a": "direct-b", "b": "direct"}]
    return parse_experiment({**names, "conditions": conditions, "claims": claims, **keys})


@settings(max_examples=25, deadline=None)
@given(st.floats(0.05, 0.95), st.floats(0.2, 1.0), st.floats(0, 0.9), st.floats(0.6, 1.0), st.floats(0, 0.3))
def test_the_true_mean_is_that_of_the_draws(
    recovers: float, executes: float, unevenness: float, detects: float, false_alarm: float
) -> None:
    rates = Rates(
        recovers={"c": recovers},
        executes={"e": executes},
        unevenness=unevenness,
        detects=detects,
        false_alarm=false_alarm,
        cases=4000,
    )
    drawn = drawn_scores(rates, [("c", "e")], np.random.default_rng(3))[0]
    assert drawn.mean() == pytest.approx(true_mean(rates, ("c", "e")), abs=0.04)


def test_a_shared_difficulty_makes_arms_agree() -> None:
    def agreement(unevenness: float) -> float:
        rates = RATES.model_copy(update={"cases": 4000, "unevenness": unevenness, "otherwise_executes": 1.0})
        a, b = drawn_scores(rates, [("direct", "e"), ("again", "e")], np.random.default_rng(3)) > 0
        return float((a == b).mean())

    assert agreement(0.9) > agreement(0.0) + 0.15


def test_a_planted_gain_is_found_and_the_a_a_claim_is_not() -> None:
    found = simulate_claims(experiment(), RATES, experiments=60)
    gain, nothing = found.claims
    assert gain.mean_estimate == pytest.approx(gain.true_difference, abs=0.03)
    assert gain.verdicts["supported"] > 0.7
    assert nothing.true_difference == 0.0
    assert nothing.verdicts["inconclusive"] > 0.85
    assert sum(gain.verdicts.values()) == pytest.approx(1.0)


def test_a_claim_about_a_group_can_not_be_simulated() -> None:
    claims = [{"name": "c", "a": "plan", "b": "direct", "where": {"regime": "RD"}}]
    with pytest.raises(ConfigError, match="no groups"):
        simulate_claims(experiment(claims=claims), RATES, experiments=2)


async def test_the_rehearsal_runs_every_kind_of_condition(tmp_path: Path) -> None:
    names = ["direct", "text_rewrite", "generic_rewrite", "generic_rewrite:tiles", "text_answer", "describe"]
    names += ["text_thinking", "text_thinking:raw", "oracle", "oracle:raw", "knowledge_hint", "self_reflection:1"]
    names += ["self_reflection:2", "plan", "plan:one_stage", "plan_verify", "best_of:2[plan]"]
    rehearsed = await rehearse_experiment(experiment(conditions=names, claims=[]), Rates(), tmp_path, cases=2)
    summary = summarise(rehearsed.run)
    statuses = {name: arms["e"]["statuses"] for name, arms in summary["conditions"].items()}
    assert statuses == {name: {"ok": 2} for name in names}
    pairs = {(each["a"], each["b"]): each["is_matched"] for each in summary["comparisons"]}
    assert pairs["generic_rewrite", "text_rewrite"]
    assert not pairs["plan", "direct"]


async def test_the_same_condition_again_draws_its_own_samples(tmp_path: Path) -> None:
    rates = Rates(recovers={"direct": 0.5}, otherwise_executes=1.0, damages=0.0)
    run = (await rehearse_experiment(experiment(claims=[]), rates, tmp_path, cases=16)).run
    arms = summarise(run)["conditions"]
    assert arms["direct"]["e"]["vector"] == arms["direct-b"]["e"]["vector"]
    outputs = {name: [run.rows[key].outcome.media for key in run.keys(name, "e")] for name in ("direct", "direct-b")}
    assert outputs["direct"] != outputs["direct-b"]


def test_an_arm_drawn_anew_needs_a_name_of_its_own() -> None:
    with pytest.raises(ConfigError, match="named twice"):
        experiment(conditions=["direct", {"name": "direct", "condition": "direct"}], claims=[])
    with pytest.raises(ConfigError, match="name of its own"):
        experiment(conditions=["direct", {"condition": "direct"}], claims=[])
