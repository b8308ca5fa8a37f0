"""Verdicts on a small task: gates, element resolution, masking, the semantic form, insertion."""

from __future__ import annotations

from typing import Any

import pytest

from editplan.errors import DatasetError
from editplan.evals.protocols.vectorbench import STRICT_SVG, evaluate
from tests.evals.protocols.vectorbench.conftest import INITIAL, TARGET, small_task

Task = dict[str, Any]


def checks(report: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(check["part"], check["attribute"]): check for check in report["expected_changes"]}


def test_the_target_passes_and_the_input_only_keeps(task: Task) -> None:
    right, unchanged = evaluate(task, TARGET), evaluate(task, INITIAL)
    assert (right["status"], right["reward"], right["exact"], right["structural"]) == ("PASS", 1, True, True)
    assert right["unexpected_changed_parts"] == []
    assert (unchanged["status"], unchanged["repair_progress"]) == ("FAIL", 0.0)
    assert unchanged["preservation_pass"]
    assert unchanged["unintended_change_rate"] == 0.0


def test_a_repair_within_tolerance_passes_and_one_beyond_does_not(task: Task) -> None:
    near = evaluate(task, TARGET.replace('cx="50"', 'cx="55.5"'))
    far = evaluate(task, TARGET.replace('cx="50"', 'cx="55.6"'))
    check = checks(near)["sun", "cx"]
    assert (check["tolerance"], check["distance"], check["baseline_distance"]) == (5.5, 5.5, 11.0)
    assert near["status"] == "PASS"
    assert (far["status"], checks(far)["sun", "cx"]["progress"]) == ("NEAR", 0.490909)


def test_near_needs_a_progress_of_four_fifths() -> None:
    task = small_task(expected_diff=small_task()["expected_diff"][:2])
    report = evaluate(task, TARGET.replace('cx="50"', 'cx="61"'))
    assert (report["repair_progress"], report["status"]) == (0.5, "PARTIAL")


def test_a_changed_bystander_is_a_side_effect(task: Task) -> None:
    report = evaluate(task, TARGET.replace("Open", "Closed"))
    assert report["status"] == "SIDE_EFFECTS"
    assert report["failure_reasons"] == ["unintended_document_changes"]
    assert report["unexpected_changed_parts"] == ["label", "sign"]
    assert report["unintended_change_rate"] == 0.5


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('fill="none"', 'style="fill: none"'),
        ('<rect id="board"', '<rect aria-label="a board" id="board"'),
        ('x="10" y="10"', 'y="1.0e1" x="10.00"'),
        ('id="sky"', 'id="heaven"'),
        ('id="board"', 'id="plank"'),
    ],
)
def test_the_semantic_form_forgives_what_cannot_be_seen(task: Task, old: str, new: str) -> None:
    svg = TARGET.replace(old, new).replace("#sky", "#heaven" if "heaven" in new else "#sky")
    assert evaluate(task, svg)["status"] == "PASS"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('<rect id="board"', '<rect data-note="x" id="board"'),
        ('<rect id="board"', '<rect class="x" id="board"'),
        ('<text id="label">', '<text id="label" font-weight="bold">'),
        ("</text>", "</text>tail"),
        ('<g id="sign">', '<g id="sign"><title>a</title>'),
        (' xmlns="http://www.w3.org/2000/svg"', ""),
    ],
)
def test_the_semantic_form_keeps_what_a_page_could_use(task: Task, old: str, new: str) -> None:
    assert evaluate(task, TARGET.replace(old, new))["preservation_pass"] is False


def test_source_preservation_is_strict_where_preservation_forgives(task: Task) -> None:
    report = evaluate(task, TARGET.replace('id="board"', 'id="plank"'))
    assert report["preservation_pass"]
    assert not report["source_preservation_pass"]
    assert report["source_preservation"] == 0.5
    assert report["preservation"] == 1.0


def test_a_renamed_element_is_found_at_its_place_only_while_the_levels_above_agree(task: Task) -> None:
    renamed = TARGET.replace('id="sun"', 'id="star"')
    assert checks(evaluate(task, renamed))["sun", "cx"]["produced"] == 50
    shifted = renamed.replace("</svg>", "<rect/></svg>")
    assert checks(evaluate(task, shifted))["sun", "cx"]["produced"] is None


def test_a_deletion_is_looked_for_by_id_only(task: Task) -> None:
    renamed = INITIAL.replace('id="smudge"', 'id="stain"')
    assert checks(evaluate(task, renamed))["smudge", "exists"]["passed"]
    assert not checks(evaluate(task, INITIAL))["smudge", "exists"]["passed"]


