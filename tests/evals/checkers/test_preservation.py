"""Colour, preservation, residue and canvas."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from editplan.evals.checkers.specs import (
    CanvasKept,
    ColourAt,
    ColourEven,
    NoResidue,
    UnchangedInside,
    UnchangedOutside,
)


def test_a_recoloured_region_passes_and_a_half_painted_one_is_partial(
    scene: Any, finding: Any, rendered: Any
) -> None:
    spec = ColourAt(region=scene.disc.region, colour=scene.square.hex)
    blue = scene.disc.painted(scene.square.colour)
    assert finding(spec, rendered(scene.but(disc=blue))).verdict == "pass"
    assert finding(spec, rendered(scene.having(replace(blue, radius=13)))).verdict == "partial"
    assert finding(spec, rendered(scene)).verdict == "fail"


def test_an_uneven_fill_is_seen(scene: Any, finding: Any, rendered: Any) -> None:
    spec = ColourEven(region=scene.disc.region)
    assert finding(spec, rendered(scene)).verdict == "pass"
    blot = replace(scene.disc.painted((250, 240, 60)), radius=8)
    assert finding(spec, rendered(scene.having(blot))).verdict == "fail"


@pytest.mark.parametrize(
    ("damage", "outside", "square"),
    [
        ("none", "pass", "pass"),
        ("allowed edit", "pass", "pass"),
        ("another object moved", "fail", "fail"),
        ("stain", "fail", "pass"),
        ("paper recoloured", "fail", "pass"),
        ("thin line", "fail", "pass"),
    ],
)
def test_damage_is_told_from_edits_and_from_coding_noise(
    scene: Any, finding: Any, rendered: Any, damage: str, outside: str, square: str
) -> None:
    line = tuple(replace(scene.square, x=float(x), y=100.0, radius=0.6) for x in range(100, 230))
    after = {
        "none": scene,
        "allowed edit": scene.but(disc=scene.disc.painted((30, 30, 30))),
        "another object moved": scene.but(square=scene.square.at(185, 65)),
        "stain": scene.having(replace(scene.square, x=200, y=140, radius=6, colour=(90, 60, 30))),
        "paper recoloured": scene.but(paper=(205, 215, 230)),
        "thin line": scene.having(*line),
    }[damage]
    found = finding(UnchangedOutside(region=scene.disc.region), rendered(after))
    assert found.verdict == outside
    assert finding(UnchangedInside(region=scene.square.region), rendered(after)).verdict == square


def test_a_small_change_is_partial_damage_and_has_a_box(scene: Any, finding: Any) -> None:
    dot = replace(scene.disc, x=200, y=140, radius=3)
    found = finding(UnchangedOutside(region=scene.disc.region), scene.having(dot).draw())
    assert found.verdict == "partial"
    assert found.box[0] * 240 == pytest.approx(197, abs=2)
    assert found.evidence["largest_blob_px"] == pytest.approx(29, abs=14)


def test_a_vacated_place_must_look_like_its_surroundings(scene: Any, finding: Any, rendered: Any) -> None:
    spec = NoResidue(region=scene.disc.region)
    assert finding(spec, rendered(scene.without("disc"))).verdict == "pass"
    assert finding(spec, rendered(scene)).verdict == "fail"
    ghost = scene.disc.painted((225, 205, 198))
    assert finding(spec, rendered(scene.but(disc=ghost))).verdict == "fail"
    rest = replace(scene.disc, radius=5)
    assert finding(spec, rendered(scene.but(disc=rest))).verdict == "partial"


def test_surroundings_without_a_colour_say_nothing_about_residue(finding: Any, scene: Any) -> None:
    from editplan.evals.checkers.checker import measured
    from editplan.evals.checkers.registration import register

    busy = np.random.default_rng(0).integers(0, 256, scene.draw().shape).astype(np.uint8)
    assert measured(NoResidue(region=scene.disc.region), register(busy, busy)).verdict == "abstain"


@pytest.mark.parametrize(
    ("height", "width", "verdict"), [(180, 240, "pass"), (360, 480, "partial"), (240, 240, "fail")]
)
def test_the_canvas_is_judged_as_it_came(scene: Any, finding: Any, height: int, width: int, verdict: str) -> None:
    import cv2

    after = np.asarray(cv2.resize(scene.draw(), (width, height)), dtype=np.uint8)
    assert finding(CanvasKept(), after).verdict == verdict
