"""The board that commands work on: grounds references in the source picture and holds the layers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from editplan.editors.raster.layers import Layer, Stack
from editplan.editors.raster.matching import by_position, coloured, covers, in_box, of_kind
from editplan.editors.raster.phrases import Amount, Colour, Place, Selection
from editplan.pixels.colours import canonical_name, colour_value
from editplan.pixels.geometry import Point, distance
from editplan.recognition.landmarks import box_points
from editplan.recognition.scene import Mask, Outline, Rgb, Scene, Shape


class Unclear(Exception):
    """Words that couldn't be parsed or grounded; `category` is "unparsed" or "ungrounded"."""

    def __init__(self, reason: str, category: str = "ungrounded") -> None:
        super().__init__(reason)
        self.reason = reason
        self.category = category


@dataclass(eq=False)
class Board:
    """State of one edit. References mean the source picture, pronouns what the clause before spoke of."""

    scene: Scene
    stack: Stack
    literal: bool
    notes: list[str] = field(default_factory=list)
    last_shapes: list[int] = field(default_factory=list)
    last_outline: Outline | None = None
    last_layers: list[Layer] = field(default_factory=list)
    kept: set[int] = field(default_factory=set)
    """Shapes that a "keep" clause takes out of every plural reference."""
    only: bool = False
    """Whether "keep only ..." has already taken the others away."""

    @property
    def size(self) -> tuple[int, int]:
        return self.scene.width, self.scene.height

    def note(self, text: str) -> None:
        self.notes.append(text)

    # ---- shapes

    def shapes(self, selection: Selection) -> list[int]:
        """Indices of the shapes that a reference means, at least one."""
        found = self.matching(selection)
        if not found:
            raise Unclear(f"nothing in the picture fits {_quoted(selection)}")
        plural = selection.every or selection.others or selection.pronoun or selection.also
        if plural:
            found = (
                found if selection.pronoun or selection.also else [index for index in found if index not in self.kept]
            )
            if not found:
                raise Unclear(f"all that {_quoted(selection)} means is to be kept")
        elif len(found) > 1:
            if not self.literal:
                raise Unclear(f"{_quoted(selection)} fits {len(found)} shapes; say which one")
            self.note(f"{_quoted(selection)} fits {len(found)} shapes; took the first in reading order")
            found = found[:1]
        self.last_shapes = found
        return found

    def shape(self, selection: Selection) -> Shape:
        """The one shape that a reference means; leaves the pronoun's antecedent alone."""
        before = self.last_shapes
        found = self.shapes(selection)
        self.last_shapes = before
        if len(found) != 1:
            raise Unclear(f"{_quoted(selection)} means {len(found)} shapes where one is needed")
        return self.scene.shapes[found[0]]

    def matching(self, selection: Selection) -> list[int]:
        """Indices of all shapes that a description fits."""
        if selection.also:
            parts = (replace(selection, also=()), *selection.also)
            return sorted({index for part in parts for index in self._one_or_all(part)})
        self._check_known(selection)
        if selection.pronoun:
            return list(self.last_shapes)
        every = range(len(self.scene.shapes))
        if selection.others:
            return [i for i in every if i not in self.last_shapes and i not in self.kept]
        kinds = [shape.kind for shape in self.scene.shapes]
        found = of_kind(list(every), kinds, selection.kind)
        wanted = ((selection.colour, selection.rgb), *selection.colours)
        found = sorted({i for name, rgb in wanted for i in coloured(found, self.scene.shapes, name, rgb)})
        if selection.inside is not None:
            inside = self.outline(selection.inside)
            area = inside.interior
            found = [i for i in found if (self.scene.shapes[i].mask & area).sum() * 2 > self.scene.shapes[i].area]
        for other in selection.without:
            excluded = self._excluded(other)
            found = [i for i in found if i not in excluded]
        if selection.places:
            found = self._at_each(found, selection)
        if selection.place is not None:
            found = self._at(found, selection)
        if selection.near is not None and found:
            goal = self.point(selection.near)
            found = [min(found, key=lambda i: distance(self.scene.shapes[i].middle, goal))]
        return self._positioned(found, selection)

    def _one_or_all(self, selection: Selection) -> list[int]:
        """One member of a list of references: a single shape where it is said in the singular."""
        before = self.last_shapes
        found = self.shapes(selection)
        self.last_shapes = before
        return found

    def _excluded(self, selection: Selection) -> set[int]:
        """What an exception names: it must name something."""
        if selection.outlined:
            return set()
        found = set(self.matching(selection))
        if not found and not self.literal and not (selection.colour or selection.kind):
            raise Unclear(f"nothing in the picture fits the exception {_quoted(selection)}")
        return found

    def _check_known(self, selection: Selection) -> None:
        if not selection.unknown:
            return
        words = ", ".join(f"'{word}'" for word in selection.unknown)
        if not self.literal:
            raise Unclear(
                f"{words} in {_quoted(selection)} needs a comparison, which this editor doesn't make", "unparsed"
            )
        self.note(f"left out {words} in {_quoted(selection)}")

    def _at(self, found: list[int], selection: Selection) -> list[int]:
        """The shape at a point: the one that covers it, else one within 3% of the picture's longer side."""
        assert selection.place is not None
        point = self.point(selection.place)
        covering = [i for i in found if self.scene.shapes[i].covers(point)]
        if covering:
            return covering
        reach = 0.03 * max(self.size)
        gaps = [(distance(self.scene.shapes[i].middle, point), i) for i in found]
        inside = [(gap, i) for gap, i in gaps if in_box(self.scene.shapes[i], point) or gap <= reach]
        return [min(inside)[1]] if inside else []

    def _at_each(self, found: list[int], selection: Selection) -> list[int]:
        """The shapes at several points; every point must have one."""
        chosen = []
        for place in selection.places:
            hit = self._at(found, replace(selection, place=place))
            if not hit and not self.literal:
                raise Unclear(f"there is no shape at {place.point} that fits {_quoted(selection)}")
            chosen += hit[:1]
        return list(dict.fromkeys(chosen))

    def _positioned(self, found: list[int], selection: Selection) -> list[int]:
        if selection.position is None and selection.ordinal is None:
            return found
        middles = {i: self.scene.shapes[i].middle for i in found}
        chosen = by_position(found, middles, selection, self.size)
        return chosen if chosen is not None else found

    # ---- outlines

    def outline(self, selection: Selection) -> Outline:
        """The one outline that a reference means."""
        if selection.pronoun and self.last_outline is not None:
            return self.last_outline
        self._check_known(selection)
        found = list(range(len(self.scene.outlines)))
        outlines = self.scene.outlines
        if selection.colour or selection.rgb:
            found = coloured(found, outlines, selection.colour, selection.rgb)
        if selection.kind is not None:
            exact = [i for i in found if outlines[i].kind == selection.kind]
            found = exact or found if len(found) == 1 else exact
        if selection.place is not None:
            point = self.point(selection.place)
            found = [i for i in found if covers(outlines[i], point)]
            found = sorted(found, key=lambda i: int(outlines[i].hole.sum()))[:1]
        if selection.near is not None and found:
            goal = self.point(selection.near)
            found = [min(found, key=lambda i: distance(outlines[i].middle, goal))]
        chosen = None
        if selection.position is not None or selection.ordinal is not None:
            one = replace(selection, every=False)
            chosen = by_position(found, {i: outlines[i].middle for i in found}, one, self.size)
        found = found if chosen is None else chosen
        if not found:
            raise Unclear(f"no outlined region fits {_quoted(selection)}")
        if len(found) > 1:
            if not self.literal:
                raise Unclear(f"{_quoted(selection)} fits {len(found)} outlined regions; say which one")
            self.note(f"{_quoted(selection)} fits {len(found)} outlined regions; took the first in reading order")
        self.last_outline = outlines[found[0]]
        return outlines[found[0]]

    def area(self, selection: Selection) -> Mask:
        """The pixels of a region: inside an outline, or of a rectangle given by two corners."""
        if selection.corners is not None:
            return self._rectangle(selection)
        if selection.content == "picture":
            return np.ones((self.scene.height, self.scene.width), dtype=bool)
        interior = self.outline(selection).interior.copy()
        background = self.scene.background.mask
        if selection.content == "background":
            return interior & background
        if selection.content == "foreground":
            return interior & ~background
        return interior

    def _rectangle(self, selection: Selection) -> Mask:
        assert selection.corners is not None
        (x1, y1), (x2, y2) = (self.point(corner) for corner in selection.corners)
        width, height = self.size
        mask = np.zeros((height, width), dtype=bool)
        left, right, top, bottom = min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2)
        mask[max(0, round(top)) : round(bottom), max(0, round(left)) : round(right)] = True
        return mask

    # ---- places, colours, amounts

    def point(self, place: Place, subject: Shape | None = None) -> Point:
        """Pixels of a place; `subject` is what a pronoun in it means."""
        width, height = self.size
        if place.point is not None:
            return place.point[0] / 100 * width, place.point[1] / 100 * height
        if place.of is None:
            points = box_points((0, 0, width, height)) | {"center": (width / 2, height / 2)}
            return _named(points, place.landmark, "the picture")
        if place.of.outlined:
            outline = self.outline(place.of)
            points = box_points(outline.box) | {"center": outline.middle, "middle": outline.middle}
            return _named(points, place.landmark, _quoted(place.of))
        shape = subject if place.of.pronoun and subject is not None else self.shape(place.of)
        points = dict(shape.landmarks) | {"middle": shape.middle, "centroid": shape.centroid}
        return _named(points, place.landmark, _quoted(place.of))

    def rgb(self, colour: Colour) -> Rgb:
        """The value of a colour."""
        if colour.rgb is not None:
            return colour.rgb
        if colour.of is not None:
            return self.shape(colour.of).rgb
        value = colour_value(colour.name or "")
        if value is None:
            raise Unclear(f"'{colour.name}' is no known colour", "unparsed")
        present = {s.rgb for s in self.scene.shapes if s.colour == canonical_name(colour.name or "")}
        return present.pop() if len(present) == 1 else value

    def pixels(self, amount: Amount) -> float:
        """A length in pixels."""
        if amount.unit == "pixels":
            return amount.value
        if amount.unit in ("width", "height", "percent"):
            return amount.value / 100 * self.size[1 if amount.unit == "height" else 0]
        raise Unclear(f"'{amount.value:g}' has no unit of length", "unparsed")

    def layer(self, index: int) -> Layer:
        """The layer of a shape that is still there."""
        layer = self.stack.of_shape.get(index)
        if layer is None:
            shape = self.scene.shapes[index]
            raise Unclear(f"the {shape.colour} {shape.kind} was removed by a clause before")
        return layer


def excluding(selection: Selection, exclusions: list[Selection]) -> Selection:
    """A reference with more exceptions."""
    return replace(selection, without=selection.without + tuple(exclusions)) if exclusions else selection


def _named(points: dict[str, Point], name: str, owner: str) -> Point:
    if name not in points:
        raise Unclear(f"{owner} has no {name}")
    return points[name]


def _quoted(selection: Selection) -> str:
    return f"'{selection.text}'" if selection.text else "the reference"
