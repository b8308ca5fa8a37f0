"""JSON that would break what comes after is refused with its reason."""

import json
from pathlib import Path
from typing import Any

import pytest

from editplan.errors import DatasetError, JudgeError
from editplan.evals.contracts import load_contract
from editplan.evals.plain_json import strict_json
from editplan.evals.protocols.vectorbench.evaluator import evaluate
from editplan.evals.solvescore import score_judge_reply
from editplan.evals.suites.lines import read_lines

TASKS = Path(__file__).parents[1] / "data" / "vectorbench" / "tasks"
BAD = {
    '{"id": "a\\ud800"}': "half a surrogate pair",
    '{"\\udfff": 1}': "half a surrogate pair",
    '{"id": ' + "7" * 5000 + "}": "number that is too long",
    '{"id": 1e999}': "too large",
    '{"id": NaN}': "no JSON number",
    '{"a": {"id": 1, "id": 2}}': "the key 'id' twice",
    '{"id": ' + "[" * 150 + "]" * 150 + "}": "nested too deeply",
    '{"id": ' + "[" * 90000 + "]" * 90000 + "}": "nested too deeply",
}


@pytest.mark.parametrize(("text", "reason"), BAD.items(), ids=range(len(BAD)))
def test_a_bad_line_costs_that_line_only(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(f'{{"id": "one"}}\n{text}\n{{"id": "three"}}\n')
    one, bad, three = read_lines(path)
    assert reason in bad.fault
    assert (one.fault, three.fields) == ("", {"id": "three"})


@pytest.mark.parametrize(("text", "reason"), BAD.items(), ids=range(len(BAD)))
def test_a_contract_file_is_refused_by_name(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "contract.json"
    path.write_text(text)
    with pytest.raises(DatasetError, match=rf"contract\.json: .*{reason}"):
        load_contract(path)


def test_usual_json_is_read_as_ever() -> None:
    value = {"text": "grün 🙂", "list": [1, 2.5, None, True], "deep": {"a": {"b": [{}]}}}
    assert strict_json(json.dumps(value)) == value


def nested(levels: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(levels):
        found = {"extra": found}
    return found


@pytest.mark.parametrize("source", [None, 3, [], nested(3000)], ids=["none", "number", "list", "deep"])
def test_what_is_no_contract_object_is_a_dataset_error(source: Any) -> None:
    with pytest.raises(DatasetError, match=r"a contract is a JSON object|nested too deeply"):
        load_contract(source)


@pytest.mark.parametrize("reply", [None, [], "x", 0])
def test_a_reply_that_is_no_object_is_no_score(reply: Any) -> None:
    with pytest.raises(JudgeError, match="a judge's reply is a JSON object"):
        score_judge_reply({"schema_version": "x"}, reply)
    with pytest.raises(DatasetError, match="a contract is a JSON object"):
        score_judge_reply(reply, {})


def test_a_drawing_in_bytes_is_judged_as_its_text() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect id="r" fill="red"/></svg>'
    task = json.loads(next(TASKS.glob("*.json")).read_text("utf-8"))
    assert evaluate(task, svg.encode()) == evaluate(task, svg)
    assert evaluate(task, b"\xff") == evaluate(task, "\ufffd")
    with pytest.raises(TypeError, match="not int"):
        evaluate(task, 5)  # type: ignore[arg-type]
