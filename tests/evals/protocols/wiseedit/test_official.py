"""The published statistics, to the last digit, and what happens where the published script stops."""

from __future__ import annotations

import csv
import os
import shutil
import time
from pathlib import Path

import pytest

from editplan.errors import DatasetError
from editplan.evals.protocols.wiseedit import official_tables, report_lines, write_tables

TREE = Path(__file__).parents[3] / "data" / "wiseedit"
FULL_SET = Path(os.environ.get("EDITPLAN_SHARED", Path(__file__).parents[5] / "shared")) / "data" / "wiseedit"

COLUMNS = ["idx", "input_1", "prompt", "promptcn", "hint", "ref"]
SCORES = [f"{code}_score_{language}" for language in ("cn", "en") for code in ("DP", "IF", "VQ", "KF", "CF")]


def published(tree: Path, table: str) -> dict[str, str]:
    with (tree / "expected" / f"M_{table}.csv").open(encoding="utf-8-sig", newline="") as file:
        return next(csv.DictReader(file))


def assert_published(tree: Path) -> None:
    tables = official_tables(tree / "dataset", tree / "scores", "M")
    for name, cells in tables.items():
        assert {column: str(value) for column, value in cells.items()} == published(tree, name)
        assert list(cells) == list(published(tree, name))


def test_every_figure_equals_the_published_one_and_comes_quickly() -> None:
    started = time.process_time()
    assert_published(TREE)
    assert time.process_time() - started < 2


@pytest.mark.skipif(not FULL_SET.is_dir(), reason="the full fixture set lies elsewhere")
@pytest.mark.parametrize("tree", ["tree1", "tree2", "tree3"])
def test_the_full_set(tree: str) -> None:
    assert_published(FULL_SET / tree)


def test_written_tables_are_the_published_files(tmp_path: Path) -> None:
    paths = write_tables(official_tables(TREE / "dataset", TREE / "scores", "M"), tmp_path)
    assert [path.name for path in paths] == ["M_cn.csv", "M_en.csv", "M_complex.csv"]
    for path in paths:
        assert path.read_bytes() == (TREE / "expected" / path.name).read_bytes()


def make_subset(root: Path, folder: str, rows: dict[str, dict[str, str]], *, scored: bool = True) -> None:
    """A one-image subset of the dataset and its score file under `scores/M`."""
    name = folder.rsplit("/", 1)[-1]
    dataset = root / "dataset" / folder / f"{name}.csv"
    dataset.parent.mkdir(parents=True)
    (root / "scores" / "M").mkdir(parents=True, exist_ok=True)
    with dataset.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows([[idx, "a.png", "edit", "编辑", "", ""] for idx in rows])
    if scored:
        with (root / "scores" / "M" / f"score_{name}.csv").open("w", encoding="utf-8-sig", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*COLUMNS, *SCORES])
            for idx, cells in rows.items():
                writer.writerow([idx, "a.png", "edit", "", "", "", *(cells.get(column, "") for column in SCORES)])


def cells(value: str, languages: tuple[str, ...] = ("cn", "en"), **changes: str) -> dict[str, str]:
    row = {column: value for column in SCORES if column.rsplit("_", 1)[-1] in languages}
    return {**row, **changes}


AWARENESS = "WiseEdit/Awareness/Awareness_1"


def awareness(tmp_path: Path, *rows: dict[str, str]) -> dict[str, object]:
    make_subset(tmp_path, AWARENESS, {str(number): row for number, row in enumerate(rows, start=1)})
    tables = official_tables(tmp_path / "dataset", tmp_path / "scores", "M")
    return {**tables["cn"], **tables["en"], **tables["complex"]}


def test_one_zero_drops_the_row_in_both_languages(tmp_path: Path) -> None:
    table = awareness(tmp_path, cells("10"), cells("1", VQ_score_en="0"))
    assert table["Awareness_detail_preserving_cn"] == 100.0
    assert table["Awareness_visual_quality_en"] == 100.0


def test_a_metric_that_is_not_judged_may_be_empty(tmp_path: Path) -> None:
    assert awareness(tmp_path, cells("10", CF_score_cn="", CF_score_en="0"))["Awareness_overall_en"] == 100.0


def test_a_fraction_counts_one_and_a_negative_is_skipped(tmp_path: Path) -> None:
    table = awareness(tmp_path, cells("10", IF_score_cn="7.5"), cells("10", IF_score_cn="-3"))
    assert table["Awareness_instruction_following_cn"] == 0.0
    assert table["Awareness_detail_preserving_cn"] == 100.0


def test_metric_means_are_rounded_before_they_are_averaged(tmp_path: Path) -> None:
    table = awareness(tmp_path, cells("5"), cells("5"), cells("6", KF_score_cn="5"))
    assert table["Awareness_detail_preserving_cn"] == 48.1
    assert table["Awareness_overall_cn"] == (48.1 + 48.1 + 48.1 + 44.4) / 4


