"""What is missing is told before a run; what is there decides its specs and no others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from editplan.errors import ConfigError
from editplan.evals.cases import Case
from editplan.evals.checkers.checker import SpecChecker, measured
from editplan.evals.checkers.instruments import (
    NO_INSTRUMENTS,
    Detection,
    InstrumentPaths,
    Instruments,
    load_instruments,
    require_instruments,
)
from editplan.evals.checkers.model_specs import DetectedAt, DetectedCount, SegmentAt, SegmentKept, TextReads
from editplan.evals.checkers.pair import Pair
from editplan.evals.checkers.regions import box_region
from editplan.evals.checkers.specs import AnyOf, CheckSpec, ColourAt
from editplan.evals.contracts import Atom, Contract, CriterionGroup
from editplan.evals.judges.checkers import CheckersJudge
from editplan.evals.judges.registry import resolve_judge
from editplan.records import EditRequest, Part
from editplan.store import ImageStore

PICTURE = np.full((100, 200, 3), 220, dtype=np.uint8)
PAIR = Pair(PICTURE, PICTURE, (200, 100))
PLACE = box_region((0.1, 0.2, 0.4, 0.8))
"""(20, 20)..(80, 80) in pixels."""


@dataclass
class Sees:
    """Detects what it is told to."""

    things: tuple[Detection, ...]
    labels: tuple[str, ...] = ("dog", "cup")
    id: str = "sees@1"

    def detect(self, picture: np.ndarray, min_score: float) -> tuple[Detection, ...]:
        return tuple(thing for thing in self.things if thing.score >= min_score)


@dataclass
class Cuts:
    """Segments the box itself, moved by some pixels on the output."""

    shift: int = 0
    confidence: float = 0.9
    id: str = "cuts@1"

    def segment(self, picture: np.ndarray, box: tuple[int, int, int, int]) -> tuple[np.ndarray, float]:
        shift = self.shift if picture.mean() < 200 else 0
        mask = np.zeros(picture.shape[:2], dtype=bool)
        mask[box[1] : box[3], box[0] + shift : box[2] + shift] = True
        return mask, self.confidence


def contract(check: CheckSpec) -> Contract:
    atoms = (Atom(id="asked", check=check),)
    return Contract(
        case_id="case-1",
        criterion_groups=(
            CriterionGroup(role="required", property="semantic_accuracy", atoms=atoms),
            CriterionGroup(role="protected", property="semantic_accuracy", atoms=(Atom(id="kept"),)),
        ),
    )


@pytest.mark.parametrize(
    ("check", "remedy"),
    [
        (TextReads(region=PLACE, text="7"), r"pip install 'editplan\[ocr\]'"),
        (DetectedCount(region=PLACE, label="dog", count=1), "checkers.detector="),
        (SegmentAt(shape=PLACE), "checkers.segmenter="),
    ],
)
def test_a_missing_instrument_is_told_with_case_atom_and_remedy(check: CheckSpec, remedy: str) -> None:
    hidden = AnyOf(checks=(ColourAt(region=PLACE, colour="#ff0000"), check))
    for spec in (check, hidden):
        with pytest.raises(ConfigError, match=rf"'case-1', atom 'asked'.*{remedy}"):
            require_instruments([contract(spec)], NO_INSTRUMENTS)
    with pytest.raises(ConfigError, match=remedy):
        measured(check, PAIR)


def test_a_class_that_the_detector_doesnt_know_is_told_before_the_run() -> None:
    judge = CheckersJudge(Instruments(detector=Sees(())))
    made = contract(DetectedCount(region=PLACE, label="zebra", count=1))
    case = Case(
        case_id="case-1",
        request=EditRequest(case_id="case-1", parts=(Part(media=ImageStore().add_array(PICTURE)),), goal="x"),
        contract=made,
    )
    with pytest.raises(ConfigError, match=r"'zebra'.*it knows dog, cup"):
        judge.check_cases([case])
    with pytest.raises(ConfigError, match="no case has one"):
        judge.check_cases([case.model_copy(update={"contract": None})])


def test_weights_that_arent_there_stop_the_judge_before_it_exists(tmp_path: Path) -> None:
    for key in ("detector", "segmenter"):
        with pytest.raises(ConfigError, match="no weights at"):
            resolve_judge(f"checkers?{key}={tmp_path / 'nothing'}")
    (tmp_path / "empty").mkdir()
    for key in ("detector", "segmenter"):
        with pytest.raises(ConfigError, match=r"config\.json"):
            load_instruments(InstrumentPaths.model_validate({key: tmp_path / "empty"}))


def test_ids_name_the_instruments() -> None:
    instruments = Instruments(detector=Sees(()), segmenter=Cuts())
    assert SpecChecker(instruments).id.endswith("+sees@1+cuts@1")
    assert CheckersJudge(instruments).id.endswith("+sees@1+cuts@1")


@pytest.mark.parametrize(
    ("scores", "count", "verdict"),
    [
        ((0.9, 0.8), 2, "pass"),
        ((0.9, 0.8), 1, "fail"),
        ((0.9, 0.3), 1, "abstain"),
        ((0.9, 0.3), 2, "abstain"),
        ((0.9, 0.3), 3, "fail"),
        ((0.1,), 0, "pass"),
        ((), 0, "pass"),
        ((), 1, "fail"),
    ],
)
def test_a_count_of_detections(scores: tuple[float, ...], count: int, verdict: str) -> None:
    things = [Detection(label="dog", score=score, box=(30, 30, 60, 60)) for score in scores]
    away = [
        Detection(label="dog", score=0.9, box=(150, 30, 180, 60)),
        Detection(label="cup", score=0.9, box=(30, 30, 60, 60)),
    ]
    instruments = Instruments(detector=Sees((*things, *away)))
    spec = DetectedCount(region=PLACE, label="dog", count=count)
    assert measured(spec, PAIR, instruments).verdict == verdict


@pytest.mark.parametrize(
    ("box", "score", "verdict"),
    [
        ((20, 20, 80, 80), 0.9, "pass"),
        ((20, 20, 80, 80), 0.3, "abstain"),
        ((50, 20, 110, 80), 0.9, "partial"),
        ((140, 20, 199, 80), 0.9, "fail"),
    ],
)
def test_a_place_of_a_detection(box: tuple[float, float, float, float], score: float, verdict: str) -> None:
    instruments = Instruments(detector=Sees((Detection(label="dog", score=score, box=box),)))
    assert measured(DetectedAt(region=PLACE, label="dog"), PAIR, instruments).verdict == verdict


@pytest.mark.parametrize(("shift", "verdict"), [(0, "pass"), (2, "pass"), (10, "partial"), (40, "fail")])
def test_a_segment_is_compared_with_its_own_in_the_source(shift: int, verdict: str) -> None:
    pair = Pair(PICTURE, np.full_like(PICTURE, 100), (200, 100))
    assert measured(SegmentKept(region=PLACE), pair, Instruments(segmenter=Cuts(shift))).verdict == verdict


def test_a_segmenter_in_doubt_or_blind_to_the_thing_abstains() -> None:
    instruments = Instruments(segmenter=Cuts(confidence=0.2))
    assert measured(SegmentAt(shape=PLACE), PAIR, instruments).verdict == "abstain"
    dark = Pair(np.full_like(PICTURE, 100), np.full_like(PICTURE, 100), (200, 100))
    assert measured(SegmentKept(region=PLACE), dark, Instruments(segmenter=Cuts(40))).verdict == "abstain"
