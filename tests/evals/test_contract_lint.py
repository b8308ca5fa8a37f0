"""What lint says of contracts that are formally right, and that it says nothing of good ones."""

from __future__ import annotations

from typing import Any

import pytest

from editplan.evals.checkers.model_specs import DetectedCount, TextReads
from editplan.evals.checkers.regions import box_region
from editplan.evals.checkers.specs import (
    CheckSpec,
    ColourAt,
    NoResidue,
    ObjectAbsent,
    TextEquals,
    UnchangedInside,
    UnchangedOutside,
)
from editplan.evals.contract_lint import lint_contract
from editplan.evals.contracts import Atom, Contract, CriterionGroup
from editplan.evals.suites.puzzles.suite import PuzzleOptions, PuzzleSuite

CUP, TABLE, SPOON = (box_region(box) for box in ((0.1, 0.1, 0.3, 0.3), (0.0, 0.5, 1.0, 1.0), (0.4, 0.6, 0.6, 0.8)))


def atom(name: str, check: CheckSpec | None = None, **fields: Any) -> Atom:
    words = {"question_en": f"Is the {name} right?", "pass_criteria": "Yes.", "fail_criteria": "No."}
    return Atom(id=name, check=check, **{**words, **fields})


def contract(required: list[Atom], protected: list[Atom], **fields: Any) -> Contract:
    groups = [
        CriterionGroup(role=role, property="semantic_accuracy", atoms=tuple(atoms))  # type: ignore[arg-type]
        for role, atoms in (("required", required), ("protected", protected))
    ]
    return Contract(criterion_groups=tuple(groups), **fields)


def remarks(made: Contract, *levels: str) -> list[tuple[str, str]]:
    wanted = levels or ("error", "warning")
    return [(each.rule, each.where) for each in lint_contract(made).findings if each.level in wanted]


GOOD = contract([atom("cup", ColourAt(region=CUP, colour="#0000ff"))], [atom("table", UnchangedInside(region=TABLE))])


def test_a_good_contract_gets_no_remark() -> None:
    assert remarks(GOOD) == []
    assert lint_contract(GOOD).ok


def test_the_contracts_of_puzzles_get_no_remark() -> None:
    for puzzle in PuzzleSuite(PuzzleOptions(count=10, seed=3)).puzzles():
        assert remarks(puzzle.contract) == [], puzzle.case_id


def test_an_atom_inside_another_cant_fail_alone() -> None:
    made = contract(
        list(GOOD.criterion_groups[0].atoms),
        [atom("table", UnchangedInside(region=TABLE)), atom("spoon", UnchangedInside(region=SPOON))],
    )
    assert remarks(made) == [("alone", "spoon")]
    outside = UnchangedOutside(region=CUP)
    made = contract(
        list(GOOD.criterion_groups[0].atoms), [atom("rest", outside), atom("spoon", UnchangedInside(region=SPOON))]
    )
    assert remarks(made) == [("alone", "spoon")]


@pytest.mark.parametrize("check", [ObjectAbsent(source=CUP), NoResidue(region=CUP)])
def test_protecting_what_must_change_is_an_error(check: CheckSpec) -> None:
    made = contract([atom("gone", check)], [atom("cup", UnchangedInside(region=CUP))])
    assert remarks(made) == [("conflict", "cup")]
    assert not lint_contract(made).ok


def test_the_same_claim_twice_is_told() -> None:
    check = UnchangedInside(region=TABLE)
    twice = contract(list(GOOD.criterion_groups[0].atoms), [atom("one", check), atom("two", check)])
    assert remarks(twice) == [("duplicate", "two")]
    words = {"question_en": "Is the wooden table exactly as it was before?"}
    alike = contract(
        [atom("cup")],
        [atom("a", **words), atom("b", question_en="Is the wooden table as it was exactly before?"), atom("c")],
    )
    assert remarks(alike) == [("duplicate", "b")]


def test_a_check_on_both_sides_is_an_error() -> None:
    check = ColourAt(region=CUP, colour="#0000ff")
    assert remarks(contract([atom("a", check)], [atom("b", check)]), "error") == [("duplicate", "b")]


def test_atoms_that_say_nothing_or_never_fail_are_told() -> None:
    empty = atom("empty", question_en="", pass_criteria="", fail_criteria="")
    endless = atom("endless", fail_criteria="")
    assert remarks(contract([empty], [endless])) == [("words", "empty"), ("words", "endless")]


def test_checkers_that_cant_decide_are_told() -> None:
    unread = atom("sign", TextEquals(region=CUP, text="Grüße"), checker_family="ocr")
    undetected = atom("dogs", DetectedCount(region=CUP, label="dog", count=1), checker_family="detection")
    promised = atom("road", checker_family="geometry_topology")
    unknown = atom("mood", checker_family="vibes")
    wrong = atom("kept", UnchangedInside(region=SPOON), checker_family="ocr")
    found = lint_contract(contract([unread, undetected, promised, unknown], [wrong])).findings
    told = {(each.level, each.where) for each in found if each.rule == "checker"}
    assert told == {
        ("error", "sign"),
        ("error", "dogs"),
        ("warning", "road"),
        ("warning", "mood"),
        ("warning", "kept"),
    }


def test_a_request_that_holds_the_answer_leaks_unless_it_is_specified() -> None:
    from editplan.evals.checkers.instruments import Instruments

    number = atom("number", TextReads(region=CUP, text="7"))
    kept = list(GOOD.criterion_groups[1].atoms)
    for regime, level in (("SD", "error"), ("RD", "error"), ("IS", "note"), ("", "note")):
        made = contract([number], kept, instruction="Write 7 into the box.", reasoning_profile={"regime": regime})
        levels = [each.level for each in lint_contract(made, Instruments()).findings if each.rule == "leak"]
        assert levels == [level], regime
    clean = contract([number], kept, instruction="Write the number of 70 stars.", reasoning_profile={"regime": "SD"})
    assert not [each for each in lint_contract(clean).findings if each.rule == "leak"]


def test_a_request_that_speaks_of_its_judging_is_an_error() -> None:
    made = GOOD.model_copy(update={"instruction": "Paint the cup blue so that every atom passes."})
    assert ("leak", "instruction") in remarks(made, "error")


def test_weights_are_shown_and_a_heavy_atom_is_told() -> None:
    groups = (
        CriterionGroup(role="required", property="semantic_accuracy", atoms=(atom("a"),)),
        CriterionGroup(role="required", property="visual_quality", atoms=(atom("b"), atom("c"))),
        CriterionGroup(role="protected", property="semantic_accuracy", atoms=(atom("d"), atom("e"))),
        CriterionGroup(role="protected", property="semantic_accuracy", atoms=(atom("f"),)),
    )
    weights = {each.id: each.weight for each in lint_contract(Contract(criterion_groups=groups)).weights}
    assert weights == {"a": 0.5, "b": 0.25, "c": 0.25, "d": 0.25, "e": 0.25, "f": 0.5}
    heavy = (*groups[:1], *groups[2:3], CriterionGroup(role="protected", property="x", atoms=(atom("g"),)))
    lone = CriterionGroup(role="required", property="semantic_accuracy", atoms=(atom("h"), atom("i")))
    report = lint_contract(Contract(criterion_groups=(*heavy, lone)))
    assert not [each for each in report.findings if each.rule == "weight"]
