"""Published differences come out of per-item scores that have the published means."""

from __future__ import annotations

import numpy as np
import pytest

from editplan.evals.stats.contrasts import pooled_gain
from editplan.evals.stats.intervention import Interventions, cascade, intervention_study
from editplan.evals.stats.paired import paired_difference
from editplan.evals.stats.samples import Resampling, Sample

PLAN = Resampling(resamples=1000)

SOLVEEDIT_TABLE_4 = {
    "GPT-Image-2": {"direct": 57.0, "text_rewrite": 57.3, "generic_rewrite": 65.3, "plan": 71.6},
    "Qwen-Image-Edit-2509": {"direct": 20.8, "plan": 26.9},
    "HunyuanVideo-1.5": {"direct": 7.4, "plan": 14.0},
}
SOLVEEDIT_GAINS = {
    ("GPT-Image-2", "text_rewrite"): 0.3,
    ("GPT-Image-2", "generic_rewrite"): 8.3,
    ("GPT-Image-2", "plan"): 14.6,
    ("Qwen-Image-Edit-2509", "plan"): 6.1,
    ("HunyuanVideo-1.5", "plan"): 6.6,
}
RIG_TABLE_7 = {
    "BAGEL": (41.3, 33.6, 39.7, 46.0, 12.4),
    "Qwen-Image-Edit": (49.9, 37.3, 36.4, 39.0, 1.8),
    "Emu3.5": (50.8, 32.8, 46.2, 52.0, 19.3),
    "Gemini 3.1 Flash": (52.7, 59.1, 66.5, 64.0, 4.9),
}


def items_with_mean(mean: float, n: int, seed: int) -> np.ndarray:
    """n scores in 0..1 in steps of 1/20 or so, moved to have exactly this mean."""
    values = np.round(np.random.default_rng(seed).beta(1.2, 1.2, n) * 20) / 20
    for _ in range(200):
        values = np.clip(values + (mean - values.mean()), 0, 1)
    assert values.mean() == pytest.approx(mean, abs=1e-9)
    return values


def arm(editor: str, condition: str) -> Sample:
    mean = SOLVEEDIT_TABLE_4[editor][condition] / 100
    return Sample.of(items_with_mean(mean, 2728, len(editor) * 100 + len(condition)).tolist())


def test_solveedit_table_4_gains() -> None:
    for (editor, condition), published in SOLVEEDIT_GAINS.items():
        found = paired_difference(arm(editor, condition), arm(editor, "direct"), PLAN)
        assert round(100 * found.delta, 1) == published
        assert found.delta in found.ci
        assert found.n == 2728


def test_solveedit_mean_gain_over_editors() -> None:
    gains = {editor: arm(editor, "plan").minus(arm(editor, "direct")) for editor in SOLVEEDIT_TABLE_4}
    assert round(100 * pooled_gain(gains, PLAN).delta, 1) == 9.1


@pytest.mark.parametrize("model", RIG_TABLE_7)
def test_rig_bench_table_7_differences(model: str) -> None:
    text, direct, thinking, oracle, published = RIG_TABLE_7[model]
    scores = [
        5 * items_with_mean(mean / 100, 200, seed) for seed, mean in enumerate((text, direct, thinking, oracle))
    ]
    study = intervention_study(Interventions(*scores), PLAN)
    assert 20 * study.oracle_minus_direct.delta == pytest.approx(published, abs=0.1 + 1e-9)
    assert 20 * study.thinking_minus_direct.delta == pytest.approx(thinking - direct, abs=1e-6)
    assert study.oracle_minus_direct.delta in study.oracle_minus_direct.ci


def test_rig_bench_gap_shares_are_shares_of_items() -> None:
    n, gap = 200, 11
    text, direct, oracle = np.full(n, 1.0), np.full(n, 4.0), np.full(n, 4.0)
    text[:gap], direct[:gap] = 4.0, 1.0
    study = intervention_study(Interventions(text, direct, direct, oracle), PLAN)
    assert study.gap.share == pytest.approx(0.055)
    assert study.gap.noise_floor is None


def test_rig_bench_cascade_row_and_bottleneck() -> None:
    # "geometric" of Table 12: P(P) 42, P(R|P) 40, P(G|R) 60.
    perceived = [4.0] * 50 + [1.0] * 70
    reasoned = [4.0] * 20 + [1.0] * 30 + [4.0] * 70
    made = [4.0] * 12 + [1.0] * 108
    found = cascade(perceived, reasoned, made)
    assert [round(100 * stage.rate) for stage in found.stages if stage.rate is not None] == [42, 40, 60]
    assert [stage.reached for stage in found.stages] == [120, 50, 20]
    assert found.bottleneck == "reasoning"
