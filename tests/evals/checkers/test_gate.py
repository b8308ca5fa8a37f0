"""The computed gate, and judging a whole output by code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from editplan.evals.checkers.checker import SpecChecker
from editplan.evals.checkers.gate import gate
from editplan.evals.checkers.judging import check_output
from editplan.evals.checkers.specs import AllOf, AnyOf, CanvasKept, ColourAt, TextEquals, UnchangedOutside
from editplan.evals.contracts import Atom, Contract, CriterionGroup
from editplan.evals.solvescore import score_judge_reply


def contract(scene: Any, **fields: Any) -> Contract:
    required = ColourAt(region=scene.disc.region, colour=scene.square.hex)
    protected = UnchangedOutside(region=scene.disc.region)
    return Contract(
        criterion_groups=(
            CriterionGroup(role="required", property="semantic_accuracy", atoms=(Atom(id="blue", check=required),)),
            CriterionGroup(
                role="protected",
                property="semantic_accuracy",
                atoms=(Atom(id="rest", check=protected), Atom(id="taste")),
            ),
        ),
        editable=scene.disc.region,
        **fields,
    )


@pytest.mark.parametrize("after", ["missing", "undecodable"])
def test_no_image_fails_the_gate(scene: Any, after: Any) -> None:
    assert gate(contract(scene), scene.draw(), after).status == "fail"


def test_a_blank_output_fails_unless_the_contract_allows_it(scene: Any) -> None:
    blank = np.full_like(scene.draw(), 200)
    assert gate(contract(scene), scene.draw(), blank).status == "fail"
    assert gate(contract(scene, allows_blank=True), scene.draw(), blank).status == "pass"


def test_a_wrong_edit_passes_the_gate(scene: Any, rendered: Any) -> None:
    vandalised = scene.but(square=scene.square.at(185, 65), paper=(200, 215, 225))
    assert gate(contract(scene), scene.draw(), rendered(vandalised)).status == "pass"


def random_scene(seed: int, noise: float) -> np.ndarray:
    import cv2

    rng = np.random.default_rng(seed)
    image = np.full((240, 320, 3), rng.integers(180, 250, 3), dtype=np.uint8)
    for _ in range(6):
        x, y = int(rng.integers(20, 300)), int(rng.integers(20, 220))
        colour = tuple(int(v) for v in rng.integers(0, 160, 3))
        cv2.circle(image, (x, y), int(rng.integers(10, 28)), colour, -1, cv2.LINE_AA)
    return np.clip(image + rng.normal(0, noise, image.shape), 0, 255).astype(np.uint8)


def plain_contract() -> Contract:
    return Contract(criterion_groups=(CriterionGroup(role="required", property="p", atoms=(Atom(id="a"),)),))


@pytest.mark.parametrize("noise", [0.0, 8.0])
def test_outputs_of_other_scenes_fail_the_gate(noise: float) -> None:
    scenes = [random_scene(seed, noise) for seed in range(24)]
    others = scenes[1:] + scenes[:1]
    failed = [gate(plain_contract(), a, b).status == "fail" for a, b in zip(scenes, others, strict=True)]
    assert sum(failed) >= 23
    assert all(gate(plain_contract(), a, a).status == "pass" for a in scenes)


def test_photographs_are_told_apart_and_survive_soft_damage() -> None:
    import cv2
    from skimage import data

    names = ("astronaut", "coffee", "rocket", "chelsea")
    photos = [
        np.asarray(cv2.resize(getattr(data, name)(), (320, 240), interpolation=cv2.INTER_AREA)) for name in names
    ]
    for at, photo in enumerate(photos):
        assert gate(plain_contract(), photo, photos[at - 1]).status == "fail", names[at]
        for copy in ((photo * 0.5).astype(np.uint8), np.asarray(cv2.GaussianBlur(photo, (0, 0), 1.0))):
            assert gate(plain_contract(), photo, copy).status == "pass", names[at]


@pytest.mark.parametrize("size", [(1, 1), (3, 500), (700, 20)])
def test_an_output_of_absurd_size_is_judged_and_not_a_crash(scene: Any, size: tuple[int, int]) -> None:
    odd = np.random.default_rng(0).integers(0, 256, (*size, 3)).astype(np.uint8)
    checked = check_output(contract(scene), scene.draw(), odd)
    assert checked.gate.status == "fail"
    assert [verdict.id for verdict in checked.atoms] == ["blue", "rest", "taste"]


def test_checkers_are_a_judge_whose_reply_is_scored_like_any_other(scene: Any, rendered: Any) -> None:
    judged = contract(scene)
    right = scene.but(disc=scene.disc.painted(scene.square.colour))
    spoiled = right.but(square=scene.square.at(185, 65))
    for output, required, damage in ((scene, 0.0, 0.0), (right, 1.0, 0.0), (spoiled, 1.0, 0.5)):
        checked = check_output(judged, scene.draw(), rendered(output))
        score = score_judge_reply(judged.as_json(), checked.as_reply())
        assert (score.required, score.damage, score.gate) == (required, damage, "pass")
        assert score.verdicts["taste"] == "abstain"


def test_an_absent_output_has_no_atoms_and_scores_zero(scene: Any) -> None:
    checked = check_output(contract(scene), scene.draw(), "missing")
    score = score_judge_reply(contract(scene).as_json(), checked.as_reply())
    assert (score.score, score.n_abstained, score.gate) == (0.0, 3, "fail")


def test_the_best_alternative_and_the_worst_part_decide(scene: Any, finding: Any) -> None:
    passes, fails = CanvasKept(), ColourAt(region=scene.disc.region, colour=scene.square.hex)
    abstains = TextEquals(region=scene.everywhere, text="ß")
    image = scene.having(scene.square.at(50, 50).painted((0, 0, 0))).draw()
    assert finding(AnyOf(checks=(fails, passes)), image).verdict == "pass"
    assert finding(AnyOf(checks=(fails, fails)), image).verdict == "fail"
    assert finding(AllOf(checks=(fails, passes)), image).verdict == "fail"
    assert finding(AllOf(checks=(passes, abstains)), image).verdict == "abstain"
    assert finding(AllOf(checks=(fails, abstains)), image).verdict == "fail"


def test_a_verdict_carries_numbers_a_box_and_what_registration_did(scene: Any) -> None:
    import cv2

    large = np.asarray(cv2.resize(scene.draw(), (480, 360)), dtype=np.uint8)
    atom = Atom(id="q", check=ColourAt(region=scene.disc.region, colour=scene.disc.hex))
    verdict = SpecChecker().check(atom, scene.draw(), large)
    assert (verdict.id, verdict.verdict) == ("q", "pass")
    assert verdict.evidence["share"] > 0.95
    assert verdict.box is not None
    assert "scaled from 480 x 360" in verdict.reason
    assert SpecChecker().id.partition("@")[2].isdigit()
