"""The tree, its rollups, the answers in words and the outputs of other tools."""

from __future__ import annotations

import json
import shutil
import time
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from editplan.errors import DatasetError
from editplan.evals.protocols.paintbench import (
    PaintProblem,
    ProblemScore,
    answer_in_words,
    as_worded,
    follows_words,
    import_outputs,
    load_problems,
    read_problems,
    regime_of,
    roll_up,
    score,
)
from editplan.evals.protocols.paintbench.places import shift_of
from editplan.evals.protocols.paintbench.problems import CATEGORIES

SAMPLE = Path(str(resources.files("editplan.evals.suites"))) / "paintbench_sample"


@pytest.fixture(scope="module")
def problems() -> dict[str, PaintProblem]:
    return {problem.task: problem for problem in load_problems(SAMPLE)}


def test_the_sample_holds_one_problem_of_each_task(problems: dict[str, PaintProblem]) -> None:
    assert set(problems) == {task for tasks in CATEGORIES.values() for task in tasks}
    assert all(problem.task in CATEGORIES[problem.category] for problem in problems.values())


def test_a_problem_carries_no_fact_of_the_generator(problems: dict[str, PaintProblem]) -> None:
    facts = json.loads(problems["legend"].facts_path.read_text(encoding="utf-8"))
    shown = problems["legend"].model_dump_json()
    assert "mapping" in facts
    assert not any(f'"{key}"' in shown for key in ("mapping", "scene_shapes", "params", "seed", "bg_colors"))


def test_answers_score_one_and_inputs_almost_nothing(problems: dict[str, PaintProblem]) -> None:
    started = time.process_time()
    for problem in problems.values():
        with Image.open(problem.input_path) as source, Image.open(problem.answer_path) as answer:
            assert score(source, answer, answer)["mean_iou"] == 1.0
            assert score(source, answer, source)["mean_iou"] < 0.5
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("task", "mode", "regime"),
    [
        ("counting", "color", "SD"),
        ("recolor", "dropper", "SD"),
        ("recolor", "color_code", "IS"),
        ("translation", "align", "SD"),
        ("scaling", "match", "SD"),
        ("legend", "default", "RD"),
        ("pattern", "grid", "RD"),
        ("removal", "location", "IS"),
    ],
)
def test_regimes(task: str, mode: str, regime: str) -> None:
    assert regime_of(task, mode) == regime


