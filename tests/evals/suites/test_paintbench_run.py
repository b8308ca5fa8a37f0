"""PaintBench from the command line, judged by pixels."""

import json
from pathlib import Path

import pytest

from tests.evals.suites.running import Ran, experiment_file
from tests.evals.suites.trees import paintbench_tree


def test_a_run_from_the_command_line_prints_the_published_table(tmp_path: Path, ran: Ran) -> None:
    file = experiment_file(
        tmp_path,
        name="paint",
        suite=f"paintbench:{paintbench_tree(tmp_path)}",
        conditions=["direct"],
        editors=["embedded:raster"],
    )
    code, out, _ = ran("run", file, "--runs-dir", tmp_path / "runs")
    assert code == 0
    for told in ("PaintBench, published form", "mIoU", "as worded"):
        assert told in out
    summary = json.loads((tmp_path / "runs" / "paint" / "report" / "summary.json").read_text())
    figures = summary["official"]["direct"]["embedded:raster"]
    score = summary["conditions"]["direct"]["embedded:raster"]["score"]
    assert figures["benchmark"]["mean"] == pytest.approx(score["mean"])
