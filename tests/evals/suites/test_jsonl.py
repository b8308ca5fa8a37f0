"""A benchmark of the user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from editplan.errors import DatasetError
from editplan.evals.cases import Case, InvalidCase
from editplan.evals.suites import resolve_suite
from editplan.images import encode_png
from editplan.records import PartRole
from editplan.store import ImageStore


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    from PIL import Image

    for name, colour in (("a.png", "white"), ("b.png", "red")):
        (tmp_path / name).write_bytes(encode_png(Image.new("RGB", (20, 20), colour)))
    return tmp_path


def read(folder: Path, *lines: dict[str, Any]) -> list[Case | InvalidCase]:
    path = folder / "mine.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return list(resolve_suite(f"jsonl:{path}").cases(ImageStore()))


def item(**changes: Any) -> dict[str, Any]:
    return {"image": "a.png", "goal": "Paint it red.", "reference": "b.png", **changes}


def test_an_item_with_a_reference_is_scored_by_pixels(folder: Path) -> None:
    (case,) = read(folder, item(regime="IS", domain="walls", groups={"room": "kitchen"}, answer="All red."))
    assert isinstance(case, Case)
    assert case.case_id == "0001"
    assert case.reference is not None
    assert (case.regime, case.domain, case.groups) == ("IS", "walls", {"room": "kitchen"})
    assert case.oracle is not None
    assert resolve_suite(f"jsonl:{folder / 'mine.jsonl'}").metric == "mean_iou"


def test_several_images_keep_their_order_and_the_first_is_the_canvas(folder: Path) -> None:
    line = {"images": ["a.png", "b.png"], "goal": "Make a like b.", "rubric": "Same colour?"}
    (case,) = read(folder, line)
    assert isinstance(case, Case)
    assert [part.role for part in case.request.parts] == [PartRole.CANVAS, PartRole.REFERENCE]
    assert case.rubric is not None
    assert case.rubric.criteria == "Same colour?"
    assert resolve_suite(f"jsonl:{folder / 'mine.jsonl'}").metric == "rubric"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (item(goal=" "), "line 2: $.goal is ' '"),
        (item(extra=1), "unknown field $.extra; known: answer, contract, difficulty"),
        (item(rubric="x"), "exactly one of contract, reference, rubric is expected; found reference and rubric"),
        (item(reference=None), "found none of them"),
        (item(images=["a.png"]), "and not both"),
        (item(image="../a.png"), "leaves the dataset folder"),
        (item(image="c.png"), "image 'c.png' is not in"),
        (item(regime="XX"), "$.regime: Input should be 'IS', 'SD' or 'RD'"),
        (item(output="redraw"), "$.output: Input should be 'edit' or 'new'"),
        (
            item(reference=None, contract={"schema_version": "v1"}),
            "is judged by a contract, but the file's first item",
        ),
        (item(id="first"), "id 'first' was given in line 1 already"),
        (item(mask=3), "an image path is 3"),
    ],
)
def test_a_faulty_line_is_one_precise_error_and_the_rest_goes_on(
    folder: Path, line: dict[str, Any], message: str
) -> None:
    first, second, third = read(folder, item(id="first"), line, item(id="third"))
    assert isinstance(first, Case)
    assert isinstance(second, InvalidCase)
    assert message in second.error
    assert isinstance(third, Case)


def test_a_file_without_any_criterion_has_no_metric(folder: Path) -> None:
    path = folder / "none.jsonl"
    path.write_text('{"image": "a.png", "goal": "x"}\n')
    with pytest.raises(DatasetError, match="nothing could be judged"):
        _ = resolve_suite(f"jsonl:{path}").metric
