"""Vector-Bench from the command line: drawings in, drawings out, the published table."""

import json
from pathlib import Path

from tests.evals.suites.running import Ran, experiment_file
from tests.evals.suites.trees import vectorbench_tree


def test_a_run_from_the_command_line_prints_the_published_table(tmp_path: Path, ran: Ran, emulated: str) -> None:
    tasks = vectorbench_tree(tmp_path)
    (tasks / "broken.json").write_text("{")
    editor = f"svg:openai:gpt-5.6@{emulated}/v1"
    file = experiment_file(
        tmp_path, name="vector", suite=f"vectorbench:{tasks}", conditions=["direct"], editors=[editor]
    )
    code, out, _ = ran("run", file, "--runs-dir", tmp_path / "runs")
    assert code == 1, "one item can't be run"
    for told in ("Vector-Bench, published form", "UCR", "Full 95% CI", "operation family", "not run: broken"):
        assert told in out
    summary = json.loads((tmp_path / "runs" / "vector" / "report" / "summary.json").read_text())
    assert (summary["metric"], summary["judge"]) == ("specification_pass", "svg")
    # The emulator returns the drawing as it came: valid and clean, with nothing repaired.
    row = summary["official"]["direct"][editor]["row"]
    assert (row["valid"]["count"], row["clean"]["count"], row["full"]["count"]) == (2, 2, 0)
    assert row["progress"] == 0.0