def test_an_insertion_is_measured_by_its_worst_attribute(task: Task) -> None:
    check = checks(evaluate(task, TARGET.replace('x2="9"', 'x2="11"')))["ray", "exists"]
    assert (check["comparison"], check["distance"], check["passed"]) == ("inserted-subtree", 0.363636, True)
    far = checks(evaluate(task, TARGET.replace('x2="9"', 'x2="20"')))["ray", "exists"]
    assert (far["passed"], far["detail"]) == (False, "inserted element x2 is outside tolerance")
    other = checks(evaluate(task, TARGET.replace('<line id="ray"', '<line id="ray" stroke="red"')))["ray", "exists"]
    assert (other["distance"], other["detail"]) == (None, "inserted element attributes differ")


def test_values_in_style_and_in_transforms_are_read() -> None:
    change = [{"part": "sign", "attribute": "x", "before": 9, "after": 4}]
    target = TARGET.replace('<g id="sign">', '<g id="sign" transform="translate(4, 2)">')
    task = small_task(target_svg=target, expected_diff=change, should_preserve=["wall"])
    assert checks(evaluate(task, target))["sign", "x"]["produced"] == 4
    moved = evaluate(task, target.replace("translate(4, 2)", "translate(5 2)"))
    assert moved["repair_pass"]
    assert not moved["preservation_pass"], "x realised by a transform is not masked"


@pytest.mark.parametrize(
    ("svg", "reason"),
    [
        (TARGET[:-1], "not well-formed"),
        ("I can't do that.", "not well-formed"),
        (TARGET.replace('id="board"', 'id="wall"'), "used twice"),
        (TARGET.replace('id="board"', 'id=""'), "empty"),
        (TARGET.replace("M8 18 C42", "M8 18 C42 1.5.5"), "<path d>"),
        (TARGET.replace('viewBox="0 0 220 140"', 'viewBox="0 0 0 140"'), "<svg viewBox>"),
        (TARGET.replace('<g id="sign"', '<g transform="rotate(1 2)" id="sign"'), "<g transform>"),
        (TARGET.replace('<g id="sign"', '<g style="fill" id="sign"'), "<g style>"),
        (TARGET.replace('<g id="sign"', '<polygon points="1 2 3"/><g id="sign"'), "<polygon points>"),
        (TARGET.replace("url(#sky)", "url(#sea)"), "#sea"),
        (TARGET.replace("<text", '<use href="#sea"/><text'), "#sea"),
        (TARGET.replace("<text", "<style>a{fill:url('#sea')}</style><text"), "#sea"),
        ("<html/>", "not <svg>"),
    ],
)
def test_invalid_documents_get_no_credit_and_a_reason(task: Task, svg: str, reason: str) -> None:
    report = evaluate(task, svg)
    assert reason in report["invalid_reason"]
    assert (report["status"], report["repair_progress"], report["edit_completion"]) == ("INVALID", 0.0, 0.0)
    assert report["failure_reasons"][0] == "invalid_svg"
    assert not any(check["passed"] for check in report["expected_changes"])


def test_a_missing_answer_is_an_error_and_not_an_invalid_output(task: Task) -> None:
    report = evaluate(task, None)
    assert (report["status"], report["unintended_change_rate"], report["failure_reasons"]) == ("ERR", 1.0, [])


def test_strict_svg_reads_what_the_official_subset_does_not(task: Task) -> None:
    compact = TARGET.replace("M8 18 C42 10 74 10 108 18", "M8 18C42,10 74 10 108.0.0 18")
    compact = compact.replace("108.0.0 18", "108 18").replace("M8 18C42,10", "M8 18l0.0.0C42,10")
    assert evaluate(task, compact)["status"] == "INVALID"
    assert evaluate(task, compact, STRICT_SVG)["validity_pass"]
    orange = TARGET.replace("#f59e0b", "hsl(37.7 92.1% 50.2%)")
    official, strict = evaluate(task, orange), evaluate(task, orange, STRICT_SVG)
    assert checks(official)["sun", "fill"]["comparison"] == "canonical-color"
    assert checks(strict)["sun", "fill"]["passed"]
    assert strict["status"] == "PASS"


def test_a_task_without_a_needed_field_names_it(task: Task) -> None:
    del task["target_svg"]
    with pytest.raises(DatasetError, match=r"small.*target_svg"):
        evaluate(task, TARGET)
    with pytest.raises(DatasetError, match="part"):
        evaluate(small_task(expected_diff=[{"attribute": "x"}]), TARGET)
