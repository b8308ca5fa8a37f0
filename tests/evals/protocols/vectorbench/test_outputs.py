"""Reading what another tool wrote: broken lines are listed, pairs are matched with the tasks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from editplan.errors import DatasetError
from editplan.evals.protocols.vectorbench import load_tasks, read_task
from editplan.evals.protocols.vectorbench.outputs import coverage, read_outputs, scored
from tests.evals.protocols.vectorbench.conftest import FIXTURE, INITIAL, TARGET, small_task


def line(**fields: object) -> bytes:
    return json.dumps({"task_id": "small", "model": "m", "svg": TARGET, **fields}).encode()


def test_the_published_outputs_are_read_and_complete() -> None:
    found = read_outputs(FIXTURE / "scored_outputs.jsonl").strictly()
    tasks = load_tasks(FIXTURE / "tasks").tasks
    assert len(found) == 102
    assert coverage(found, tasks).model_dump() == {"missing": (), "extra": (), "doubled": ()}


def test_a_broken_line_in_the_middle_is_listed_and_the_rest_is_read(tmp_path: Path) -> None:
    published = {"task_id": "small", "requested_model": "n", "produced_svg": None, "finish_reason": "length"}
    path = tmp_path / "outputs.jsonl"
    path.write_bytes(
        b"\xef\xbb\xbf" + line() + b"\r\n{broken\r\n\r\n[1]\n" + line(svg=3) + b"\n\xff\n"
        b'{"task_id": "small", "model": "m"}\n' + json.dumps(published).encode()
    )
    found = read_outputs(path)
    assert [(item.model, item.svg is None, item.truncated) for item in found.items] == [
        ("m", False, False),
        ("n", True, True),
    ]
    problems = {fault.item: fault.problem for fault in found.faults}
    assert list(problems) == ["line 2", "line 4", "line 5", "line 6", "line 7"]
    assert "not a line of JSON" in problems["line 2"]
    assert "holds list" in problems["line 4"]
    assert "svg: Input should be a valid string" in problems["line 5"]
    assert "'svg' (or 'produced_svg') is missing" in problems["line 7"]


def test_missing_extra_and_doubled_pairs_are_told_and_the_first_of_a_pair_counts(tmp_path: Path) -> None:
    path = tmp_path / "outputs.jsonl"
    path.write_bytes(b"\n".join((line(), line(svg=INITIAL), line(task_id="other", model="n"))))
    found, tasks = read_outputs(path).items, [read_task(small_task())]
    assert coverage(found, tasks).model_dump() == {
        "missing": (("n", "small"),),
        "extra": (("n", "other"),),
        "doubled": (("m", "small"),),
    }
    assert [output.report["status"] for output in scored(found, tasks)] == ["PASS"]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"none\.jsonl: can't be read"):
        read_outputs(tmp_path / "none.jsonl")