def copied(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    shutil.copytree(SAMPLE, root)
    return root


def test_broken_lines_name_their_place_and_the_rest_is_read(tmp_path: Path) -> None:
    root = copied(tmp_path)
    lines = (root / "problems.jsonl").read_text(encoding="utf-8").splitlines()
    lines[1] = '{"task": "border", '
    lines.insert(3, json.dumps({**json.loads(lines[2]), "task": "../../outside"}))
    lines.append(lines[0])
    lines.append(json.dumps({**json.loads(lines[0]), "problem_id": 777}))
    (root / "problems.jsonl").write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    loaded = read_problems(root)
    assert len(loaded.items) == 19
    assert [fault.where for fault in loaded.faults] == [f"problems.jsonl:{n}" for n in (2, 4, 22, 23)]
    told = [fault.problem for fault in loaded.faults]
    assert "no JSON" in told[0]
    assert "leaves the dataset folder" in told[1]
    assert told[2] == "listed twice"
    assert "777_input.png' is not in" in told[3]
    with pytest.raises(DatasetError, match="4 unusable items"):
        list(load_problems(root))


def test_a_tree_without_a_listing_is_walked(tmp_path: Path) -> None:
    root = copied(tmp_path)
    (root / "problems.jsonl").unlink()
    assert {p.id for p in load_problems(root)} == {p.id for p in load_problems(SAMPLE)}
    with pytest.raises(DatasetError, match="is this a PaintBench tree"):
        read_problems(tmp_path / "tree" / "border")


def test_a_preservation_problem_stays_outside_the_score(tmp_path: Path) -> None:
    root = copied(tmp_path)
    shutil.copytree(root / "removal", root / "preservation")
    number = next(p for p in load_problems(SAMPLE) if p.task == "removal").id.split("/")[1]
    entry = {"task": "preservation", "mode": "default", "visual_condition": "baseline", "problem_id": int(number)}
    with (root / "problems.jsonl").open("a", encoding="utf-8") as listing:
        listing.write(json.dumps({**entry, "instruction": "Generate the same image."}) + "\n")
    rows = [row(problem, 0.25 if problem.task == "preservation" else 1.0) for problem in load_problems(root)]
    table = roll_up(rows, resamples=0)
    assert table.benchmark is not None
    assert table.benchmark.mean == 1.0
    assert table.outside_score["preservation"].mean == 0.25


def row(problem: PaintProblem, value: float) -> ProblemScore:
    return ProblemScore(
        problem_id=problem.id,
        task=problem.task,
        category=problem.category,
        visual_condition=problem.visual_condition,
        mean_iou=value,
        follows_words=follows_words(problem),
    )


def made(task: str, category: str, condition: str, *values: float) -> list[ProblemScore]:
    return [
        ProblemScore(problem_id=f"{task}/{n}", task=task, category=category, visual_condition=condition, mean_iou=v)
        for n, v in enumerate(values)
    ]


def test_rollups_are_means_of_means() -> None:
    scores = [
        *made("recolor", "color_change", "baseline", 1.0, 1.0, 1.0, 1.0),
        *made("gradient", "color_change", "striped", 0.0),
        *made("legend", "symbolic_reasoning", "striped", 0.2, 0.4),
    ]
    table = roll_up(scores, resamples=0)
    assert table.tasks["legend"].mean == pytest.approx(0.3)
    assert table.categories["color_change"].mean == pytest.approx(0.5)
    assert table.benchmark is not None
    assert table.benchmark.mean == pytest.approx(0.4)
    assert table.visual_conditions["striped"].mean == pytest.approx(0.15)
    assert (table.benchmark.n_problems, table.benchmark.n_tasks) == (7, 3)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    random = np.random.default_rng(5)
    covered = 0
    for seed in range(100):
        scores = [
            *made("recolor", "color_change", "baseline", *random.beta(2, 2, 40)),
            *made("legend", "symbolic_reasoning", "baseline", *random.beta(2, 2, 40)),
        ]
        cell = roll_up(scores, resamples=400, seed=seed).benchmark
        assert cell is not None
        assert cell.ci is not None
        covered += cell.ci[0] <= 0.5 <= cell.ci[1]
    assert covered >= 87


def test_one_problem_a_task_has_no_interval() -> None:
    cell = roll_up(made("legend", "symbolic_reasoning", "baseline", 0.4)).benchmark
    assert cell is not None
    assert cell.ci is None


def test_as_worded_leaves_out_rotation_and_one_axis_scaling_of_turned_shapes(
    problems: dict[str, PaintProblem], tmp_path: Path
) -> None:
    assert not follows_words(problems["rotation"])
    assert follows_words(problems["scaling"])  # uniform
    told = "Scale the star horizontally so its bounding box width is 46% of its current width."
    for shape, expected in (("star", False), ("rectangle", True), ("ring", True), ("triangle", False)):
        facts = tmp_path / f"{shape}.json"
        facts.write_text(json.dumps({"target_shape": shape}), encoding="utf-8")
        problem = problems["scaling"].model_copy(update={"facts_path": facts, "instruction": told})
        assert follows_words(problem) is expected
    rows = [row(problem, 1.0) for problem in problems.values()]
    assert {r.task for r in rows} - {r.task for r in as_worded(rows)} == {"rotation"}


def test_answers_in_words(problems: dict[str, PaintProblem]) -> None:
    assert answer_in_words(problems["removal"]) is None
    assert answer_in_words(problems["counting"]) == (
        "Of the 5 brown shapes arranged in a line on the left of the image, "
        "remove the 3 nearest the bottom, so that 2 of them remain."
    )
    assert answer_in_words(problems["legend"]) == (
        "Outside the legend at the right of the image, recolor all blue shapes to green (#00FF00), "
        "remove all purple shapes and recolor all pink shapes to yellow (#FFFF00). Keep the legend as it is."
    )
    ordering = answer_in_words(problems["ordering"])
    assert ordering is not None
    assert "the third shape moves to the first box" in ordering


def test_the_answer_to_a_comparison_points_into_the_shape(problems: dict[str, PaintProblem]) -> None:
    problem = problems["comparison"]
    told = answer_in_words(problem)
    assert told is not None
    x, y = (float(part.strip("(%).")) / 100 for part in told.split(" at ")[1].split(". Keep")[0].split(","))
    facts = json.loads(problem.facts_path.read_text(encoding="utf-8"))
    with Image.open(problem.input_path) as image:
        pixel = image.convert("RGB").getpixel((int(x * image.width), int(y * image.height)))
    assert "#{:02X}{:02X}{:02X}".format(*pixel) == facts["color"]  # type: ignore[misc]


def test_the_shape_of_a_tile_is_told_where_its_colour_is_not_enough(problems: dict[str, PaintProblem]) -> None:
    told = answer_in_words(problems["pattern"])
    assert told is not None
    # Arrows and rectangles of this grid are both pink; they alternate by row, and the first row has the gap.
    assert told.startswith("Draw a pink arrow at (40.87%, 6.98%)")


def test_a_measured_shift_equals_the_generators(problems: dict[str, PaintProblem]) -> None:
    problem = problems["translation"]
    facts = json.loads(problem.facts_path.read_text(encoding="utf-8"))
    shift = shift_of(problem, facts["target_color"])
    assert shift is not None
    assert shift[0] * facts["W"] == pytest.approx(facts["dx_px"], abs=0.2)
    assert shift[1] * facts["H"] == pytest.approx(facts["dy_px"], abs=0.2)
    words = "Translate the red star so that its tip aligns with the center of the image. Clip it."
    aligned = problem.model_copy(update={"mode": "align", "instruction": words})
    assert answer_in_words(aligned) == (
        "Translate the red star left by 15.30% of the image width and down by 28.72% of the image height. Clip it."
    )


def test_a_shift_that_the_pictures_do_not_show_is_not_guessed(
    problems: dict[str, PaintProblem], tmp_path: Path
) -> None:
    pixels = {name: np.full((40, 40, 3), 255, np.uint8) for name in ("input", "answer", "cut")}
    pixels["input"][5:15, 5:15] = (255, 0, 0)
    pixels["answer"][20:30, 15:25] = (255, 0, 0)
    pixels["cut"][20:30, 36:40] = (255, 0, 0)
    for name, picture in pixels.items():
        Image.fromarray(picture).save(tmp_path / f"{name}.png")
    problem = problems["translation"].model_copy(
        update={"input_path": tmp_path / "input.png", "answer_path": tmp_path / "answer.png"}
    )
    assert shift_of(problem, "#FF0000") == pytest.approx((10 / 40, 15 / 40))
    assert shift_of(problem.model_copy(update={"answer_path": tmp_path / "cut.png"}), "#FF0000") is None
    assert shift_of(problem, "#00FF00") is None


def test_facts_of_another_task_are_a_precise_error(problems: dict[str, PaintProblem]) -> None:
    wrong = problems["counting"].model_copy(update={"facts_path": problems["border"].facts_path})
    with pytest.raises(DatasetError, match="not the facts of a counting problem"):
        answer_in_words(wrong)


def test_preflight_lists_missing_and_extra_outputs(problems: dict[str, PaintProblem], tmp_path: Path) -> None:
    folder = tmp_path / "model" / "paintbench"
    chosen = [problems["border"], problems["legend"]]
    (folder / "border").mkdir(parents=True)
    (folder / "legend").mkdir()
    number = int(problems["border"].id.split("/")[1])
    Image.new("RGB", (4, 4)).save(folder / "border" / f"{number:04d}_output.png")
    Image.new("RGB", (4, 4)).save(folder / "legend" / "9999_output.png")
    found = import_outputs(tmp_path / "model", chosen)
    assert [output.item for output in found.found] == [problems["border"].id]
    assert found.missing == (problems["legend"].id,)
    assert [path.name for path in found.extra] == ["9999_output.png"]
    assert not found.complete
    (tmp_path / "model" / "other" / "border").mkdir(parents=True)
    Image.new("RGB", (4, 4)).save(tmp_path / "model" / "other" / "border" / "0001_output.png")
    with pytest.raises(DatasetError, match="several benchmarks"):
        import_outputs(tmp_path / "model", chosen)
    assert import_outputs(tmp_path / "model", chosen, benchmark="other").missing == tuple(p.id for p in chosen)