def test_rows_are_pooled_over_subsets_and_a_missing_score_file_counts_one(tmp_path: Path) -> None:
    make_subset(tmp_path, "WiseEdit/Awareness/Awareness_2", {"1": {}, "2": {}, "3": {}}, scored=False)
    assert awareness(tmp_path, cells("10"))["Awareness_overall_en"] == 25.0


def test_an_absent_category_is_not_run(tmp_path: Path) -> None:
    table = awareness(tmp_path, cells("10"))
    assert table["Imagination_overall_cn"] is None
    assert table["basic_overall_cn"] is None
    assert table["WiseEdit_Complex_overall"] is None
    tables = official_tables(tmp_path / "dataset", tmp_path / "scores", "M")
    write_tables(tables, tmp_path)
    assert "not run" in (tmp_path / "M_complex.csv").read_text(encoding="utf-8-sig")


@pytest.mark.parametrize("absent", ["", "0"])
def test_a_language_without_any_score_is_not_run_and_the_other_stands_alone(tmp_path: Path, absent: str) -> None:
    blank = {column: absent for column in SCORES if column.endswith("_cn")}
    table = awareness(tmp_path, cells("10", **blank), cells("4", **blank, IF_score_en="0"))
    assert table["Awareness_overall_cn"] is None
    assert table["Awareness_overall_en"] == 100.0


def copied(tmp_path: Path) -> Path:
    shutil.copytree(TREE, tmp_path / "tree")
    return tmp_path / "tree"


SCORE_FILE = "scores/M/score_Awareness_1.csv"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (SCORE_FILE, b"\r\n2,", b"\r\n1,", "idx '1' appears twice, first on line 2"),
        (SCORE_FILE, b"\r\n2,", b"\r\n9999,", r"missing \['2'\], extra \['9999'\]"),
        (SCORE_FILE, b"idx,", b"index,", r"columns \['idx'\] are missing; the header has \['index'"),
        (SCORE_FILE, b"_score_", b"_points_", "no score column"),
        (SCORE_FILE, b"\r\n2,", b"\r\n2,,,,,,,,,,,,,,,,,,,,,,,", "cells under 16 columns"),
        (SCORE_FILE, b"edit 2", b"\xff\xfe", "not UTF-8"),
        (SCORE_FILE, b"edit 2", b'"edit 2', "broken CSV"),
        ("dataset/WiseEdit/Awareness/Awareness_1/Awareness_1.csv", b"\r\n2,", b"\r\n1,", "idx '1' appears twice"),
    ],
)
def test_a_broken_file_is_a_precise_error(tmp_path: Path, file: str, old: bytes, new: bytes, message: str) -> None:
    tree = copied(tmp_path)
    content = (tree / file).read_bytes()
    assert old in content
    (tree / file).write_bytes(content.replace(old, new, -1 if old == b"_score_" else 1))
    with pytest.raises(DatasetError, match=message) as error:
        official_tables(tree / "dataset", tree / "scores", "M")
    assert Path(file).name in str(error.value)


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_byte_order_mark_and_line_ends_do_not_matter(tmp_path: Path, newline: bytes, mark: bytes) -> None:
    tree = copied(tmp_path)
    for path in tree.rglob("*.csv"):
        if path.parent.name != "expected":
            content = path.read_bytes().removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
            path.write_bytes(mark + content.replace(b"\n", newline))
    assert_published(tree)


def test_an_unknown_model_or_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="'Nobody'"):
        official_tables(TREE / "dataset", TREE / "scores", "Nobody")
    with pytest.raises(DatasetError, match="give the WiseEdit-Benchmark folder"):
        official_tables(tmp_path, TREE / "scores", "M")


def test_the_printed_lines_have_the_published_order_and_letters() -> None:
    lines = report_lines(official_tables(TREE / "dataset", TREE / "scores", "M"))
    assert [line.task for line in lines[:5]] == [
        "Awareness",
        "Interpretation",
        "Imagination",
        "WiseEdit_Complex",
        "Basic overall",
    ]
    assert lines[0].figures == {"DF": "42.4", "IF": "53.5", "VQ": "31.3", "KF": "59.6", "AVG": "46.7"}
    assert lines[4].figures == {"AVG": "50.4"}


def test_printed_lines_say_what_was_not_run(tmp_path: Path) -> None:
    awareness(tmp_path, cells("10"))
    lines = report_lines(official_tables(tmp_path / "dataset", tmp_path / "scores", "M"))
    assert lines[1].figures["AVG"] == "not run"
    assert lines[0].figures["AVG"] == "100.0"
