"""Published figures and tables of every benchmark hold for whole, partial and empty runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from editplan.cli.tables import print_summary
from editplan.errors import Unsupported
from editplan.evals.components import Given
from editplan.evals.experiment import parse_experiment
from editplan.evals.judging import JudgeTask, Verdicts
from editplan.evals.report.page import write_report
from editplan.evals.session import SessionOptions, run_experiment
from editplan.protocols import Editor
from editplan.records import Capabilities
from editplan.testing.evaluation import ScriptedJudge, by_output
from editplan.testing.scripted import ScriptedEditor
from tests.evals.suites.trees import (
    paintbench_tree,
    rigbench_tree,
    risebench_tree,
    vectorbench_tree,
    wiseedit_tree,
)

TREES: dict[str, Callable[[Path], Path]] = {
    "paintbench": paintbench_tree,
    "rigbench": rigbench_tree,
    "risebench": risebench_tree,
    "vectorbench": vectorbench_tree,
    "wiseedit": wiseedit_tree,
}


def refuses(task: JudgeTask) -> Verdicts:
    return Verdicts(status="judge_refused")


def unsupported() -> Editor:
    return ScriptedEditor([Unsupported("not this one")], capabilities=Capabilities(max_images=16, in_process=True))


def report_of(
    folder: Path, benchmark: str, editor: Editor, judge: Callable[[JudgeTask], Verdicts], **changes: object
) -> dict[str, object]:
    raw = {
        "name": benchmark,
        "suite": f"{benchmark}:{TREES[benchmark](folder)}",
        "conditions": ["direct", "direct:preserve"],
        "editors": ["scripted"],
        "judges": ["j"],
        **changes,
    }
    given = Given(editors={"scripted": editor}, judges={"j": ScriptedJudge(judge)})
    run = run_experiment(parse_experiment(raw), folder / "runs", SessionOptions(given=given)).run
    return write_report(run)[1]


@pytest.mark.parametrize("benchmark", TREES)
@pytest.mark.parametrize("trouble", ["judge", "unsupported", "not run", "replicates"])
def test_a_table_is_printed_whatever_became_of_the_run(
    tmp_path: Path, benchmark: str, trouble: str, capsys: pytest.CaptureFixture[str]
) -> None:
    editor: Editor = unsupported() if trouble == "unsupported" else ScriptedEditor()
    judge = refuses if trouble == "judge" else by_output
    changes: dict[str, object] = {"max_calls": 0} if trouble == "not run" else {}
    changes |= {"replicates": 2} if trouble == "replicates" else {}
    summary = report_of(tmp_path, benchmark, editor, judge, **changes)
    print_summary(summary)
    assert summary["published"]
    assert "published form" in capsys.readouterr().out
