"""Items, what the judge is shown, score files and the outputs of other tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from editplan.evals.protocols.wiseedit import import_outputs, judge_parts, read_items
from editplan.evals.protocols.wiseedit.csvfile import Row, read_table, write_table
from editplan.evals.protocols.wiseedit.dataset import WiseEditItem, reference_paths
from editplan.evals.protocols.wiseedit.judging import ShownImage, ShownText
from editplan.evals.protocols.wiseedit.layout import Category, Metric, judged_metrics
from editplan.evals.protocols.wiseedit.scores import SCORE_COLUMNS, pending, write_scores
from editplan.prompts.loader import PromptLibrary

TREE = Path(__file__).parents[3] / "data" / "wiseedit"


def test_all_items_of_a_tree_are_read() -> None:
    loaded = read_items(TREE / "dataset")
    assert loaded.faults == ()
    assert {item.category for item in loaded.items} == set(Category)
    five = next(item for item in loaded.items if item.subset == "Imagination_5")
    assert len(five.inputs) == 5
    assert five.prompt("cn").startswith("编辑")


def make_dataset(root: Path, *rows: tuple[str, ...]) -> Path:
    columns = ("idx", "input_1", "input_2", "prompt", "promptcn", "hint", "ref", "knowledge")
    path = root / "WiseEdit" / "Awareness" / "Awareness_2" / "Awareness_2.csv"
    write_table(path, columns, [dict(zip(columns, row, strict=True)) for row in rows])
    return root


def test_a_bad_row_is_a_fault_and_the_rest_goes_on(tmp_path: Path) -> None:
    good = ("imgs/a.png", "imgs/b.png", "edit", "编辑", "", "", "declarative")
    root = make_dataset(
        tmp_path,
        ("1", *good),
        ("2", "../secret.png", *good[1:]),
        ("3", "/etc/passwd", *good[1:]),
        ("../4", *good),
        ("5", *good[:2], " ", *good[3:]),
        ("6", *good[:4], "", '["../../x.png"]', ""),
        ("7", *good),
    )
    broken = root / "WiseEdit" / "Imagination" / "Imagination_1" / "Imagination_1.csv"
    broken.parent.mkdir(parents=True)
    broken.write_text("number,text\n1,edit\n", encoding="utf-8")
    loaded = read_items(root)
    assert [item.idx for item in loaded.items] == ["1", "7"]
    assert loaded.items[0].groups == {"knowledge": "declarative"}
    told = {fault.item: fault for fault in loaded.faults}
    assert "leaves the dataset folder" in told["Awareness_2/2"].problem
    assert told["Awareness_2/2"].where.endswith("Awareness_2.csv:3")
    assert "must be relative" in told["Awareness_2/3"].problem
    assert "plain file name" in told["Awareness_2/../4"].problem
    assert "'prompt' is empty" in told["Awareness_2/5"].problem
    assert "leaves the dataset folder" in told["Awareness_2/6"].problem
    assert "columns ['idx', 'prompt'] are missing" in told["Imagination_1/*"].problem


def test_a_link_out_of_the_dataset_is_found_out(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    root = make_dataset(tmp_path / "data", ("1", "imgs/a.png", "", "edit", "", "", "", ""))
    (root / "imgs").symlink_to(tmp_path / "outside")
    assert "leaves the dataset folder" in read_items(root).faults[0].problem


@pytest.mark.parametrize(
    ("cell", "paths"),
    [
        ("", []),
        ('["a.png", " b.png ", ""]', ["a.png", "b.png"]),
        ('"a.png"', ["a.png"]),
        ("a.png|b.png", ["a.png", "b.png"]),
        ("a.png; b.png", ["a.png", "b.png"]),
        ("a;x.png|b.png", ["a;x.png", "b.png"]),
        (" a.png ", ["a.png"]),
        ("17", []),
    ],
)
def test_reference_cells(cell: str, paths: list[str]) -> None:
    assert reference_paths(cell) == paths


def item(n_inputs: int) -> WiseEditItem:
    return WiseEditItem(
        idx="3",
        subset="WiseEdit_Complex_2",
        category=Category.COMPLEX,
        inputs=tuple(Path(f"in{number}.png") for number in range(1, n_inputs + 1)),
        prompt_en="Put it there.",
        prompt_cn="放在那里。",
        hint="It floats.",
        references=(Path("ref.png"),),
        groups={},
    )


def shown(metric: Metric, n_inputs: int = 2) -> list[str]:
    parts = judge_parts(item(n_inputs), metric, "en").parts
    return [part.text if isinstance(part, ShownText) else f"<{part.role} {part.path}>" for part in parts]


def test_order_and_labels_of_a_call_with_several_inputs() -> None:
    texts = shown(Metric.KNOWLEDGE_FIDELITY)
    assert texts[:6] == [
        "Input image #1:",
        "<input in1.png>",
        "Input image #2:",
        "<input in2.png>",
        "Edited image:",
        "<edited None>",
    ]
    assert texts[6].endswith("It floats.")
    assert texts[7:] == ["Reference image:", "<reference ref.png>"]


def test_only_two_metrics_see_hint_and_references() -> None:
    assert shown(Metric.INSTRUCTION_FOLLOWING) == shown(Metric.KNOWLEDGE_FIDELITY)
    assert shown(Metric.DETAIL_PRESERVING) == shown(Metric.KNOWLEDGE_FIDELITY)[:6]
    assert shown(Metric.CREATIVE_FUSION, 1) == ["Input image:", "<input in1.png>", "Edited image:", "<edited None>"]
    assert shown(Metric.CREATIVE_FUSION, 0) == ["Edited image:", "<edited None>"]


def test_visual_quality_sees_the_output_alone() -> None:
    call = judge_parts(item(2), Metric.VISUAL_QUALITY, "en")
    assert call.parts == (ShownText(text="Image:"), ShownImage(role="edited", path=None))
    assert call.fields == {}


def test_official_shows_the_english_request_to_the_judge_of_chinese_outputs() -> None:
    official = judge_parts(item(1), Metric.DETAIL_PRESERVING, "cn", "official")
    strict = judge_parts(item(1), Metric.DETAIL_PRESERVING, "cn", "strict")
    assert (official.fields["instruction"], official.temperature) == ("Put it there.", None)
    assert (strict.fields["instruction"], strict.temperature) == ("放在那里。", 0.0)


@pytest.mark.parametrize("metric", list(Metric))
@pytest.mark.parametrize("n_inputs", [1, 3])
def test_every_call_has_a_prompt_with_just_its_fields(metric: Metric, n_inputs: int) -> None:
    call = judge_parts(item(n_inputs), metric, "en")
    rendered = PromptLibrary().render(call.prompt, call.fields)
    assert all(band in rendered.text for band in ("9-10", "7-8", "5-6", "3-4", "1-2"))


def test_metrics_go_by_the_subset_name() -> None:
    assert [metric.code for metric in judged_metrics("Imagination_3")] == ["DP", "IF", "VQ", "CF"]
    assert [metric.code for metric in judged_metrics("Awareness_2")] == ["DP", "IF", "VQ", "KF"]
    assert [metric.code for metric in judged_metrics("Awareness_7")] == ["DP", "IF", "VQ", "KF", "CF"]


def test_score_files_are_written_in_the_published_form(tmp_path: Path) -> None:
    root = make_dataset(tmp_path, *((str(n), "a.png", "", "edit", "", "", "", "") for n in (1, 2)))
    dataset = read_table(root / "WiseEdit" / "Awareness" / "Awareness_2" / "Awareness_2.csv", ("idx",))
    path = tmp_path / "scores" / "M" / "score_Awareness_2.csv"
    write_scores(path, dataset, {"1": {(Metric.DETAIL_PRESERVING, "cn"): 7, (Metric.VISUAL_QUALITY, "en"): None}})
    assert path.read_bytes().startswith(b"\xef\xbb\xbfidx,")
    written = read_table(path, ("idx",))
    assert written.columns == (*dataset.columns, *SCORE_COLUMNS)
    assert written.rows[0].cells["DP_score_cn"] == "7"
    write_scores(path, dataset, {"2": {(Metric.DETAIL_PRESERVING, "cn"): 3}}, previous=written)
    assert [row.cells["DP_score_cn"] for row in read_table(path, ("idx",)).rows] == ["7", "3"]


def test_resuming_asks_a_failed_call_again_unless_official() -> None:
    metrics = judged_metrics("Imagination_1")
    row = Row(line=2, cells={metric.column(lang): "8" for metric in metrics for lang in ("cn", "en")})  # type: ignore[arg-type]
    failed = Row(line=2, cells={**row.cells, "CF_score_en": "0"})
    assert pending(failed, metrics, official=True) == ()
    assert pending(failed, metrics, official=False) == ((Metric.CREATIVE_FUSION, "en"),)
    empty = Row(line=2, cells={**row.cells, "CF_score_en": ""})
    assert len(pending(empty, metrics, official=True)) == 8


def test_preflight_of_published_outputs(tmp_path: Path) -> None:
    items = [item(1), item(1).model_copy(update={"idx": "4"})]
    folder = tmp_path / "M" / "WiseEdit_Complex_2"
    for name in ("en/3.png", "en/3.webp", "en/99.jpg", "cn/3.jpeg", "cn/4.jpg", "../Elsewhere_1/en/1.png"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (4, 4)).save(folder / name)
    found = import_outputs(tmp_path / "M", items)
    assert found.missing == ("WiseEdit_Complex_2/en/4",)
    assert {path.name for path in found.extra} == {"99.jpg", "1.png"}
    assert [double.item for double in found.duplicates] == ["WiseEdit_Complex_2/en/3"]
    assert {output.item: output.path.name for output in found.found}["WiseEdit_Complex_2/en/3"] == "3.png"
    assert "3 of 4 outputs found" in found.summary()
    assert import_outputs(tmp_path / "M", items, languages=("cn",)).complete
