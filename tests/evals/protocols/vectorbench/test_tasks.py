"""The corpus loader lists a broken file with its reason and goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from editplan.errors import DatasetError
from editplan.evals.protocols.vectorbench import load_tasks
from tests.evals.protocols.vectorbench.conftest import FIXTURE, TARGET, small_task


def test_the_fixture_loads_in_order_of_ids() -> None:
    corpus = load_tasks(FIXTURE / "tasks")
    assert [task.task_id for task in corpus.tasks] == ["sv_002", "sv_004", "sv_006"]
    assert corpus.failures == ()
    assert sum(len(task.changes) for task in corpus.tasks) > 8


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "not JSON: .*line 1, column 2"),
        (b"[]", "holds list"),
        (b"\xff\xfe", "not UTF-8 at byte 0"),
        (b"[" * 100_000, "nested too deep|not JSON"),
        (json.dumps({"task_id": "a"}).encode(), "expected_diff.* missing"),
        (json.dumps(small_task(target_svg=3)).encode(), "target_svg: Input should be a valid string"),
        (json.dumps(small_task(expected_diff=[3])).encode(), "list of objects"),
        (json.dumps(small_task(expected_diff=3)).encode(), "list of objects"),
        (json.dumps(small_task(target_svg=TARGET[:-1])).encode(), "target_svg: not well-formed"),
        (json.dumps(small_task(target_svg="<!DOCTYPE svg>" + TARGET)).encode(), "target_svg: .*DTD"),
        (json.dumps(small_task(target_svg=TARGET.replace("#sky", "#sea"))).encode(), "#sea"),
        (json.dumps(small_task(initial_svg="<svg>")).encode(), "initial_svg: not well-formed"),
        (json.dumps(small_task()).encode(), "used by an earlier file"),
    ],
)
def test_a_broken_file_is_listed_and_the_rest_loads(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "a_good.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(small_task()).encode())
    (tmp_path / "bad.json").write_bytes(content)
    corpus = load_tasks(tmp_path)
    assert [task.task_id for task in corpus.tasks] == ["small"]
    (failure,) = corpus.failures
    assert failure.path.endswith("bad.json")
    with pytest.raises(DatasetError, match=reason):
        raise DatasetError(failure.reason)


def test_a_link_out_of_the_directory_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps(small_task()))
    inside = tmp_path / "tasks"
    inside.mkdir()
    (inside / "link.json").symlink_to(outside)
    corpus = load_tasks(inside)
    assert corpus.tasks == ()
    assert "leaves the directory" in corpus.failures[0].reason


def test_a_missing_or_empty_directory_says_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no such directory"):
        load_tasks(tmp_path / "none")
    with pytest.raises(DatasetError, match=r"no \*\.json file"):
        load_tasks(tmp_path)
