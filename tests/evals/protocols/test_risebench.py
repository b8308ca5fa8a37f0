"""RISEBench: layout, weights, the released script's readings beside ours, tables, outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from editplan.errors import DatasetError
from editplan.evals.protocols.risebench import (
    Judgement,
    RiseItem,
    accurate,
    import_outputs,
    judge_calls,
    parse_permissive,
    parse_strict,
    read_items,
    score,
    table,
)
from editplan.prompts.loader import PromptLibrary


def entry(index: str, category: str = "temporal_reasoning", **more: Any) -> dict[str, Any]:
    return {
        "index": index,
        "category": category,
        "instruction": "Draw it a year later.",
        "image": "images/a.png",
        "reference_txt": "It is rusty.",
        **more,
    }


def items(tmp_path: Path, *entries: Any) -> dict[str, RiseItem]:
    path = tmp_path / "data_total.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    return {item.index: item for item in read_items(path).items}


def test_weights(tmp_path: Path) -> None:
    item = items(tmp_path, entry("a"))["a"]
    assert score(item, Judgement(index="a", consistency=5, reasoning=4, plausibility=2)) == pytest.approx(3.9)


def test_reasoning_one_halves_the_score_down_to_one(tmp_path: Path) -> None:
    item = items(tmp_path, entry("a"))["a"]
    assert score(item, Judgement(index="a", consistency=5, reasoning=1, plausibility=5)) == pytest.approx(1.5)
    assert score(item, Judgement(index="a", consistency=2, reasoning=1, plausibility=2)) == 1.0


def test_logical_answers_are_mapped_to_one_and_five(tmp_path: Path) -> None:
    item = items(tmp_path, entry("a", "logical_reasoning"))["a"]
    assert score(item, Judgement(index="a", consistency=0, reasoning=1)) == pytest.approx(0.3 + 3.5)
    assert score(item, Judgement(index="a", consistency=1, reasoning=0)) == pytest.approx(1.1)
    assert accurate(item, Judgement(index="a", consistency=1, reasoning=1))


def test_a_missing_flag_counts_as_free_of_consistency_in_official_only(tmp_path: Path) -> None:
    found = items(tmp_path, entry("a"), entry("b", consistency_free=True), entry("c", consistency_free=False))
    judgement = Judgement(index="a", consistency=1, reasoning=5, plausibility=5)
    assert score(found["a"], judgement, "official") == 5.0
    assert score(found["a"], judgement, "strict") == pytest.approx(3.8)
    assert score(found["c"], judgement, "official") == pytest.approx(3.8)
    assert not items(tmp_path, entry("a"))["a"].official_consistency_free


def test_an_item_without_consistency_is_never_accurate_officially(tmp_path: Path) -> None:
    item = items(tmp_path, entry("a", consistency_free=True))["a"]
    perfect = Judgement(index="a", reasoning=5, plausibility=5)
    assert score(item, perfect) == 5.0
    assert accurate(item, perfect, "strict")
    assert not accurate(item, perfect, "official")


def test_table_counts_missing_outputs_and_bounds_failed_judge_calls(tmp_path: Path) -> None:
    found = items(tmp_path, *(entry(index, subtask="aging") for index in "abcd"))
    judged = [
        Judgement(index="a", consistency=5, reasoning=5, plausibility=5),
        Judgement(index="b", status="missing_output"),
        Judgement(index="c", status="judge_failed"),
    ]
    rows = {row.label: row for row in table(found.values(), judged)}
    overall = rows["Overall"]
    assert (overall.n, overall.unmeasured, overall.score, overall.percentage) == (4, 2, 3.0, 50.0)
    assert overall.bounds == (25.0, 75.0)
    assert overall.accuracy == 0.5
    assert {row.label: row for row in table(found.values(), judged, "official")}["Overall"].accuracy == 0.25
    assert rows["Temporal"].score == rows["Temporal-aging"].score == rows["Temporal_Reasoning"].score == 3.0


def test_a_table_without_logical_items_has_no_empty_lines(tmp_path: Path) -> None:
    found = items(tmp_path, entry("a", "logical_reasoning"))
    rows = [row.label for row in table(found.values(), [Judgement(index="a", consistency=1, reasoning=1)])]
    assert rows == [
        "Overall",
        "Logical",
        "Overall_Reasoning",
        "Overall_ApprConsistency",
        "Logical_Reasoning",
        "Logical_ApprConsistency",
    ]


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("Fine. **Final Score:** 4", 4),
        ("**Final Score**: **5**", 5),
        ("Final Score: 4/5", 4),
        ("Final Scores: 3", 3),
        ("final score: 7", 7),
        ("Final Score: good. Later: Final Score: 2", 2),
        ("four", None),
    ],
)
def test_the_published_reading(reply: str, number: int | None) -> None:
    assert parse_permissive(reply) == number


@pytest.mark.parametrize(
    ("reply", "logical", "expected"),
    [
        ("Fine.\nFinal Score: 4", False, 4),
        ("**Final Score:** **4/5**", False, 4),
        ("Final Score: 1.", True, 1),
        ("Final Score: 4", True, "from 0 to 1, not 4"),
        ("Final Score: 3.5", False, "from 1 to 5, not 3.5"),
        ("Final Score: 0", False, "from 1 to 5, not 0"),
        ("Final Score: 4/10", False, "not 4/10"),
        ("Final Score: 2\nFinal Score: 5", False, "several final scores were found: 2, 5"),
        ("the final score is high", False, "no line"),
    ],
)
def test_the_strict_reading(reply: str, logical: bool, expected: int | str) -> None:
    parsed = parse_strict(reply, logical=logical)
    if isinstance(expected, int):
        assert parsed == expected
    else:
        assert isinstance(parsed, str)
        assert expected in parsed


def test_bad_items_are_faults_and_the_rest_goes_on(tmp_path: Path) -> None:
    bad = [
        entry("b", "culinary_reasoning"),
        entry("c", image="../x.png"),
        entry("d", image=[]),
        entry("../e"),
        {key: value for key, value in entry("f").items() if key != "reference_txt"},
        entry("g", instruction=""),
        entry("a"),
        "text",
    ]
    path = tmp_path / "data_total.json"
    path.write_text(json.dumps([entry("a"), *bad]), encoding="utf-8")
    loaded = read_items(path)
    assert [item.index for item in loaded.items] == ["a"]
    assert len(loaded.faults) == len(bad)
    assert loaded.faults[1].where == "data_total.json:$[2]"
    assert "leaves the dataset folder" in loaded.faults[1].problem
    path.write_text("[{", encoding="utf-8")
    with pytest.raises(DatasetError, match="no JSON"):
        read_items(path)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(DatasetError, match="a list of items is expected"):
        read_items(path)


def test_the_larger_release_is_read_too(tmp_path: Path) -> None:
    item = items(
        tmp_path,
        entry(
            "a",
            ["logical_reasoning", "causal_reasoning"],  # type: ignore[arg-type]
            multi_turn="True",
            instruction=["Remove it.", "Count the rest."],
            image=["1.png", "2.png"],
            consistency_img="cons.png",
        ),
    )["a"]
    assert (item.category, item.logical, len(item.images)) == ("hybrid_reasoning", True, 2)
    assert item.instruction == "1. Remove it.\n2. Count the rest."
    assert judge_calls(item)[0].before_output == (tmp_path / "cons.png",)


CASES = [
    (entry("a"), ["consistency", "reasoning_text", "plausibility"], [1, 0, 0]),
    (entry("a", reasoning_img="True"), ["consistency", "reasoning_text_with_input", "plausibility"], [1, 1, 0]),
    (entry("a", reference_img="r.png"), ["consistency", "reasoning_image", "plausibility"], [1, 1, 0]),
    (entry("a", consistency_free=True), ["reasoning_text", "plausibility"], [0, 0]),
    (entry("a", "logical_reasoning"), ["consistency_logical_text", "logical_text"], [1, 0]),
    (
        entry("a", "logical_reasoning", reference_txt="", reference_img="r.png"),
        ["consistency_logical", "logical_image"],
        [1, 1],
    ),
    (
        entry("a", "logical_reasoning", reference_txt="", reference_img="r.png", reasoning_wo_ins=True),
        ["consistency_logical", "logical_match"],
        [1, 1],
    ),
]


@pytest.mark.parametrize(("case", "prompts", "n_images"), CASES)
def test_calls_prompts_and_images(
    case: dict[str, Any], prompts: list[str], n_images: list[int], tmp_path: Path
) -> None:
    calls = judge_calls(items(tmp_path, case)["a"])
    assert [call.prompt for call in calls] == [f"risebench_{name}" for name in prompts]
    assert [len(call.before_output) for call in calls] == n_images
    for call in calls:
        rendered = PromptLibrary().render(call.prompt, call.fields)
        assert "Final Score:" in rendered.text


def test_preflight_of_published_outputs(tmp_path: Path) -> None:
    found = items(tmp_path, entry("a"), entry("b"))
    folder = tmp_path / "M" / "images" / "temporal_reasoning"
    folder.mkdir(parents=True)
    for name in ("a.png", "a.jpg", "zzz.png"):
        Image.new("RGB", (4, 4)).save(folder / name)
    flight = import_outputs(tmp_path / "M", found.values())
    assert flight.missing == ("b",)
    assert [path.name for path in flight.extra] == ["zzz.png"]
    assert [double.item for double in flight.duplicates] == ["a"]
    with pytest.raises(DatasetError, match="no such folder"):
        import_outputs(tmp_path / "Nobody", found.values())
