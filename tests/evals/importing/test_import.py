"""Outputs that other tools made: found, listed, judged and compared, with nothing generated."""

from __future__ import annotations

import json
from pathlib import Path

import PIL.Image
import pytest

from editplan.errors import ConfigError, DatasetError
from editplan.evals.components import Given
from editplan.evals.importing.runs import ImportRequest, import_run, preflight_import
from editplan.evals.run import load_run
from editplan.evals.session import SessionOptions, score_run
from editplan.evals.summary import summarise
from editplan.records import Status
from editplan.testing.evaluation import ScriptedJudge, by_output
from tests.evals.suites.running import Ran, command
from tests.evals.suites.trees import (
    VECTOR_TASKS,
    paintbench_tree,
    picture,
    rigbench_tree,
    risebench_tree,
    vectorbench_tree,
    wiseedit_tree,
)

JUDGE = "compatible:nobody@http://127.0.0.1:9/v1"
OUTPUTS = VECTOR_TASKS.parent / "scored_outputs.jsonl"


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ran:
    return command(capsys, monkeypatch)


def request(suite: str, *outputs: Path, **more: object) -> ImportRequest:
    return ImportRequest.model_validate({"suite": suite, "outputs": outputs, **more})


def paint_outputs(folder: Path, model: str, *numbers: int, colour: tuple[int, int, int] = (0, 0, 255)) -> Path:
    for number in numbers:
        picture(folder / model / "bench" / "recolor" / f"{number:04d}_output.png", colour)
    return folder / model


def test_paintbench_outputs_of_two_models_are_judged_and_compared(tmp_path: Path) -> None:
    tree = paintbench_tree(tmp_path)
    right, wrong = paint_outputs(tmp_path, "right", 1, 2), paint_outputs(tmp_path, "wrong", 1, colour=(9, 9, 9))
    imported = import_run(request(f"paintbench:{tree}", right, wrong), tmp_path / "runs")
    assert [(each.model, each.missing) for each in imported.found] == [("right", ()), ("wrong", ("recolor/002",))]
    summary = summarise(score_run(imported.folder).run)
    arms = {name: arm["imported"] for name, arm in summary["conditions"].items()}
    assert arms["imported:right"]["score"]["mean"] == 1.0
    assert arms["imported:wrong"]["statuses"] == {"ok": 1, "no_image": 1}
    assert arms["imported:wrong"]["score"]["n"] == 2
    (comparison,) = summary["comparisons"]
    assert (comparison["a"], comparison["wins"] + comparison["losses"]) == ("imported:wrong", 2)
    assert summary["billed"]["wire_attempts"] == 0


def test_a_second_import_keeps_scores_of_unchanged_outputs_only(tmp_path: Path) -> None:
    tree, outputs = paintbench_tree(tmp_path), paint_outputs(tmp_path, "m", 1, 2)
    asked = request(f"paintbench:{tree}", outputs, name="again")
    score_run(import_run(asked, tmp_path / "runs").folder)
    paint_outputs(tmp_path, "m", 2, colour=(1, 2, 3))
    folder = import_run(asked, tmp_path / "runs").folder
    scored = {key.case_id: bool(row.scores) for key, row in load_run(folder).rows.items()}
    assert scored == {"recolor/001": True, "recolor/002": False}


