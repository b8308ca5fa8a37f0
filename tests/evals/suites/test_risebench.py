"""RISEBench as a suite: items to cases, broken items listed, and a whole run with its published table."""

import json
from pathlib import Path
from typing import Any

import pytest

from editplan.errors import DatasetError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.suites.registry import resolve_suite
from editplan.store import ImageStore
from tests.evals.suites.running import Ran, experiment_file
from tests.evals.suites.trees import risebench_tree

GOOD = {"index": "x", "category": "causal_reasoning", "instruction": "i", "image": "images/one.png", "reference": "r"}


def items_of(path: Path) -> dict[str, Case | InvalidCase]:
    return {item.case_id: item for item in resolve_suite(f"risebench:{path}").cases(ImageStore())}


def test_an_item_becomes_a_case_with_its_reference_as_oracle(tmp_path: Path) -> None:
    case = items_of(risebench_tree(tmp_path))["temporal_1"]
    assert isinstance(case, Case)
    assert case.oracle is not None
    assert (case.oracle.final_state, case.domain) == ("It is blue.", "temporal")
    assert "It is blue" not in case.request.model_dump_json()


def test_the_list_may_lie_in_a_folder_of_its_own(tmp_path: Path) -> None:
    root = risebench_tree(tmp_path / "flat")
    (tmp_path / "deep").mkdir()
    root.rename(tmp_path / "deep" / "data")
    assert set(items_of(tmp_path / "deep")) == {"temporal_1", "logical_1"}
    with pytest.raises(DatasetError, match=r"data_total\.json"):
        resolve_suite(f"risebench:{tmp_path / 'nowhere'}")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({**GOOD, "image": "../up.png"}, "leaves the dataset folder"),
        ({**GOOD, "image": "images/gone.png"}, "'images/gone.png' is not in"),
        ({**GOOD, "category": "musical"}, "'category' must be among"),
        ({**GOOD, "reference": None}, "none of 'reference'"),
        ({**GOOD, "index": "temporal_1"}, "appears twice"),
    ],
)
def test_a_broken_item_is_listed_and_the_others_go_on(tmp_path: Path, entry: dict[str, Any], said: str) -> None:
    items = items_of(risebench_tree(tmp_path, entry))
    (invalid,) = [item for item in items.values() if isinstance(item, InvalidCase)]
    assert said in invalid.error
    assert len(items) == 3


def test_a_run_from_the_command_line_prints_the_published_table(tmp_path: Path, ran: Ran, emulated: str) -> None:
    file = experiment_file(
        tmp_path,
        name="rise",
        suite=f"risebench:{risebench_tree(tmp_path)}",
        conditions=["direct", "oracle:raw"],
        editors=["embedded:raster"],
        judges=[f"openai:gpt-4.1@{emulated}/v1"],
    )
    code, out, _ = ran("run", file, "--runs-dir", tmp_path / "runs")
    assert code == 0
    for told in ("RISEBench, published form: direct", "Overall", "Temporal", "Logical", "official", "strict"):
        assert told in out
    summary = json.loads((tmp_path / "runs" / "rise" / "report" / "summary.json").read_text())
    lines = {line["label"]: line for line in summary["official"]["direct"]["embedded:raster"]["strict"]}
    assert (lines["Overall"]["n"], lines["Overall"]["unmeasured"]) == (2, 0)
