"""Text checks by a reader: what a reading decides (a scripted reader), and what RapidOCR reads (local)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.evals.checkers.checker import measured
from editplan.evals.checkers.instruments import Instruments, Line
from editplan.evals.checkers.model_specs import TextKept, TextReads
from editplan.evals.checkers.ocr import agreement, folded
from editplan.evals.checkers.pair import Pair
from editplan.evals.checkers.regions import box_region

PAGE = box_region((0.0, 0.0, 1.0, 1.0))


@dataclass
class SaysReader:
    """Reads what it is told from any picture, brighter ones by the first text."""

    light: str
    dark: str = ""
    score: float = 0.95
    id: str = "says@1"

    def read(self, picture: np.ndarray) -> tuple[Line, ...]:
        text = self.light if picture.mean() > 128 else self.dark
        return tuple(Line(text=part, score=self.score, box=(0, 0, 9, 9)) for part in text.split("|") if part)


def inked(level: int = 245) -> np.ndarray:
    image = np.full((60, 160, 3), level, dtype=np.uint8)
    image[20:40, 40:120] = 255 - level
    return image


def verdict(spec: TextReads | TextKept, reader: SaysReader, after: np.ndarray | None = None) -> str:
    after = inked() if after is None else after
    return measured(spec, Pair(inked(), after, (160, 60)), Instruments(reader=reader)).verdict


@pytest.mark.parametrize(
    ("read", "wanted", "expected"),
    [
        ("Main Street", "main street", "pass"),
        ("MainStreet", "Main Street", "pass"),
        ("Main|Street", "Main Street", "pass"),
        ("Ｍａｉｎ", "Main", "pass"),
        ("4O", "40", "pass"),
        ("Main Road", "Main Street", "fail"),
        ("41", "40", "fail"),
        ("出口", "出口", "pass"),
        ("入口", "出口", "fail"),
    ],
)
def test_an_exact_text_is_compared_as_people_read_it(read: str, wanted: str, expected: str) -> None:
    assert verdict(TextReads(region=PAGE, text=wanted), SaysReader(read)) == expected


def test_case_counts_where_it_is_asked_for() -> None:
    assert verdict(TextReads(region=PAGE, text="Main", match_case=True), SaysReader("MAIN")) == "fail"


@pytest.mark.parametrize(
    ("read", "expected"), [("Departures", "pass"), ("Departnres", "pass"), ("Depart", "partial"), ("Exit", "fail")]
)
def test_a_fuzzy_text_is_graded(read: str, expected: str) -> None:
    assert verdict(TextReads(region=PAGE, text="Departures", match="fuzzy"), SaysReader(read)) == expected


def test_an_unsure_reading_abstains_and_needs_more_to_refute_than_to_confirm() -> None:
    assert verdict(TextReads(region=PAGE, text="7"), SaysReader("7", score=0.6)) == "pass"
    assert verdict(TextReads(region=PAGE, text="7"), SaysReader("1", score=0.6)) == "abstain"
    assert verdict(TextReads(region=PAGE, text="7"), SaysReader("7", score=0.3)) == "abstain"


def test_no_ink_is_a_fail_and_illegible_ink_abstains() -> None:
    blank = np.full((60, 160, 3), 245, dtype=np.uint8)
    assert verdict(TextReads(region=PAGE, text="7"), SaysReader(""), blank) == "fail"
    assert verdict(TextReads(region=PAGE, text="7"), SaysReader("")) == "abstain"


def test_writing_that_became_illegible_was_not_kept() -> None:
    before, after = inked(245), inked(40)
    for dark, expected in (("Exit 12", "pass"), ("Exit 13", "partial"), ("", "fail")):
        pair = Pair(before, after, (160, 60))
        reader = SaysReader("Exit 12", dark)
        assert measured(TextKept(region=PAGE), pair, Instruments(reader=reader)).verdict == expected


def test_a_source_that_cant_be_read_abstains() -> None:
    assert verdict(TextKept(region=PAGE), SaysReader("")) == "abstain"


@given(st.text(max_size=12), st.text(max_size=12))
def test_agreement_is_symmetric_and_one_only_for_equal_texts(first: str, second: str) -> None:
    share = agreement(first, second)
    assert share == agreement(second, first)
    assert 0.0 <= share <= 1.0
    assert (share == 1.0) == (first == second)


def test_agreement_is_one_less_the_edit_distance() -> None:
    assert agreement("kitten", "sitting") == pytest.approx(1 - 3 / 7)
    assert folded("  ab C ", False) == "abc"


@pytest.mark.local
def test_rapidocr_reads_the_numbers_and_labels_of_puzzles() -> None:
    from editplan.evals.checkers.ocr import RapidReader
    from editplan.evals.checkers.registration import register
    from editplan.evals.suites.puzzles.suite import PuzzleOptions, PuzzleSuite
    from editplan.evals.suites.puzzles.things import Writing

    instruments = Instruments(reader=RapidReader())
    for puzzle in PuzzleSuite(PuzzleOptions(count=12, seed=11, families=("count", "move"))).puzzles():
        step = puzzle.solutions[0]
        for thing in step.target.things:
            if not isinstance(thing, Writing):
                continue
            place = thing.mask(step.target.size)
            rows, columns = np.nonzero(place)
            height, width = place.shape
            box = ((columns.min() - 8) / width, (rows.min() - 8) / height)
            end = ((columns.max() + 9) / width, (rows.max() + 9) / height)
            region = box_region((max(box[0], 0.0), max(box[1], 0.0), min(end[0], 1.0), min(end[1], 1.0)))
            pair = register(puzzle.source, step.picture)
            assert measured(TextReads(region=region, text=thing.text), pair, instruments).verdict == "pass"
            other = TextReads(region=region, text="Q" if thing.text != "Q" else "R")
            assert measured(other, pair, instruments).verdict != "pass"
