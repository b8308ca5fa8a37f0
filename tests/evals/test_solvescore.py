"""SolveScore against the published scorer's figures, worked examples and properties."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.errors import DatasetError
from editplan.evals.contracts import CONTRACT_V3
from editplan.evals.solvescore import DIAGNOSTICS, score_judge_reply, weighted_atoms

FIXTURES = Path(__file__).parents[1] / "data" / "solveedit" / "score_fixtures.jsonl"


def contract(*groups: tuple[str, str, str]) -> dict[str, Any]:
    """A contract of groups (role, property, atom ids joined by spaces)."""
    return {
        "schema_version": CONTRACT_V3,
        "criterion_groups": [
            {"role": role, "property": name, "atoms": [{"id": atom} for atom in atoms.split()]}
            for role, name, atoms in groups
        ],
    }


def reply(gate: object = "pass", **verdicts: str) -> dict[str, Any]:
    items = [{"id": atom, "verdict": verdict} for atom, verdict in verdicts.items()]
    return {"quality_gate": {"status": gate}, "atomic_results": items}


EXAMPLE = contract(("required", "semantic_accuracy", "a b c d"), ("protected", "semantic_accuracy", "x y"))


def test_published_scorer_gives_the_same_figures() -> None:
    lines = FIXTURES.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 150
    for line in lines:
        row = json.loads(line)
        got, expected = score_judge_reply(row["contract"], row["judge_reply"]), row["expected"]
        assert got.weights == pytest.approx(expected["weights"], abs=1e-12)
        assert got.verdicts == expected["verdicts"]
        assert got.gate == expected["gate"]
        figures = {
            "reward_score": round(got.required, 6),
            "penalty_deduct": round(got.damage, 6),
            "base_score": round(got.base, 6),
            "final_score": round(got.score, 6),
            "evidence_coverage": round(got.coverage, 6),
            "abstain_count": got.n_abstained,
            "question_count": got.n_atoms,
            "leaderboard_eligible": got.leaderboard_eligible,
        }
        assert figures == expected["scoring"]


def test_weights_are_split_by_property_then_group_then_atom() -> None:
    weighted = weighted_atoms(
        contract(
            ("required", "semantic_accuracy", "a"),
            ("required", "semantic_accuracy", "b c"),
            ("required", "relational_accuracy", "d"),
        )
    )
    assert {atom.id: atom.weight for atom in weighted} == {"a": 0.25, "b": 0.125, "c": 0.125, "d": 0.5}


def test_worked_example_of_the_paper() -> None:
    got = score_judge_reply(EXAMPLE, reply(a="pass", b="pass", c="partial", d="fail", x="pass", y="partial"))
    assert (got.required, got.damage, got.score) == (0.625, 0.25, 0.5)
    assert got.diagnostics["required.semantic_accuracy"] == 0.625
    assert got.diagnostics["protected.semantic_accuracy"] == 0.75
    assert got.diagnostics["required.visual_quality"] is None


@pytest.mark.parametrize(
    ("role", "name", "atoms"),
    [("forbidden", "p", "z"), ("required", "  ", "z"), ("required", "semantic_accuracy", "")],
)
def test_groups_that_do_not_count_change_nothing(role: str, name: str, atoms: str) -> None:
    with_extra = {**EXAMPLE, "criterion_groups": [*EXAMPLE["criterion_groups"], _group(role, name, atoms)]}
    answer = reply(a="pass", b="pass", c="partial", d="fail", x="pass", y="partial", z="fail")
    assert score_judge_reply(with_extra, answer) == score_judge_reply(EXAMPLE, answer)


def _group(role: str, name: str, atoms: str) -> object:
    return contract((role, name, atoms))["criterion_groups"][0]


def test_junk_in_the_contract_is_passed_over() -> None:
    junk = {
        "schema_version": CONTRACT_V3,
        "criterion_groups": [
            None,
            "x",
            {"role": None, "property": "p", "atoms": [{"id": "n"}]},
            {"role": "required", "property": "p", "atoms": None},
            {"role": " REQUIRED ", "property": " P ", "atoms": [{"id": "a"}, {"id": ""}, {}, 7, {"id": 3}]},
        ],
    }
    got = score_judge_reply(junk, {"quality_gate": {"status": " PASS"}, "atomic_results": {"3": {"status": "Pass "}}})
    assert got.weights == {"a": 0.5, "3": 0.5}
    assert (got.score, got.damage, got.coverage, got.leaderboard_eligible) == (0.5, 0.0, 0.5, False)
    assert got.diagnostics["required.p"] == 1.0


def test_reply_as_a_dict_equals_the_reply_as_a_list() -> None:
    listed = reply(a="pass", b="partial", x="fail")
    by_id = {item["id"]: {"id": "ignored", "verdict": item["verdict"]} for item in listed["atomic_results"]}
    assert score_judge_reply(EXAMPLE, {**listed, "atomic_results": by_id}) == score_judge_reply(EXAMPLE, listed)


def test_last_duplicate_wins_and_strangers_are_ignored() -> None:
    answer = reply(a="pass")
    answer["atomic_results"] += [{"id": "a", "status": "fail"}, {"id": "ghost", "verdict": "pass"}, "x", None]
    got = score_judge_reply(EXAMPLE, answer)
    assert got.verdicts["a"] == "fail"
    assert got.n_abstained == 5
    assert "ghost" not in got.verdicts


@pytest.mark.parametrize("confidence", [None, "x", float("nan"), float("inf"), -1, 7, [], {}, "0.5", 10**400])
def test_no_confidence_breaks_the_reading(confidence: object) -> None:
    answer = {
        "quality_gate": {"status": "pass"},
        "atomic_results": {"a": {"verdict": "pass", "confidence": confidence}},
    }
    assert score_judge_reply(EXAMPLE, answer).required == 0.25


@pytest.mark.parametrize("gate", ["fail", "abstain", "maybe", "", None, 3])
def test_anything_but_a_passed_gate_scores_zero(gate: object) -> None:
    got = score_judge_reply(EXAMPLE, reply(gate, a="pass", b="pass", c="pass", d="pass", x="pass", y="pass"))
    assert (got.score, got.base, got.leaderboard_eligible) == (0.0, 1.0, False)
    assert got.gate == ("fail" if gate == "fail" else "abstain")


@pytest.mark.parametrize("answer", [{}, {"quality_gate": "pass"}, {"atomic_results": "none"}, {"atomic_results": 5}])
def test_an_empty_reply_abstains_on_everything(answer: dict[str, Any]) -> None:
    got = score_judge_reply(EXAMPLE, answer)
    assert (got.score, got.required, got.damage, got.coverage, got.gate) == (0.0, 0.0, 0.0, 0.0, "abstain")


def test_abstaining_earns_nothing_and_damages_nothing() -> None:
    got = score_judge_reply(EXAMPLE, reply(a="pass", b="abstain", c="abstain", d="abstain"))
    assert (got.required, got.damage, got.score) == (0.25, 0.0, 0.25)


def test_coverage_counts_both_roles_and_nine_tenths_are_enough() -> None:
    twelve = contract(("required", "p", "a b c d e f"), ("protected", "p", "u v w x y z"))
    eleven = score_judge_reply(twelve, reply(**dict.fromkeys("abcdefuvwxy", "pass")))
    assert (eleven.coverage, eleven.leaderboard_eligible) == (pytest.approx(11 / 12), True)
    ten = score_judge_reply(twelve, reply(**dict.fromkeys("abcdefuvwx", "pass")))
    assert (ten.coverage, ten.leaderboard_eligible) == (pytest.approx(10 / 12), False)


def test_a_legacy_contract_deducts_its_points_whole() -> None:
    legacy = {
        "reward_questions": [{"id": "a", "points": 3}, {"id": "b", "points": "1"}, {"points": 9}, "x"],
        "penalty_questions": [{"id": "x", "max_deduct": 0.25}, {"id": "y", "max_deduct": None}],
    }
    got = score_judge_reply(legacy, reply(a="pass", b="fail", x="fail", y="fail"))
    assert (got.required, got.damage, got.score) == (0.75, 0.25, 0.5)
    assert got.weights == {"a": 3.0, "b": 1.0, "x": 0.25, "y": 0.0}


def test_a_legacy_weight_that_is_no_number_is_named() -> None:
    with pytest.raises(DatasetError, match=r"\$\.reward_questions\[0\]\.points is 'many'"):
        score_judge_reply({"reward_questions": [{"id": "a", "points": "many"}]}, {})


groups = st.lists(
    st.tuples(
        st.sampled_from(["required", "protected"]),
        st.sampled_from(["semantic_accuracy", "relational_accuracy", "own"]),
        st.integers(1, 4),
    ),
    min_size=1,
    max_size=8,
)
verdict_words = st.sampled_from(["pass", "partial", "fail", "abstain"])


@st.composite
def judged(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, str]]:
    drawn, names = draw(groups), iter(range(100))
    raw = contract(*((role, name, " ".join(f"q{next(names)}" for _ in range(n))) for role, name, n in drawn))
    ids = [atom.id for atom in weighted_atoms(raw)]
    return raw, {atom: draw(verdict_words) for atom in ids}


@given(judged())
def test_each_role_has_weight_one_and_figures_stay_in_range(case: tuple[dict[str, Any], Mapping[str, str]]) -> None:
    raw, verdicts = case
    got = score_judge_reply(raw, reply(**verdicts))
    for role in {atom.role for atom in weighted_atoms(raw)}:
        assert sum(a.weight for a in weighted_atoms(raw) if a.role == role) == pytest.approx(1.0)
    for figure in (got.score, got.required, got.damage, got.coverage):
        assert 0.0 <= figure <= 1.0 + 1e-9
    assert set(DIAGNOSTICS) <= set(got.diagnostics)


@given(judged(), st.data())
def test_a_better_verdict_never_lowers_the_score(
    case: tuple[dict[str, Any], dict[str, str]], data: st.DataObject
) -> None:
    raw, verdicts = case
    atom = data.draw(st.sampled_from(sorted(verdicts)))
    better = {"fail": "partial", "partial": "pass"}.get(verdicts[atom], verdicts[atom])
    before = score_judge_reply(raw, reply(**verdicts)).score
    assert score_judge_reply(raw, reply(**{**verdicts, atom: better})).score >= before - 1e-12
