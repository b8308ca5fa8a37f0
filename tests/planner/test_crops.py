"""Crops: readable in size and shape, and labelled with where they lie."""

from __future__ import annotations

import PIL.Image
import pytest
from hypothesis import given
from hypothesis import strategies as st

from editplan.planner.crops import LEAST_SIDE_PX, LONGEST_RATIO, cut, enlarged, grown, tiles
from editplan.planner.labels import Crop, crop_label, labelled
from editplan.records import EditRequest, Media, Part, PartRole, VisualQuery
from editplan.store import ImageStore

unit = st.floats(0.0, 1.0)


@given(unit, unit, unit, unit, st.integers(1, 4000), st.integers(1, 4000))
def test_a_crop_holds_its_box_and_lies_inside(
    a: float, b: float, c: float, d: float, width: int, height: int
) -> None:
    box = (min(a, c), min(b, d), max(a, c), max(b, d))
    if box[0] >= box[2] or box[1] >= box[3]:
        return
    left, top, right, bottom = grown(box, width, height)
    assert 0 <= left < right <= width
    assert 0 <= top < bottom <= height
    assert left <= box[0] * width + 1
    assert right >= box[2] * width - 1
    assert right - left >= min(LEAST_SIDE_PX, width)
    assert bottom - top >= min(LEAST_SIDE_PX, height)
    long, short = max(right - left, bottom - top), min(right - left, bottom - top)
    assert long <= LONGEST_RATIO * short + LONGEST_RATIO or short == min(width, height)


def test_a_box_gets_context_on_each_side() -> None:
    assert grown((0.25, 0.25, 0.5, 0.5), 1000, 1000) == (212, 212, 537, 537)


@pytest.mark.parametrize(
    ("size", "wanted"), [((64, 64), (512, 512)), ((100, 40), (500, 200)), ((300, 10), (300, 10))]
)
def test_small_crops_are_enlarged_by_a_whole_factor(size: tuple[int, int], wanted: tuple[int, int]) -> None:
    assert enlarged(PIL.Image.new("RGB", size)).size == wanted


def test_enlarging_a_drawing_makes_no_new_colours() -> None:
    picture = PIL.Image.new("RGB", (64, 64), (255, 255, 255))
    picture.paste((255, 0, 0), (10, 10, 33, 41))
    assert len(enlarged(picture).getcolors(256)) == 2


def test_a_label_has_the_form_that_readers_know() -> None:
    crop = Crop(media=Media(sha256="0" * 64, width=9, height=9), image=1, query_id="q2", box=(0.2, 0.1, 0.45, 0.3))
    assert crop_label(crop) == "crop of image 1 (query q2), left 20.00-45.00%, top 10.00-30.00%"


def _request(store: ImageStore, *roles: PartRole, labels: tuple[str, ...] = ()) -> EditRequest:
    media = store.add_picture(PIL.Image.linear_gradient("L").convert("RGB"))
    names = labels or ("",) * len(roles)
    parts = tuple(Part(media=media, role=role, label=name) for role, name in zip(roles, names, strict=True))
    return EditRequest(case_id="c", parts=parts, goal="g")


def test_images_are_numbered_and_named_by_role() -> None:
    roles = (
        PartRole.DEMO_IN,
        PartRole.DEMO_OUT,
        PartRole.DEMO_IN,
        PartRole.DEMO_OUT,
        PartRole.CANVAS,
        PartRole.REFERENCE,
    )
    request = _request(ImageStore(), *roles)
    assert [part.label for part in labelled(request)] == [
        "Image 1: example 1 input",
        "Image 2: example 1 output",
        "Image 3: example 2 input",
        "Image 4: example 2 output",
        "Image 5",
        "Image 6: reference",
    ]


def test_a_suites_own_label_is_kept_once() -> None:
    request = _request(ImageStore(), PartRole.CANVAS, PartRole.CANVAS, labels=("Image 1", "Image 2: the query"))
    assert [part.label for part in labelled(request)] == ["Image 1", "Image 2: the query"]


def test_crops_are_cut_from_the_image_that_was_named() -> None:
    store = ImageStore()
    request = _request(store, PartRole.CANVAS, PartRole.REFERENCE)
    queries = (
        VisualQuery(query_id="q1", image=2, bbox=(0.0, 0.0, 0.5, 0.5)),
        VisualQuery(query_id="q2", image=3, bbox=(0.0, 0.0, 0.5, 0.5)),
    )
    crops = cut(request, queries, store, 6)
    assert [(crop.query_id, crop.image) for crop in crops] == [("q1", 2)]
    assert crops[0].media.sha256 in store


def test_tiles_cover_the_image_in_reading_order() -> None:
    store = ImageStore()
    cuts = tiles(_request(store, PartRole.CANVAS), store)
    assert [each.query_id for each in cuts] == ["t1", "t2", "t3", "t4", "t5", "t6"]
    assert cuts[0].box[:2] == (0.0, 0.0)
    assert cuts[5].box[2:] == (1.0, 1.0)
