"""Every case stays in N."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from editplan.evals.protocols.wiseedit import strict_tables
from editplan.evals.protocols.wiseedit.layout import Metric, scaled, weighted_average

SCORES = [f"{code}_score_{language}" for language in ("cn", "en") for code in ("DP", "IF", "VQ", "KF", "CF")]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Four Imagination cases: whole, output missing in en, one judge failure in en, unreadable in en."""
    rows = {
        "1": ["10", "10", "10", "", "10"] * 2,
        "2": ["10", "10", "10", "", "10", "0", "0", "0", "", "0"],
        "3": ["10", "10", "10", "", "10", "0", "10", "10", "", "10"],
        "4": ["10", "10", "10", "", "10", "great", "10", "10", "", "10"],
    }
    dataset = tmp_path / "dataset" / "WiseEdit" / "Imagination" / "Imagination_1" / "Imagination_1.csv"
    scores = tmp_path / "scores" / "M" / "score_Imagination_1.csv"
    for path, header in ((dataset, []), (scores, SCORES)):
        path.parent.mkdir(parents=True)
        with path.open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["idx", "input_1", "prompt", *header])
            writer.writerows([[idx, "a.png", "edit", *(cells if header else [])] for idx, cells in rows.items()])
    return tmp_path


def test_a_missing_output_is_the_floor_and_a_failed_call_is_missing(tree: Path) -> None:
    cell = strict_tables(tree / "dataset", tree / "scores", "M").cells["Imagination_detail_preserving_en"]
    assert cell.value == 50.0
    assert (cell.n, cell.missing_outputs, cell.unmeasured) == (4, 1, 2)
    assert cell.bounds == (25.0, 75.0)
    assert not cell.complete


def test_one_language_does_not_touch_the_other(tree: Path) -> None:
    table = strict_tables(tree / "dataset", tree / "scores", "M")
    assert table.cells["Imagination_detail_preserving_cn"].value == 100.0
    assert table.averages["Imagination_overall_cn"] == 100.0
    assert table.averages["basic_overall_cn"] is None


def test_a_preflight_decides_what_is_missing(tree: Path) -> None:
    table = strict_tables(tree / "dataset", tree / "scores", "M", missing_outputs={("Imagination_1", "en", "1")})
    cell = table.cells["Imagination_visual_quality_en"]
    assert (cell.missing_outputs, cell.unmeasured) == (1, 1)


def test_what_was_never_judged_has_no_cell(tree: Path) -> None:
    (tree / "scores" / "M" / "score_Imagination_1.csv").unlink()
    table = strict_tables(tree / "dataset", tree / "scores", "M")
    assert table.cells == {}
    assert table.averages["Imagination_overall_en"] is None


def test_the_average_weighs_knowledge_and_creativity_where_they_are_judged() -> None:
    # The paper's FLUX.2 row: (59.4 + 58.4 + 67.5) / 3 is its total of 61.8.
    steps = dict(zip(list(Metric)[:3], (59.4, 58.4, 67.5), strict=True))
    assert round(weighted_average(steps, alpha=0, beta=0), 1) == 61.8
    scores = {**steps, Metric.KNOWLEDGE_FIDELITY: 10.0, Metric.CREATIVE_FUSION: 20.0}
    assert weighted_average(scores, alpha=1, beta=0) == pytest.approx((185.3 + 10) / 4)
    assert weighted_average(scores, alpha=1, beta=1) == pytest.approx((185.3 + 30) / 5)


def test_the_scale_maps_one_to_zero_and_ten_to_a_hundred() -> None:
    assert (scaled(1), scaled(10), scaled(5.5), scaled(0)) == (0.0, 100.0, 50.0, 0.0)
