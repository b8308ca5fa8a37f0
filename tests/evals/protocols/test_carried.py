"""An item travels in a case's rubric and comes out as it went in."""

from pathlib import Path

import pytest

from editplan.errors import JudgeError
from editplan.evals.protocols.carried import item_in, pictures_in, rubric_of
from editplan.evals.protocols.risebench.items import RiseItem, read_items
from editplan.evals.protocols.wiseedit.dataset import WiseEditItem
from editplan.records import Media
from tests.evals.suites.trees import risebench_tree


def test_item_and_pictures_survive_the_record(tmp_path: Path) -> None:
    item = read_items(risebench_tree(tmp_path) / "data_total.json").items[0]
    media = Media(sha256="a" * 64, width=3, height=2)
    rubric = rubric_of("risebench", item, {item.images[0]: media})
    again = type(rubric).model_validate_json(rubric.model_dump_json())
    assert item_in(again, RiseItem) == item
    assert pictures_in(again) == {item.images[0]: media}


def test_another_benchmarks_item_is_a_judge_error(tmp_path: Path) -> None:
    item = read_items(risebench_tree(tmp_path) / "data_total.json").items[0]
    with pytest.raises(JudgeError, match="no WiseEditItem"):
        item_in(rubric_of("risebench", item, {}), WiseEditItem)
    with pytest.raises(JudgeError, match="no rubric"):
        item_in(None, RiseItem)
