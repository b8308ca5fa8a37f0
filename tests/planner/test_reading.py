"""Lenient reading: boxes in every form and convention, and no answer that breaks it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.boxes import BoxConvention
from editplan.planner.inspections import read_inspection
from editplan.planner.plans import plan_keys, read_plan
from editplan.planner.reading import Frame, Reader
from editplan.planner.variants import VARIANTS

BOX = (0.1, 0.5, 0.9, 0.75)


@pytest.mark.parametrize(
    ("value", "noted"),
    [
        ([0.1, 0.5, 0.9, 0.75], False),
        (["0.1", "0.5", " 0.9", "0.75"], False),
        ({"x1": 0.1, "y1": 0.5, "x2": 0.9, "y2": 0.75}, False),
        ({"xmin": 0.1, "ymin": 0.5, "xmax": 0.9, "ymax": 0.75}, False),
        ({"bbox": [0.1, 0.5, 0.9, 0.75]}, False),
        ([[0.1, 0.5], [0.9, 0.75]], False),
        ([[0.1, 0.5, 0.9, 0.75]], False),
        ("0.1, 0.5, 0.9, 0.75", False),
        ("[0.1 0.5 0.9 0.75]", False),
        ([0.9, 0.75, 0.1, 0.5], True),
    ],
)
def test_a_box_in_many_forms(value: Any, noted: bool) -> None:
    reader = Reader()
    assert reader.box(value, "box") == pytest.approx(BOX)
    assert bool(reader.notes) is noted


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        [True, 0, 1, 1],
        [0.1, 0.2, 0.3],
        [0.5, 0.5, 0.5, 0.9],
        [float("nan"), 0, 1, 1],
        [100, 500, 900, 900],
        "left half",
        {},
        [None] * 4,
        [10**400, 0, 1, 1],
        [2, 2, 3, 3],
        {"x": 0.1, "y": 0.2, "w": 0.3, "h": 0.3},
    ],
    ids=str,
)
def test_what_is_no_box_is_dropped_with_a_note(value: Any) -> None:
    reader = Reader()
    assert reader.box(value, "box") is None
    assert len(reader.notes) == 1


@pytest.mark.parametrize(
    ("convention", "value"),
    [
        (BoxConvention.UNIT, [0.1, 0.5, 0.9, 0.75]),
        (BoxConvention.QWEN3, [100, 500, 900, 750]),
        (BoxConvention.GEMINI, [500, 100, 750, 900]),
        (BoxConvention.QWEN25, [64, 240, 576, 360]),
        (BoxConvention.QWEN3, [0.1, 0.5, 0.9, 0.75]),
        (BoxConvention.GEMINI, [0.5, 0.1, 0.75, 0.9]),
    ],
)
def test_a_box_in_the_models_own_convention(convention: BoxConvention, value: list[float]) -> None:
    reader = Reader(frames=(Frame(1, (640, 480)),), convention=convention)
    assert reader.box(value, "box") == pytest.approx(BOX)


@given(st.lists(st.floats(-0.5, 1.5), min_size=4, max_size=4))
def test_a_box_that_is_kept_is_ordered_and_inside(value: list[float]) -> None:
    box = Reader().box(value, "box")
    assert box is None or (0 <= box[0] < box[2] <= 1 and 0 <= box[1] < box[3] <= 1)


def test_evidence_read_in_a_crop_is_placed_in_the_source() -> None:
    frames = (Frame(1), Frame(1, box=(0.5, 0.0, 1.0, 0.5), query_id="q1"))
    ledger = [{"claim_id": "e1", "claim": "c", "source": "binding", "image": 2, "bbox": [0.0, 0.0, 0.5, 1.0]}]
    plan = read_plan({"evidence_ledger": ledger}, Reader(frames=frames))
    assert plan.evidence[0].bbox == (0.5, 0.0, 0.75, 0.5)
    assert (plan.evidence[0].image, plan.evidence[0].query_id) == (1, "q1")


def test_a_query_for_an_image_that_is_not_there_is_left_out() -> None:
    reader = Reader()
    queries = [
        {"query_id": "q1", "image": 4, "bbox": [0, 0, 1, 1]},
        {"query_id": "q2", "image": "1", "bbox": [0, 0, 1, 1]},
    ]
    found = read_inspection({"visual_queries": queries}, reader)
    assert [each.query_id for each in found.visual_queries] == ["q2"]


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["claim_id", "transition_id", "bbox", "name", "query_id", "x"]), inner, max_size=4
        )
    ),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from([*plan_keys(VARIANTS[""]), "visual_queries", "extra"]), json_values))
def test_no_object_breaks_the_readers(value: dict[str, Any]) -> None:
    for variant in VARIANTS.values():
        read_plan(value, Reader(), variant).canonical_json()
    read_inspection(value, Reader()).canonical_json()