def test_wiseedit_preflight_lists_missing_extra_and_doubled_outputs(tmp_path: Path) -> None:
    tree, results = wiseedit_tree(tmp_path), tmp_path / "results" / "M"
    for name in ("Awareness_1/en/1.png", "Awareness_1/en/1.jpg", "Awareness_1/cn/1.png", "Awareness_1/en/99.png"):
        picture(results / name)
    (found,) = preflight_import(request(f"wiseedit:{tree}", results))
    assert found.model == "M"
    assert set(found.files) == {"Awareness_1/en/1", "Awareness_1/cn/1"}
    assert set(found.missing) == {
        "Awareness_1/cn/2",
        "Awareness_1/en/2",
        "WiseEdit_Complex_2/cn/1",
        "WiseEdit_Complex_2/en/1",
    }
    assert (found.extra, found.duplicates) == (("Awareness_1/en/99.png",), ("Awareness_1/en/1",))
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("benchmark", ["wiseedit", "risebench", "rigbench"])
def test_rubric_benchmarks_are_imported_for_any_judge(tmp_path: Path, benchmark: str) -> None:
    tree = {"wiseedit": wiseedit_tree, "risebench": risebench_tree, "rigbench": rigbench_tree}[benchmark](tmp_path)
    first = {
        "wiseedit": "Awareness_1/en/1.png",
        "risebench": "images/temporal_reasoning/temporal_1.png",
        "rigbench": "maze-1.png",
    }[benchmark]
    picture(tmp_path / "outputs" / "M" / first)
    imported = import_run(
        request(f"{benchmark}:{tree}", tmp_path / "outputs" / "M", judges=(JUDGE,), name="r"), tmp_path / "runs"
    )
    judge = ScriptedJudge(by_output, id="scripted")
    judge.id = score_id(imported.folder)
    finished = score_run(imported.folder, SessionOptions(given=Given(judges={JUDGE: judge})))
    outcomes = [row.outcome.status for row in finished.run.rows.values()]
    assert outcomes.count(Status.OK) == 1
    assert len(judge.asked) == len(outcomes) == len(finished.run.cases)


def score_id(folder: Path) -> str:
    """The id that the run knows its judge by."""
    described = json.loads((folder / "experiment.json").read_text())
    return str(described["judges"][JUDGE])


def test_a_rubric_benchmark_needs_a_judge_by_name(tmp_path: Path) -> None:
    picture(tmp_path / "M" / "maze-1.png")
    with pytest.raises(ConfigError, match="name a judge"):
        import_run(request(f"rigbench:{rigbench_tree(tmp_path)}", tmp_path / "M"), tmp_path / "runs")


def test_vectorbench_rows_of_several_models_give_the_published_verdicts(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in OUTPUTS.read_text(encoding="utf-8").splitlines()]
    tree = vectorbench_tree(tmp_path, count=2)
    tasks = [json.loads(path.read_text())["task_id"] for path in sorted(tree.glob("*.json"))]
    mine = [row for row in rows if row["task_id"] in tasks]
    models = list(dict.fromkeys(row["model"] for row in mine))[:3]
    mine = [row for row in mine if row["model"] in models]
    lines = [json.dumps({"task_id": row["task_id"], "model": row["model"], "svg": row["svg"]}) for row in mine]
    file = tmp_path / "outputs.jsonl"
    file.write_text("\n".join([*lines, "{broken", lines[0]]), encoding="utf-8")
    imported = import_run(request(f"vectorbench:{tree}", file), tmp_path / "runs")
    assert [each.model for each in imported.found] == models
    assert imported.found[0].duplicates == (mine[0]["task_id"],)
    assert len(imported.found[0].faults) == 1
    run = score_run(imported.folder).run
    for key, row in run.rows.items():
        (expected,) = [
            each for each in mine if each["task_id"] == key.case_id and key.condition == f"imported:{each['model']}"
        ]
        verdicts = row.score_of("svg")
        assert verdicts is not None
        assert verdicts.score == float(expected["expected"]["reward"])
        assert json.loads(verdicts.raw[0])["status"] == expected["expected"]["status"]
    assert summarise(run)["published"][0]["title"].startswith("Vector-Bench")


def test_a_folder_of_drawings_is_one_model(tmp_path: Path) -> None:
    tree = vectorbench_tree(tmp_path, count=1)
    (task,) = [json.loads(path.read_text()) for path in tree.glob("*.json")]
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / f"{task['task_id']}.svg").write_text(task["target_svg"], encoding="utf-8")
    (folder / "other.svg").write_text("<svg/>")
    imported = import_run(request(f"vectorbench:{tree}", folder), tmp_path / "runs")
    assert imported.found[0].extra == ("other.svg",)
    (row,) = score_run(imported.folder).run.rows.values()
    assert row.scores[0].verdicts.score == 1.0


