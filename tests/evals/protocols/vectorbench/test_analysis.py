"""Tables, ranking, controls, families and sensitivity."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.evals.protocols.vectorbench import evaluate, evaluate_task, read_task
from editplan.evals.protocols.vectorbench.controls import Control, control_outputs
from editplan.evals.protocols.vectorbench.published import FULL_COLUMNS, MAIN_COLUMNS, table
from editplan.evals.protocols.vectorbench.sensitivity import (
    form_sensitivity,
    grammar_sensitivity,
    tolerance_sensitivity,
)
from editplan.evals.protocols.vectorbench.tables import (
    Decomposition,
    ScoredOutput,
    decomposition,
    family_of,
    family_rows,
    model_rows,
    summary,
    wilson,
)
from tests.evals.protocols.vectorbench.conftest import INITIAL, TARGET, small_task

Rows = list[tuple[dict[str, Any], dict[str, Any]]]


@pytest.fixture(scope="module")
def scored(rows: Rows) -> list[ScoredOutput]:
    return [
        ScoredOutput(
            model=row["model"],
            task_id=row["task_id"],
            report=evaluate(task, row["svg"]),
            families=tuple(family_of(change["attribute"]) for change in task["expected_diff"]),
        )
        for task, row in rows
    ]


def test_wilson_interval_of_the_published_leader() -> None:
    low, high = wilson(6, 40)
    assert (round(low * 100, 2), round(high * 100, 2)) == (7.06, 29.07)
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_interval_holds_the_share(count_and_n: tuple[int, int]) -> None:
    count, n = count_and_n
    low, high = wilson(count, n)
    assert 0.0 <= low <= count / n + 1e-12
    assert count / n - 1e-12 <= high <= 1.0


def test_rows_reconcile_to_n_and_rank_by_full_progress_ucr_validity_name(scored: list[ScoredOutput]) -> None:
    rows = model_rows(scored)
    assert len(rows) == 34
    assert all(sum(row.statuses.values()) == row.full.n == 3 for row in rows)
    keys = [(-row.full.count, -row.progress) for row in rows]
    assert keys == sorted(keys)
    silent = [row for row in rows if row.valid.count == 0]
    assert silent
    assert all(row.ucr is None and row.valid_progress is None for row in silent)


def test_ties_fall_to_ucr_with_none_last_then_to_the_name() -> None:
    good = evaluate(small_task(), INITIAL)
    worse = {**good, "unintended_change_rate": 0.5}
    reports = {"b": good, "a": good, "c": worse, "d": evaluate(small_task(), "<svg")}
    outputs = [ScoredOutput(model=name, task_id="small", report=report) for name, report in reports.items()]
    assert [row.model for row in model_rows(outputs)] == ["a", "b", "c", "d"]


def test_each_output_stops_at_its_first_failed_gate(scored: list[ScoredOutput]) -> None:
    counts = decomposition(output.report for output in scored)
    statuses = [output.report["status"] for output in scored]
    incomplete = sum(statuses.count(name) for name in ("NEAR", "PARTIAL", "FAIL"))
    assert incomplete > 0
    assert counts == Decomposition(
        invalid=statuses.count("INVALID") + statuses.count("ERR"),
        incomplete=incomplete,
        side_effects=statuses.count("SIDE_EFFECTS"),
        passed=statuses.count("PASS"),
    )


def test_tables_have_the_published_columns() -> None:
    report = evaluate(small_task(), TARGET)
    row = summary("m", [ScoredOutput(model="m", task_id="small", report=report, cost_usd=0.25, truncated=True)])
    main, full = table([row]), table([row], FULL_COLUMNS)
    assert main[0] == tuple(title for title, _ in MAIN_COLUMNS)
    assert main[1] == ("m", "100.0", "0.0", "100.0", "100.0", "100.0", "0.0", "100.0", "$0.250")
    assert full[0][-2:] == ("Trunc.", "Errors")
    assert full[1][-3:] == ("20.65-100.00", "100.0", "0.0")


def test_families_count_missing_answers_as_missed() -> None:
    task = small_task()
    families = tuple(family_of(change["attribute"]) for change in task["expected_diff"])
    assert families == ("Position/shape", "Color", "Path shape", "Add/remove", "Add/remove")
    outputs = [
        ScoredOutput(model="m", task_id="small", report=evaluate(task, svg), families=families)
        for svg in (TARGET, None)
    ]
    found = {row.family: (row.n, row.progress, row.passed.count) for row in family_rows(outputs)}
    assert found["Add/remove"] == (4, 0.5, 2)
    assert found["Color"] == (2, 0.5, 1)
    assert "Opacity" not in found
    assert family_of("height") == "Other"


def test_the_four_controls(rows: Rows) -> None:
    tasks = {task["task_id"]: read_task(task) for task, _ in rows}
    figures = {}
    for control in Control:
        outputs = [
            ScoredOutput(model=control, task_id=name, report=evaluate_task(task, control_outputs(task)[control]))
            for name, task in tasks.items()
        ]
        row = summary(control, outputs)
        figures[control] = (row.full.value, row.repair.value, row.progress, row.clean.value, row.valid.value)
        if control is Control.MALFORMED:
            assert row.ucr is None
        elif control is Control.SIDE_EFFECT:
            shares = [1 / len(task.should_preserve) for task in tasks.values()]
            assert row.ucr == pytest.approx(sum(shares) / len(shares))
        else:
            assert row.ucr == 0.0
    assert figures == {
        Control.CORRUPTED_INPUT: (0.0, 0.0, 0.0, 1.0, 1.0),
        Control.HIDDEN_TARGET: (1.0, 1.0, 1.0, 1.0, 1.0),
        Control.SIDE_EFFECT: (0.0, 1.0, 1.0, 0.0, 1.0),
        Control.MALFORMED: (0.0, 0.0, 0.0, 0.0, 0.0),
    }


def test_tolerances_change_repairs_and_nothing_else(scored: list[ScoredOutput]) -> None:
    tight, official, loose = tolerance_sensitivity([output.report for output in scored])
    assert official.passes == sum(output.report["reward"] for output in scored)
    assert official.flipped == ()
    assert tight.repairs <= official.repairs <= loose.repairs
    assert tight.clean == official.clean == loose.clean


def test_scaled_tolerances_keep_the_ceiling_at_nine_tenths_of_the_change() -> None:
    report = evaluate(small_task(), TARGET.replace('cx="50"', 'cx="58"'))
    nothing = evaluate(small_task(), TARGET.replace('cx="50"', 'cx="60"'))
    assert [row.repairs for row in tolerance_sensitivity([report])] == [0, 0, 1]
    assert [row.repairs for row in tolerance_sensitivity([nothing], scales=(2.0,))] == [0]


@pytest.mark.parametrize(
    ("svg", "passing"),
    [
        (TARGET.replace("Open", "Closed"), ()),
        (TARGET, ("published", "any element order", "style storage counts", "id renames count")),
        (
            TARGET.replace('fill="none"', 'style="fill:none"'),
            ("published", "any element order", "id renames count"),
        ),
        (
            TARGET.replace('id="board"', 'id="plank"'),
            ("published", "any element order", "style storage counts"),
        ),
        (
            TARGET.replace('<text id="label">Open</text>', "").replace(
                '<rect id="board"', '<text id="label">Open</text><rect id="board"'
            ),
            ("any element order",),
        ),
    ],
)
def test_variants_of_the_semantic_form(svg: str, passing: tuple[str, ...]) -> None:
    task = read_task(small_task())
    assert tuple(row.variant for row in form_sensitivity([(task, svg)]) if row.passes) == passing


def test_grammars_are_compared() -> None:
    task = read_task(small_task())
    compact = TARGET.replace("M8 18 C42", "M8 18l0.0.0C42")
    official, strict = grammar_sensitivity([(task, compact)])
    assert (official.variant, official.passes) == ("official", 0)
    assert strict.variant == "strict_svg"
