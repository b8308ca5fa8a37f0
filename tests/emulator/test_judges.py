"""The judge path through the emulator: each malformed reply ends in its status, N stays, both rules are printed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from editplan.cli.tables import print_summary
from editplan.emulator.faults import Fault, FaultKind, FaultPlan
from editplan.emulator.server import Emulator, Running
from editplan.evals.components import Given
from editplan.evals.experiment import parse_experiment
from editplan.evals.session import Finished, SessionOptions, run_experiment, score_run
from editplan.evals.summary import summarise
from editplan.testing.scripted import ScriptedEditor
from tests.evals.suites.trees import picture

F = FaultKind
CASES = 3
Serve = Callable[..., tuple[Emulator, str]]


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "emulated-key-of-openai")
    monkeypatch.setenv("GEMINI_API_KEY", "emulated-key-of-gemini")


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[Emulator, str]]:
    emulator = Emulator()
    with Running(emulator) as url:
        yield emulator, url


@pytest.fixture
def served(server: tuple[Emulator, str]) -> Serve:
    def begin(*faults: Fault) -> tuple[Emulator, str]:
        emulator, url = server
        emulator.faults = FaultPlan(fault=faults)
        emulator.counts.clear()
        emulator.seen.clear()
        return emulator, url

    return begin


def items_file(folder: Path) -> Path:
    """Three cases with a contract each, made by another editor than the emulator's."""
    atoms = [{"id": name, "question_en": f"Is the square {name}?"} for name in ("blue", "round")]
    kept = [{"id": "wall", "question_en": "Is the wall still white?"}]
    groups = [
        {"role": "required", "property": "semantic_accuracy", "atoms": atoms},
        {"role": "protected", "property": "visual_quality", "atoms": kept},
    ]
    contract = {"schema_version": "solveedit.atomic_contract.v3", "criterion_groups": groups}
    lines = []
    for number in range(CASES):
        picture(folder / f"{number}.png", (200, 40 * number, 0), side=32)
        lines.append(json.dumps({"image": f"{number}.png", "goal": f"Make it blue, {number}.", "contract": contract}))
    path = folder / "items.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def judge_of(provider: str, url: str) -> str:
    if provider == "google":
        return f"google:gemini-3.1-flash@{url}?timeout_s=5"
    return f"openai:gpt-4.1@{url}/v1?timeout_s=5"


def run(folder: Path, judge: str, **changes: Any) -> Finished:
    raw = {
        "name": "judged",
        "suite": f"jsonl:{items_file(folder)}",
        "conditions": ["direct"],
        "editors": ["scripted"],
        "judges": [judge],
        "concurrency": 1,
        "retry": {"base_s": 0.0, "cap_s": 0.0, "agent_attempts": 2},
        **changes,
    }
    given = Given(editors={"scripted": ScriptedEditor()})
    return run_experiment(parse_experiment(raw), folder, SessionOptions(given=given))


def statuses(finished: Finished) -> Counter[str]:
    return Counter(row.scores[0].status for row in finished.run.rows.values())


SAME_FOR_BOTH = {
    F.FENCED: "scored",
    F.TRAILING_PROSE: "scored",
    F.OTHER_MODEL: "scored",
    F.TRUNCATED_JSON: "judge_unparseable",
    F.WRONG_SCHEMA: "judge_unparseable",
    F.WHITESPACE: "judge_unparseable",
    F.NULL_IMAGE: "judge_unparseable",
    F.REFUSAL: "judge_refused",
    F.MODERATION: "judge_refused",
    F.BLOCK_REASON: "judge_refused",
    F.RATE_LIMIT: "judge_error",
    F.SERVER_ERROR: "judge_error",
    F.UNAVAILABLE: "judge_error",
    F.BAD_REQUEST: "judge_error",
    F.UNAUTHORISED: "judge_error",
    F.HTML: "judge_error",
    F.RESET: "judge_error",
    F.TRUNCATED_BODY: "judge_error",
}
OWN = {
    ("openai", F.EMPTY_DATA): "judge_error",
    ("openai", F.EMPTY_BODY): "judge_error",
    ("google", F.EMPTY_DATA): "judge_unparseable",
    ("google", F.EMPTY_BODY): "judge_unparseable",
    ("google", F.THOUGHT_FIRST): "scored",
}
EVERY = [(provider, kind, end) for provider in ("openai", "google") for kind, end in SAME_FOR_BOTH.items()]
EVERY += [(provider, kind, end) for (provider, kind), end in OWN.items()]