HOSTILE = {
    "dtd": '<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg xmlns="http://www.w3.org/2000/svg"/>',
    "bomb": '<!DOCTYPE s [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg">&b;</svg>',
    "external": '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
    "script": '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "deep": '<svg xmlns="http://www.w3.org/2000/svg">' + "<g>" * 20_000 + "</g>" * 20_000 + "</svg>",
    "long": f'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0{" L1 1" * 2_000_000}"/></svg>',
    "text": "I can't draw that.",
}


def test_a_hostile_drawing_fails_its_own_gate_and_the_others_are_judged(tmp_path: Path) -> None:
    tree = vectorbench_tree(tmp_path, count=1)
    (task,) = [json.loads(path.read_text()) for path in tree.glob("*.json")]
    written = {**HOSTILE, "good": task["target_svg"]}
    lines = [json.dumps({"task_id": task["task_id"], "model": name, "svg": svg}) for name, svg in written.items()]
    file = tmp_path / "outputs.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    run = score_run(import_run(request(f"vectorbench:{tree}", file, name="h"), tmp_path / "runs").folder).run
    said = {key.condition.removeprefix("imported:"): row.scores[0].verdicts for key, row in run.rows.items()}
    assert said["good"].score == 1.0
    assert {name: verdicts.score for name, verdicts in said.items() if name != "good"} == dict.fromkeys(HOSTILE, 0.0)
    assert {said[name].gate for name in ("dtd", "bomb", "deep", "long", "text")} == {"fail"}


def evaluation_manifest(folder: Path) -> Path:
    """Two cases, two models; the second model lacks one output and its other leaves the folder."""
    atoms = [{"id": "blue", "question_en": "Is it blue?", "check": blue_at_the_square()}]
    kept = [{"id": "wall", "question_en": "Is the wall still white?"}]
    groups = [
        {"role": "required", "property": "semantic_accuracy", "atoms": atoms},
        {"role": "protected", "property": "visual_quality", "atoms": kept},
    ]
    records = []
    for name in ("one", "two"):
        contract = {
            "schema_version": "solveedit.atomic_contract.v3",
            "case_id": name,
            "instruction": "Make it blue.",
            "criterion_groups": groups,
        }
        (folder / f"{name}.json").write_text(json.dumps(contract))
        picture(folder / f"{name}.png")
        picture(folder / "out" / f"{name}.png", (0, 0, 255))
        record = {
            "uid": f"{name}@a",
            "case_id": name,
            "contract_path": f"{name}.json",
            "input_image": f"{name}.png",
            "output_image": f"out/{name}.png",
        }
        records.append({**record, "model": "a"})
        output = None if name == "one" else "../outside.png"
        records.append({**record, "uid": f"{name}@b", "model": "b", "output_image": output})
    path = folder / "eval.json"
    path.write_text(json.dumps({"records": [*records, {"uid": "no case"}]}))
    return path


def blue_at_the_square() -> dict[str, object]:
    return {"kind": "colour_at", "region": {"shape": "box", "box": [0.25, 0.25, 0.5, 0.5]}, "colour": "#0000ff"}


def test_an_evaluation_manifest_brings_cases_and_outputs_of_its_models(tmp_path: Path) -> None:
    imported = import_run(request(f"solveedit:{evaluation_manifest(tmp_path)}"), tmp_path / "runs")
    a, b = imported.found
    assert (a.model, sorted(a.files)) == ("a", ["one", "two"])
    assert (b.model, b.missing) == ("b", ("one", "two"))
    assert "leaves the dataset folder" in b.faults[0]
    assert "case_id is missing" in a.faults[0]
    summary = summarise(score_run(imported.folder).run)
    assert summary["conditions"]["imported:a"]["imported"]["required"] == 1.0
    assert summary["conditions"]["imported:b"]["imported"]["statuses"] == {"no_image": 2}


