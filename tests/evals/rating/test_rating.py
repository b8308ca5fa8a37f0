"""A blinded page for a human rater, ratings from CSV files, and their agreement."""

from pathlib import Path

import numpy as np
import pytest

from editplan.errors import ConfigError, DatasetError
from editplan.evals.cases import Case
from editplan.evals.experiment import parse_experiment
from editplan.evals.judging import Verdicts
from editplan.evals.rating.agreeing import agreement_of, read_ratings
from editplan.evals.rating.blinded import items_of
from editplan.evals.rating.reading import rated_run
from editplan.evals.rating.sheet import rating_page
from editplan.evals.rows import RunKey
from editplan.evals.run import Run
from editplan.records import Outcome, Status
from editplan.store import ImageStore
from editplan.testing.evaluation import TinySuite
from editplan.testing.runs import Made, write_run

ARMS = ("direct", "generic_rewrite")


def score(case: Case, key: RunKey) -> float:
    return (int(case.case_id[-3:]) + 2 * (key.condition == "direct")) / 8


@pytest.fixture
async def run(tmp_path: Path) -> Run:
    images = ImageStore(tmp_path / "run" / "images")

    def make(case: Case, key: RunKey) -> Made:
        shade = int(case.case_id[-3:]) * 10 + 100 * (key.condition == "direct")
        media = images.add_array(np.full((12, 16, 3), shade, np.uint8))
        if case.case_id.endswith("005"):
            media = case.request.parts[0].media
        return Outcome(status=Status.OK, media=media), Verdicts(status="scored", score=score(case, key), required=1.0)

    names = {"name": "run", "suite": "tiny", "conditions": list(ARMS), "editors": ["e"], "judges": ["j"]}
    return await write_run(tmp_path / "run", parse_experiment(names), TinySuite(6), make)


async def test_the_page_tells_no_arm_and_holds_every_output_once(run: Run) -> None:
    items = items_of(run)
    page = rating_page(items, ImageStore(run.folder / "images"))
    assert not [word for word in (*ARMS, "tiny-", "plan", "embedded") if word in page]
    # Six cases, two arms; both arms of the last case gave the same picture.
    assert len(items) == len({item.item for item in items}) == 11
    assert page.count("<section") == 11
    assert "http://" not in page
    assert "https://" not in page


async def test_arms_are_shuffled_and_another_seed_shuffles_anew(run: Run) -> None:
    def order(seed: int) -> list[str]:
        return [item.key.condition for item in items_of(run, seed)]

    assert order(0) == order(0)
    assert len({tuple(order(seed)) for seed in range(5)}) > 1
    assert len({item.item for seed in (0, 1) for item in items_of(run, seed)}) == 22


async def test_a_saved_csv_is_held_against_the_judge(run: Run, tmp_path: Path) -> None:
    items = items_of(run)
    lines = [f"{item.item},{round(5 * score(item.case, item.key))}" for item in items[:-2]]
    path = tmp_path / "anna.csv"
    path.write_text("\n".join(["item,rating", *lines, f"{items[-2].item},"]), encoding="utf-8")
    found = rated_run(run, items, [path], "j")
    assert found.raters == ("j", "anna")
    pair = found.pairs[0]
    assert pair.agreement.n == 9
    assert pair.agreement.pearson is not None
    assert pair.agreement.pearson > 0.95
    assert pair.agreement.within_one == 1.0
    assert pair.model_tau == 1.0
    with pytest.raises(DatasetError, match="another --seed"):
        rated_run(run, items_of(run, 1), [path], "j")


def test_missing_ratings_are_allowed_and_left_out(tmp_path: Path) -> None:
    a, b, c = (tmp_path / f"{name}.csv" for name in "abc")
    a.write_text("item,rating\n1,0\n2,1\n3,2\n4,3\n5,\n", encoding="utf-8")
    b.write_text("case_id,score\n1,0\n2,1\n3,2\n4,4\n6,2\n", encoding="utf-8")
    c.write_text("item,rating\n1,1\n3,2\n", encoding="utf-8")
    found = agreement_of({path.stem: read_ratings(path) for path in (a, b, c)})
    assert (found.items, [pair.agreement.n for pair in found.pairs]) == (6, [4, 2, 2])
    assert found.pairs[0].agreement.within_one == 1.0
    assert found.pairs[0].model_tau is None
    assert found.alpha is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,rating\n1,2\n", "no column item"),
        ("item,rating\n1,good\n", "rating.csv:2: 'good' is no rating"),
        ("item,rating\n1,nan\n", "finite"),
        ("item,rating\n1,2\n1,3\n", "rated twice"),
    ],
)
def test_a_broken_file_is_named_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "rating.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DatasetError, match=message):
        read_ratings(path)


def test_agreement_needs_two_raters_with_a_common_item() -> None:
    with pytest.raises(ConfigError, match="two raters"):
        agreement_of({"a": {("1", ""): 1.0}})
    with pytest.raises(ConfigError, match="no item in common"):
        agreement_of({"a": {("1", ""): 1.0}, "b": {("2", ""): 1.0}})
