"""Says what a picture shows, one short sentence a fact."""

from __future__ import annotations

from editplan.pixels.colours import colour_name
from editplan.planner.embedded.places import listed, region_words
from editplan.planner.embedded.view import View

_MOST = 24


def describe_view(view: View) -> list[str]:
    """Background, outlines and shapes of the source, the first 24 of each."""
    scene = view.scene
    if not scene.flat:
        return ["The picture is no flat drawing; this program names only flat shapes, so nothing is listed."]
    colours = listed(colour_name(rgb) for rgb in scene.background.colours)
    size = (scene.width, scene.height)
    facts = [f"The background is {colours}.", f"{len(scene.shapes)} shapes are visible."]
    facts += [
        f"There is a {shape.colour} {shape.kind} at the {region_words(shape.middle, size)}."
        for shape in scene.shapes[:_MOST]
    ]
    facts += [
        f"There is a {outline.colour} outline of a {outline.kind} at the {region_words(outline.middle, size)}."
        for outline in scene.outlines[:_MOST]
    ]
    return facts