def test_an_output_that_is_no_picture_is_the_arms_own_failure(tmp_path: Path) -> None:
    tree = paintbench_tree(tmp_path)
    outputs = paint_outputs(tmp_path, "m", 1)
    (outputs / "bench" / "recolor" / "0002_output.png").write_bytes(b"\x89PNG\r\n\x1a\nno")
    folder = import_run(request(f"paintbench:{tree}", outputs), tmp_path / "runs").folder
    arm = summarise(score_run(folder).run)["conditions"]["imported:m"]["imported"]
    assert arm["statuses"] == {"ok": 1, "bad_image": 1}
    assert arm["score"]["mean"] == 0.5


def test_any_other_suite_takes_pictures_named_by_case(tmp_path: Path) -> None:
    picture(tmp_path / "board.png")
    lines = [{"id": name, "image": "board.png", "goal": "g", "reference": "board.png"} for name in ("plain", "Ä b")]
    (tmp_path / "own.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    picture(tmp_path / "outs" / "plain.png")
    picture(tmp_path / "outs" / "Ä b.webp.png")
    (found,) = preflight_import(request(f"jsonl:{tmp_path / 'own.jsonl'}", tmp_path / "outs"))
    assert (set(found.files), found.missing, found.extra) == ({"plain"}, ("Ä b",), ("Ä b.webp.png",))


@pytest.mark.parametrize(
    ("outputs", "models", "error"),
    [((), (), ConfigError), (("none",), (), DatasetError), (("m",), ("a", "b"), ConfigError)],
)
def test_places_and_names_that_do_not_fit_are_errors(
    tmp_path: Path, outputs: tuple[str, ...], models: tuple[str, ...], error: type[Exception]
) -> None:
    tree = paintbench_tree(tmp_path)
    paint_outputs(tmp_path, "m", 1)
    with pytest.raises(error):
        preflight_import(request(f"paintbench:{tree}", *(tmp_path / name for name in outputs), models=models))


def test_imported_outcomes_are_never_made_again(tmp_path: Path) -> None:
    tree, outputs = paintbench_tree(tmp_path), paint_outputs(tmp_path, "m", 1)
    folder = import_run(request(f"paintbench:{tree}", outputs), tmp_path / "runs").folder
    first = score_run(folder).run
    assert load_run(folder).rows == first.rows == score_run(folder).run.rows


def test_the_command_judges_and_prints_and_lists_what_is_missing(tmp_path: Path, ran: Ran) -> None:
    tree, outputs = paintbench_tree(tmp_path), paint_outputs(tmp_path, "m", 1)
    code, out, err = ran("import", f"paintbench:{tree}", outputs, "--check", "--json")
    assert code == 0
    assert json.loads(out)["preflight"][0]["missing"] == ["recolor/002"]
    assert "1 outputs found, 1 missing" in err
    code, out, err = ran("import", f"paintbench:{tree}", outputs, "--name", "mine", "--runs-dir", tmp_path / "runs")
    assert code == 0
    assert "PaintBench, published form" in out
    assert "missing: recolor/002" in err
    code, out, _ = ran("report", "mine", "--runs-dir", tmp_path / "runs", "--json")
    assert code == 0
    assert json.loads(out)["conditions"]["imported:m"]["imported"]["score"]["n"] == 2


def test_pictures_of_any_size_are_taken_as_they_are(tmp_path: Path) -> None:
    tree, outputs = paintbench_tree(tmp_path), paint_outputs(tmp_path, "m", 1, 2)
    path = outputs / "bench" / "recolor" / "0001_output.png"
    PIL.Image.open(path).resize((200, 180)).save(path)
    folder = import_run(request(f"paintbench:{tree}", outputs), tmp_path / "runs").folder
    sizes = {
        (row.outcome.media.width, row.outcome.media.height)
        for row in load_run(folder).rows.values()
        if row.outcome.media
    }
    assert sizes == {(200, 180), (64, 64)}
