"""RIG-Bench as a suite: items to cases, broken items listed, and a whole run with its published table."""

import json
from pathlib import Path

import pytest

from editplan.errors import DatasetError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.suites.registry import resolve_suite
from editplan.records import PartRole
from editplan.store import ImageStore
from tests.evals.suites.running import Ran, experiment_file
from tests.evals.suites.trees import rigbench_tree


def items_of(path: Path) -> dict[str, Case | InvalidCase]:
    return {item.case_id: item for item in resolve_suite(f"rigbench:{path}").cases(ImageStore())}


def test_an_item_becomes_a_case_whose_output_is_a_new_picture(tmp_path: Path) -> None:
    case = items_of(rigbench_tree(tmp_path))["scene-1"]
    assert isinstance(case, Case)
    assert case.request.output == "new"
    assert [part.role for part in case.request.parts] == [PartRole.DEMO_IN, PartRole.DEMO_OUT, PartRole.CANVAS]
    assert case.request.goal == "Remove the square.\nTask description: h"
    assert (case.groups["family"], case.groups["kind"], case.groups["set"]) == ("scenario", "open", "common")


def test_a_condition_never_sees_the_right_answer(tmp_path: Path) -> None:
    for case in items_of(rigbench_tree(tmp_path)).values():
        assert isinstance(case, Case)
        assert case.rubric is not None
        (truth,) = case.rubric.ground_truth
        assert truth.sha256 not in case.request.model_dump_json()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{broken", "no JSON"),
        ("[1]", "an object is expected"),
        (json.dumps({"id": "x", "subtask": "juggling", "context_images": ["images/a.png"]}), "juggling"),
        (json.dumps({"id": "../x", "subtask": "matrix_reasoning"}), "plain file name"),
        (
            json.dumps(
                {
                    "id": "out",
                    "subtask": "matrix_reasoning",
                    "context_images": ["../../etc/passwd"],
                    "ground_truth": "images/truth.png",
                }
            ),
            "leaves the dataset folder",
        ),
        (
            json.dumps(
                {
                    "id": "gone",
                    "subtask": "matrix_reasoning",
                    "context_images": ["images/gone.png"],
                    "ground_truth": "images/truth.png",
                }
            ),
            "'images/gone.png' is not in",
        ),
    ],
)
def test_a_broken_item_is_listed_and_the_others_go_on(tmp_path: Path, line: str, said: str) -> None:
    items = items_of(rigbench_tree(tmp_path, line))
    (invalid,) = [item for item in items.values() if isinstance(item, InvalidCase)]
    assert said in invalid.error
    assert len(items) == 4


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no such file"):
        items_of(tmp_path / "none.jsonl")


def test_a_run_from_the_command_line_prints_the_published_table(tmp_path: Path, ran: Ran, emulated: str) -> None:
    items = rigbench_tree(tmp_path, "{broken")
    file = experiment_file(
        tmp_path,
        name="rig",
        suite=f"rigbench:{items}",
        conditions=["direct"],
        editors=[f"openai:gpt-image-2@{emulated}/v1?size=auto"],
        judges=[f"google:gemini-3.1-flash@{emulated}"],
    )
    code, out, _ = ran("run", file, "--runs-dir", tmp_path / "runs")
    assert code == 1, "one item can't be run"
    for told in ("RIG-Bench, published form", "Common", "Gap", "RIG-Bench by subtask", "not run: ?"):
        assert told in out
    summary = json.loads((tmp_path / "runs" / "rig" / "report" / "summary.json").read_text())
    (figures,) = summary["official"]["direct"].values()
    assert figures["full"]["n"] == 3
    assert figures["full"]["unmeasured"] == 0
    assert summary["metric"] == "rubric"
