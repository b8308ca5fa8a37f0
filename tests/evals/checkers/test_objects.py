"""Objects and shapes: what arrived, what left, what was drawn, how many there are."""

from __future__ import annotations

from typing import Any

import pytest

from editplan.evals.checkers.specs import (
    ObjectAbsent,
    ObjectAt,
    ObjectCount,
    ObjectMoved,
    ShapeAt,
    SilhouetteKept,
)


def slot(scene: Any) -> Any:
    return scene.box(116, 96, 124, 104)


def outputs(scene: Any) -> dict[str, Any]:
    there = scene.disc.at(120, 100)
    return {
        "untouched": scene,
        "moved": scene.but(disc=there),
        "copied": scene.having(there),
        "removed": scene.without("disc"),
        "moved and repainted": scene.but(disc=there.painted(scene.square.colour)),
        "moved elsewhere": scene.but(disc=scene.disc.at(200, 150)),
    }


@pytest.mark.parametrize(
    ("output", "at", "absent", "moved"),
    [
        ("untouched", "fail", "fail", "fail"),
        ("moved", "pass", "pass", "pass"),
        ("copied", "pass", "fail", "partial"),
        ("removed", "fail", "pass", "fail"),
        ("moved and repainted", "fail", "pass", "fail"),
        ("moved elsewhere", "fail", "pass", "fail"),
    ],
)
def test_moving_an_object_is_told_from_all_else(
    scene: Any, finding: Any, rendered: Any, output: str, at: str, absent: str, moved: str
) -> None:
    after, disc = rendered(outputs(scene)[output]), scene.disc.region
    assert finding(ObjectAt(source=disc, destination=slot(scene)), after).verdict == at
    assert finding(ObjectAbsent(source=disc), after).verdict == absent
    assert finding(ObjectMoved(source=disc, destination=slot(scene)), after).verdict == moved


def test_the_finding_says_where_the_object_went(scene: Any, finding: Any) -> None:
    after = scene.but(disc=scene.disc.at(121, 99)).draw()
    found = finding(ObjectAt(source=scene.disc.region, destination=slot(scene)), after)
    assert (found.evidence["dx_px"], found.evidence["dy_px"]) == (71, 49)
    assert found.box[0] * 240 == pytest.approx(121 - 18, abs=2)


def test_a_move_that_overlaps_its_old_place_passes(scene: Any, finding: Any) -> None:
    after = scene.but(disc=scene.disc.at(62, 50)).draw()
    spec = ObjectMoved(source=scene.disc.region, destination=scene.box(58, 46, 66, 54))
    assert finding(spec, after).verdict == "pass"


def test_a_slot_flooded_with_the_objects_colour_is_no_object(scene: Any, finding: Any) -> None:
    flood = scene.triangle.at(120, 100).painted(scene.disc.colour)
    flooded = scene.having(*(flood.at(x, y) for x in range(95, 150, 8) for y in range(80, 125, 6)))
    spec = ObjectAt(source=scene.disc.region, destination=slot(scene))
    assert finding(spec, flooded.draw()).verdict == "partial"


def test_an_object_that_hides_in_its_surroundings_abstains(scene: Any, finding: Any) -> None:
    blank_spot = scene.disc.at(200, 140).region
    assert finding(ObjectAbsent(source=blank_spot), scene.draw()).verdict == "abstain"


def test_an_object_is_looked_for_in_the_whole_area(scene: Any, finding: Any) -> None:
    after = scene.but(disc=scene.disc.at(200, 140)).draw()
    spec = ObjectAbsent(source=scene.disc.region, area=scene.everywhere)
    assert finding(spec, after).verdict == "fail"
    assert finding(spec, scene.without("disc").draw()).verdict == "pass"


@pytest.mark.parametrize(("more", "verdict"), [(0, "fail"), (1, "fail"), (2, "pass"), (3, "fail")])
def test_objects_are_counted(scene: Any, finding: Any, rendered: Any, more: int, verdict: str) -> None:
    places = [(120, 60), (200, 140), (120, 140)][:more]
    after = rendered(scene.having(*(scene.disc.at(x, y) for x, y in places)))
    spec = ObjectCount(region=scene.everywhere, colour=scene.disc.hex, count=3, area=float(scene.disc.mask().mean()))
    assert finding(spec, after).verdict == verdict


def test_touching_objects_leave_the_count_open_unless_it_is_out_of_reach(scene: Any, finding: Any) -> None:
    after = scene.having(scene.disc.at(80, 50)).draw()
    counts = {
        count: finding(
            ObjectCount(
                region=scene.everywhere, colour=scene.disc.hex, count=count, area=float(scene.disc.mask().mean())
            ),
            after,
        ).verdict
        for count in (2, 7)
    }
    assert counts == {2: "abstain", 7: "fail"}


def test_a_drawn_shape_is_compared_with_the_wanted_one(scene: Any, finding: Any, rendered: Any) -> None:
    wanted = scene.disc.at(120, 100)
    spec = ShapeAt(shape=wanted.region, colour=wanted.hex)
    assert finding(spec, rendered(scene.having(wanted))).verdict == "pass"
    assert finding(spec, rendered(scene)).verdict == "fail"
    assert finding(spec, rendered(scene.having(wanted.painted((0, 0, 0))))).verdict == "fail"
    assert finding(spec, rendered(scene.having(scene.triangle.at(120, 100).painted(wanted.colour)))).verdict != "pass"


def test_a_shape_may_be_drawn_anywhere_in_its_area(scene: Any, finding: Any) -> None:
    wanted = scene.disc.at(120, 100)
    spec = ShapeAt(shape=wanted.region, colour=wanted.hex, area=scene.box(90, 0, 240, 180))
    assert finding(spec, scene.having(wanted.at(200, 130)).draw()).verdict == "pass"
    assert finding(spec, scene.draw()).verdict == "fail"


def test_an_outline_survives_recolouring_but_not_resizing(scene: Any, finding: Any, rendered: Any) -> None:
    from dataclasses import replace

    spec = SilhouetteKept(region=scene.disc.region)
    blue = scene.disc.painted(scene.square.colour)
    assert finding(spec, rendered(scene.but(disc=blue))).verdict == "pass"
    assert finding(spec, rendered(scene.but(paper=(180, 200, 220)))).verdict == "pass"
    assert finding(spec, rendered(scene.but(disc=replace(blue, radius=12)))).verdict == "fail"
    assert finding(spec, rendered(scene.but(disc=replace(blue, radius=24)))).verdict == "fail"