@pytest.mark.parametrize(("provider", "kind", "status"), EVERY)
def test_each_malformed_reply_ends_in_its_status(
    served: Serve, tmp_path: Path, provider: str, kind: FaultKind, status: str
) -> None:
    _, url = served(Fault(kind=kind))
    finished = run(tmp_path, judge_of(provider, url))
    assert statuses(finished) == {status: CASES}
    arm = summarise(finished.run)["conditions"]["direct"]["scripted"]
    assert (arm["n"], arm["statuses"]) == (CASES, {"ok": CASES})
    assert arm["score"]["n"] == (CASES if status == "scored" else 0)
    assert arm["score"]["complete"] == (status == "scored")
    if status != "scored":
        assert arm["score"]["bounds"] == [0.0, 1.0]
        assert all(row.scores[0].verdicts.score is None for row in finished.run.rows.values())


@pytest.mark.parametrize("kind", [F.TRUNCATED_JSON, F.WRONG_SCHEMA, F.NULL_IMAGE])
def test_one_bad_answer_is_mended_by_the_one_re_ask(served: Serve, tmp_path: Path, kind: FaultKind) -> None:
    emulator, url = served(Fault(kind=kind, calls=(1,)))
    finished = run(tmp_path, judge_of("openai", url))
    assert statuses(finished) == {"scored": CASES}
    assert emulator.counts["openai.chat"] == CASES + 1


def test_official_and_strict_are_printed_beside_each_other(
    served: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, url = served(Fault(kind=F.REFUSAL, calls=(1,)))
    summary = summarise(run(tmp_path, judge_of("openai", url)).run)
    official = summary["official"]["direct"]["scripted"]
    assert (official["n"], official["judge_failures"], official["strict"]["n"]) == (2, 1, 3)
    assert official["solvescore"] is not None
    low, high = official["strict"]["bounds"]
    assert high - low == pytest.approx(1 / 3)
    print_summary(summary)
    printed = capsys.readouterr().out
    for told in ("SolveEdit, published form", "official", "strict", "incomplete"):
        assert told in printed


def test_a_failed_judgement_is_asked_anew_and_nothing_else_is(served: Serve, tmp_path: Path) -> None:
    _, url = served(Fault(kind=F.REFUSAL, calls=(2,)))
    judge = judge_of("openai", url)
    assert statuses(run(tmp_path, judge)) == {"scored": 2, "judge_refused": 1}
    emulator, _ = served()
    editor = ScriptedEditor()
    again = score_run(tmp_path / "judged", SessionOptions(given=Given(editors={"scripted": editor})))
    assert statuses(again) == {"scored": CASES}
    assert (emulator.counts["openai.chat"], len(editor.jobs)) == (1, 0)


def test_two_judges_have_tables_of_their_own_and_the_returned_model_is_kept(served: Serve, tmp_path: Path) -> None:
    _, url = served(Fault(kind=F.OTHER_MODEL, endpoint="gemini"))
    judges = [judge_of("openai", url), judge_of("google", url) + "&mode=official&samples=3"]
    finished = run(tmp_path, judges[0], judges=judges)
    said = {score.judge: score.verdicts for row in finished.run.rows.values() for score in row.scores}
    assert said[judges[0]].model == "gpt-4.1"
    assert said[judges[1]].model == "another-model-001"
    assert (said[judges[1]].samples, len(said[judges[1]].raw)) == (3, 3)
    assert summarise(finished.run)["judges"].keys() == {judges[1]}


def test_the_emulated_judge_tells_no_edit_from_an_edit(served: Serve, tmp_path: Path) -> None:
    _, url = served()
    unchanged = ScriptedEditor(lambda job, images: job.parts[0].media)
    raw = {
        "name": "same",
        "suite": f"jsonl:{items_file(tmp_path)}",
        "conditions": ["direct"],
        "editors": ["scripted"],
        "judges": [judge_of("openai", url)],
    }
    given = Given(editors={"scripted": unchanged})
    finished = run_experiment(parse_experiment(raw), tmp_path, SessionOptions(given=given))
    for row in finished.run.rows.values():
        verdicts = row.scores[0].verdicts
        assert [atom.verdict for atom in verdicts.atoms] == ["fail", "fail", "pass"]
        assert verdicts.score == 0.0
