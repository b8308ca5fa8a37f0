"""An experiment end to end: real graphs, real journal, scripted models."""

import json
from collections import Counter
from pathlib import Path

import pytest

from editplan.errors import ConfigError, DatasetError, StoreError, Unavailable
from editplan.evals.components import Given
from editplan.evals.experiment import Experiment, parse_experiment
from editplan.evals.run import load_run
from editplan.evals.session import Finished, SessionOptions, run_experiment, run_folder, score_run
from editplan.evals.summary import summarise
from editplan.records import Status
from editplan.testing.evaluation import ScriptedJudge, TinySuite, by_output
from editplan.testing.scripted import ScriptedEditor, ScriptedModel

COUNT = 4
REWRITE = {"instruction": "Recolour the square to red. Output only the edited image."}


def experiment(**changes: object) -> Experiment:
    names = {"conditions": ["direct", "generic_rewrite"], "editors": ["one", "two"], "judges": ["j"]}
    return parse_experiment({"name": "trial", "suite": "tiny", "planner": "scripted", **names, **changes})


class Parts:
    """The live objects of an experiment, fresh each time."""

    def __init__(self, suite: TinySuite | None = None, **editors: ScriptedEditor) -> None:
        self.model = ScriptedModel(lambda _: REWRITE)
        self.editors = {
            "one": editors.get("one", ScriptedEditor(editor_id="one")),
            "two": editors.get("two", ScriptedEditor(editor_id="two")),
        }
        self.judge = ScriptedJudge(by_output)
        self.given = Given(
            suite=suite or TinySuite(COUNT), planner=self.model, editors=self.editors, judges={"j": self.judge}
        )

    def run(self, folder: Path, plan: Experiment | None = None) -> Finished:
        return run_experiment(plan or experiment(), folder, SessionOptions(given=self.given))

    @property
    def edits(self) -> int:
        return sum(len(editor.jobs) for editor in self.editors.values())


def statuses(finished: Finished) -> Counter[Status]:
    return Counter(row.outcome.status for row in finished.run.rows.values())


def test_every_arm_is_made_and_a_plan_is_shared_over_editors(tmp_path: Path) -> None:
    parts = Parts()
    finished = parts.run(tmp_path)
    assert statuses(finished) == {Status.OK: COUNT * 2 * 2}
    assert parts.edits == COUNT * 2 * 2
    assert len(parts.model.asks) == COUNT * 2
    arms = summarise(finished.run)["conditions"]
    assert {arms["generic_rewrite"][name]["calls"]["agent"] for name in ("one", "two")} == {COUNT * 2}
    assert summarise(finished.run)["billed"]["wire_attempts"] == COUNT * 2 + COUNT * 2 * 2
    assert arms["direct"]["one"]["vector"]["generations"] == 1


def test_equal_seeds_in_all_arms_of_a_case(tmp_path: Path) -> None:
    parts = Parts()
    parts.run(tmp_path)
    seeds = Counter(job.seed for editor in parts.editors.values() for job in editor.jobs)
    assert sorted(seeds.values()) == [4] * COUNT


def test_the_same_command_again_sends_nothing_and_gives_equal_tables(tmp_path: Path) -> None:
    before = summarise(Parts().run(tmp_path).run)
    again = Parts()
    assert summarise(again.run(tmp_path).run) == before
    assert (again.edits, len(again.model.asks), len(again.judge.asked)) == (0, 0, 0)


def test_max_calls_stops_in_order_and_the_next_session_goes_on(tmp_path: Path) -> None:
    first = Parts()
    stopped = first.run(tmp_path, experiment(max_calls=7, concurrency=2))
    assert stopped.stopped is not None
    assert "max_calls = 7" in stopped.stopped
    summary = summarise(stopped.run)
    arms = [arm for editors in summary["conditions"].values() for arm in editors.values()]
    assert sum(arm["statuses"].get("not_run", 0) for arm in arms) > 0
    assert all(sum(arm["statuses"].values()) == COUNT for arm in arms)
    second = Parts()
    finished = second.run(tmp_path, experiment())
    assert finished.stopped is None
    assert statuses(finished) == {Status.OK: COUNT * 4}
    assert first.edits + second.edits == COUNT * 4
    assert len(first.model.asks) + len(second.model.asks) == COUNT * 2


def test_a_provider_that_was_down_is_asked_again(tmp_path: Path) -> None:
    down = Parts(one=ScriptedEditor([Unavailable("503")], editor_id="one"))
    plan = experiment(retry={"generation_attempts": 1, "base_s": 0.0})
    assert statuses(down.run(tmp_path, plan)) == {Status.OK: COUNT * 2, Status.PROVIDER_ERROR: COUNT * 2}
    up = Parts()
    assert statuses(up.run(tmp_path, plan)) == {Status.OK: COUNT * 4}
    assert up.edits == COUNT * 2


def test_another_configuration_under_the_same_name_is_refused_by_key(tmp_path: Path) -> None:
    Parts().run(tmp_path)
    with pytest.raises(ConfigError, match=r"another configuration; different: replicates, seed"):
        Parts().run(tmp_path, experiment(seed=1, replicates=2))
    Parts().run(tmp_path, experiment(max_cost_usd=1.0, concurrency=1))


def test_another_editor_behind_the_same_name_is_refused(tmp_path: Path) -> None:
    Parts().run(tmp_path)
    with pytest.raises(ConfigError, match=r"models\.editors\.one"):
        Parts(one=ScriptedEditor(editor_id="another")).run(tmp_path)


def test_what_determines_the_figures_is_written_down(tmp_path: Path) -> None:
    Parts().run(tmp_path)
    written = json.loads((tmp_path / "trial" / "experiment.json").read_text())
    assert written["models"]["editors"]["one"]["id"] == "one"
    assert written["models"]["planner"]["id"] == "scripted"
    assert written["prompts"]["resolve"].startswith("resolve/v")
    assert len(written["schemas"]["inspect"]) == 64
    assert written["packages"]["langgraph"]
    assert written["conditions"]["generic_rewrite"] == {"agent_calls": 2, "generations": 1}


def test_score_makes_no_edit_and_asks_only_what_is_missing(tmp_path: Path) -> None:
    parts = Parts()
    parts.run(tmp_path)
    again = Parts()
    score_run(tmp_path / "trial", SessionOptions(given=again.given))
    assert (again.edits, len(again.judge.asked)) == (0, 0)


def test_a_planted_key_is_in_no_file_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "planted-key-0123456789")
    leaking = ScriptedEditor([Unavailable("rejected key planted-key-0123456789")], editor_id="one")
    Parts(one=leaking).run(tmp_path, experiment(retry={"generation_attempts": 1, "base_s": 0.0}))
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert b"planted-key" not in path.read_bytes(), path


def test_a_suite_without_a_case_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no case that can be run"):
        Parts(TinySuite(0, invalid=1)).run(tmp_path)


def test_a_run_is_found_by_name_or_folder(tmp_path: Path) -> None:
    Parts().run(tmp_path)
    assert run_folder("trial", tmp_path) == tmp_path / "trial"
    assert run_folder(str(tmp_path / "trial"), Path("elsewhere")) == tmp_path / "trial"
    with pytest.raises(StoreError, match="is no run"):
        run_folder("other", tmp_path)


def test_a_damaged_run_directory_is_told(tmp_path: Path) -> None:
    Parts().run(tmp_path)
    (tmp_path / "trial" / "experiment.json").write_text("{")
    with pytest.raises(StoreError, match="is damaged"):
        load_run(tmp_path / "trial")
