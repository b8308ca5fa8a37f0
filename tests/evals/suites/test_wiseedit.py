"""WiseEdit as a suite: a case a language, hostile CSV by item, and a whole run with its published table."""

import json
from pathlib import Path
from typing import Any

import pytest

from editplan.errors import DatasetError, SpecError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.protocols.wiseedit import official_tables
from editplan.evals.suites.registry import resolve_suite
from editplan.store import ImageStore
from tests.evals.suites.running import Ran, experiment_file
from tests.evals.suites.trees import wiseedit_tree

GOOD = {"idx": "1", "input_1": "imgs/one.png", "prompt": "Make it blue.", "promptcn": "变蓝", "ref": "", "hint": ""}


def items_of(spec: str) -> dict[str, Case | InvalidCase]:
    return {item.case_id: item for item in resolve_suite(spec).cases(ImageStore())}


def test_each_language_is_a_case_of_one_scene(tmp_path: Path) -> None:
    items = items_of(f"wiseedit:{wiseedit_tree(tmp_path)}")
    assert set(items) == {
        f"{subset}/{language}/{idx}"
        for subset, idx in (("Awareness_1", 1), ("Awareness_1", 2), ("WiseEdit_Complex_2", 1))
        for language in ("cn", "en")
    }
    cn, en = items["Awareness_1/cn/1"], items["Awareness_1/en/1"]
    assert isinstance(cn, Case)
    assert isinstance(en, Case)
    assert (cn.request.language, en.request.language) == ("zh", "en")
    assert cn.unit == en.unit
    assert cn.request.goal == "把杯子变成蓝色"
    assert en.groups["knowledge"] == "declarative"
    assert en.hint is not None
    assert "It is blue" not in en.request.goal


def test_one_language_can_be_chosen(tmp_path: Path) -> None:
    root = wiseedit_tree(tmp_path)
    suite = resolve_suite(f"wiseedit:{root}?languages=en")
    assert suite.id == f"wiseedit:{root}?languages=en"
    assert all("/en/" in item.case_id for item in suite.cases(ImageStore()))
    with pytest.raises(SpecError, match="languages"):
        resolve_suite(f"wiseedit:{root}?languages=fr")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({**GOOD, "input_1": "../../secret.png"}, "leaves the dataset folder"),
        ({**GOOD, "input_1": "/etc/passwd"}, "must be relative"),
        ({**GOOD, "input_1": "imgs/gone.png"}, "'imgs/gone.png' is not in"),
        ({**GOOD, "input_1": ""}, "no input image"),
        ({**GOOD, "prompt": " "}, "'prompt' is empty"),
        ({**GOOD, "idx": "a/b"}, "plain file name"),
        ({**GOOD, "ref": "imgs/../../x.png"}, "leaves the dataset folder"),
    ],
)
def test_a_bad_row_costs_that_row_only(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    items = items_of(f"wiseedit:{wiseedit_tree(tmp_path, rows=[row, {**GOOD, 'idx': '2'}])}")
    invalid = [item for item in items.values() if isinstance(item, InvalidCase)]
    assert invalid
    assert all(said in item.error for item in invalid)
    assert isinstance(items["Awareness_1/en/2"], Case)


def test_a_case_without_chinese_words_is_missing_in_chinese_only(tmp_path: Path) -> None:
    items = items_of(f"wiseedit:{wiseedit_tree(tmp_path, rows=[{**GOOD, 'promptcn': ''}])}")
    assert isinstance(items["Awareness_1/cn/1"], InvalidCase)
    assert isinstance(items["Awareness_1/en/1"], Case)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("index,words\n1,x\n", "columns ['idx', 'prompt'] are missing"),
        ("idx,prompt\r\n1,a,b,c\r\n", "4 cells under 2 columns"),
        ("idx,prompt\n1,x\n1,y\n", "appears twice"),
    ],
)
def test_a_table_that_cannot_be_read_costs_its_subset_only(tmp_path: Path, text: str, said: str) -> None:
    root = wiseedit_tree(tmp_path)
    (root / "WiseEdit" / "Awareness" / "Awareness_1" / "Awareness_1.csv").write_text(text)
    items = items_of(f"wiseedit:{root}")
    (invalid,) = [item for item in items.values() if isinstance(item, InvalidCase)]
    assert said in invalid.error
    assert isinstance(items["WiseEdit_Complex_2/en/1"], Case)


def test_a_folder_without_subsets_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="WiseEdit-Benchmark"):
        items_of(f"wiseedit:{tmp_path}")


def test_a_run_from_the_command_line_prints_the_published_table(tmp_path: Path, ran: Ran, emulated: str) -> None:
    file = experiment_file(
        tmp_path,
        name="wise",
        suite=f"wiseedit:{wiseedit_tree(tmp_path)}",
        conditions=["direct"],
        editors=[f"openai:gpt-image-2@{emulated}/v1?size=auto"],
        judges=[f"openai:gpt-4o@{emulated}/v1?mode=official"],
    )
    code, out, _ = ran("run", file, "--runs-dir", tmp_path / "runs")
    assert code == 0
    for told in (
        "WiseEdit, published form",
        "DF",
        "Awareness (en)",
        "WiseEdit_Complex (cn)",
        "not run",
        "AVG (strict)",
    ):
        assert told in out
    summary = json.loads((tmp_path / "runs" / "wise" / "report" / "summary.json").read_text())
    (figures,) = summary["official"]["direct"].values()
    assert figures["official"]["en"]["Awareness_overall_en"] is not None
    assert figures["official"]["en"]["Imagination_overall_en"] is None
    # The refused Chinese edits are the arm's own failures: not run by the published rule, the floor by ours.
    assert figures["official"]["cn"]["Awareness_overall_cn"] is None
    assert figures["strict"]["averages"]["Awareness_overall_cn"] == 0.0
    # The score files that lie beside the report give the same table to whoever reads them.
    (score_root,) = (tmp_path / "runs" / "wise" / "report" / "published").iterdir()
    assert official_tables(tmp_path / "WiseEdit-Benchmark", score_root, "arm") == figures["official"]
    cell = figures["strict"]["cells"]["Awareness_visual_quality_en"]
    assert (cell["n"], cell["unmeasured"]) == (2, 0)
