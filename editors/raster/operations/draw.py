"""Draw lines, circles, rings, polygons, rectangles and crosses; write text."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from editplan.editors.raster.board import Board, Unclear
from editplan.editors.raster.layers import Layer, flat_layer
from editplan.editors.raster.phrases import Amount, Colour, Place, Plain, Quoted, Selection
from editplan.editors.raster.slots import Slots
from editplan.pixels.geometry import Point, distance, midpoint
from editplan.pixels.masks import disc, polygon, thick_line
from editplan.recognition.scene import Mask, Rgb

_WORDS = (
    "using circular round brush with a diameter radius of vertices corners in order at centered centred edge passing "
    "its "
    "through that starts ends start end begin begins from to and thickness thick wide width across line whose are "
    "between "
    "straight connecting endpoints running around over joining it has pen stroke go goes going passes closed "
    "unfilled solid"
)
_LINE_SHARE = 0.01
"""Brush of a line that names none, as a share of the picture's width."""
_AROUND = 1.2
"""The radius of a ring around a shape, in half diagonals of its box, where the words give none."""


def draw(slots: Slots, board: Board) -> None:
    """Draw one new figure over or under what is there."""
    _drop_brush(slots)
    figure = slots.take(Selection, lambda s: s.new or s.kind in ("line", "x"))
    if figure is None and not slots.every(Quoted):
        raise Unclear(f"'{slots.clause.text}' doesn't say what to draw", "unparsed")
    if figure is None or figure.kind == "text":
        write(slots, board)
        return
    if figure.kind == "border" or (figure.outlined and not slots.every(Place)):
        _border(slots, board, figure)
        return
    rgb = _paint(figure, slots, board)
    order = slots.order()
    mask = _mask(figure, slots, board)
    slots.words(_WORDS)
    layer = flat_layer(mask, rgb)
    board.stack.add(layer, order)
    board.last_layers = [layer]


def mark(slots: Slots, board: Board) -> None:
    """Draw an X over a shape or at a point."""
    figure = slots.take(Selection, lambda s: s.new or s.kind == "x")
    colour = slots.colour()
    rgb = board.rgb(Colour(figure.colour, figure.rgb)) if figure and (figure.colour or figure.rgb) else None
    rgb = rgb or (board.rgb(colour) if colour else (255, 0, 0))
    slots.words("with out over at on")
    target = slots.take(Selection, lambda s: not s.new)
    place = slots.take(Place)
    if target is not None:
        boxes = [board.scene.shapes[i].box for i in board.shapes(target)]
        areas: list[tuple[Point, Point]] = [((b[0], b[1]), (b[2] - 1, b[3] - 1)) for b in boxes]
    elif place is not None:
        x, y = board.point(place)
        half = 0.03 * max(board.size)
        areas = [((x - half, y - half), (x + half, y + half))]
    else:
        raise Unclear(f"'{slots.clause.text}' doesn't say what to mark", "unparsed")
    for first, last in areas:
        mask = _cross_mask(board, first, last)
        board.stack.add(flat_layer(mask, rgb))


def write(slots: Slots, board: Board) -> None:
    """Write quoted text at a point, in a region or on a shape."""
    text = slots.need(Quoted, "text in quotes").text
    target = slots.take(Selection, lambda s: s.outlined)
    figure = slots.take(Selection, lambda s: s.kind == "text")
    on = slots.take(Selection, lambda s: not s.new)
    colour = slots.colour() or (
        Colour(figure.colour, figure.rgb) if figure and (figure.colour or figure.rgb) else None
    )
    place, size = slots.take(Place), slots.take(Amount)
    slots.words("centered centred at in inside with of on into size height text digit number letter high tall font "
                "width across picture image middle using large")  # fmt: skip
    rgb = board.rgb(colour) if colour is not None else (0, 0, 0)
    reach = 0.0
    if place is not None:
        centre = board.point(place)
    elif target is not None:
        outline = board.outline(target)
        centre, reach = outline.middle, 0.6 * (outline.box[3] - outline.box[1])
    elif on is not None:
        shape = board.shape(on)
        centre, reach = shape.middle, 0.5 * shape.height
    else:
        raise Unclear(f"'{slots.clause.text}' doesn't say where to write", "unparsed")
    height = board.pixels(size) if size is not None else reach or 0.06 * board.size[1]
    layer = flat_layer(_lettering(text, centre, height, board.size), rgb)
    board.stack.add(layer, slots.order())
    board.last_layers = [layer]


def _drop_brush(slots: Slots) -> None:
    """Take "a circular brush" out of the clause; its diameter stays an amount."""
    chunks = slots.clause.chunks
    for index, chunk in slots.every(Selection):
        after = chunks[index + 1] if index + 1 < len(chunks) else None
        if isinstance(after, Plain) and after.word in ("brush", "pen"):
            slots.take(Selection, lambda s, brush=chunk: s is brush)  # type: ignore[misc]


def _paint(figure: Selection, slots: Slots, board: Board) -> Rgb:
    if figure.rgb is not None:
        return figure.rgb
    colour = slots.colour()
    if colour is not None and (colour.rgb is not None or figure.colour is None):
        return board.rgb(colour)
    if figure.colour is None:
        raise Unclear(f"'{slots.clause.text}' names no colour", "unparsed")
    return board.rgb(Colour(figure.colour))


def _mask(figure: Selection, slots: Slots, board: Board) -> Mask:
    places = _places(figure, slots)
    if figure.place is not None:
        places.insert(0, figure.place)
    points = [board.point(place) for place in places]
    stroke = _length(slots.take(Amount, lambda a: a.role == "stroke"), board)
    amount = slots.take(Amount)
    size = _length(amount, board)
    if figure.kind == "line":
        return _polyline(points, stroke or size or _LINE_SHARE * board.size[0], board.size)
    if figure.kind in ("circle", "ring"):
        across = amount is not None and amount.role == "diameter"
        radius = None if size is None else size / 2 if across else size
        mask = _round(points, radius, slots, board)
        if figure.kind == "ring" or slots.has("unfilled hollow"):
            return _hollow(mask, stroke, board)
        return mask
    if figure.kind == "x":
        return _x_at(points, slots, board, size)
    if figure.kind in ("rectangle", "square") and len(points) == 2:
        return polygon(board.size, _box_corners(points[0], points[1]))
    if len(points) >= 3 and (figure.outlined or figure.kind in (
        "triangle", "rectangle", "square", "parallelogram", "diamond", "pentagon", "hexagon", "star", "arrow",
    )):  # fmt: skip
        return polygon(board.size, points)
    if figure.kind == "square" and len(points) == 1 and size is not None:
        x, y = points[0]
        return polygon(board.size, _box_corners((x - size / 2, y - size / 2), (x + size / 2, y + size / 2)))
    raise Unclear(f"'{slots.clause.text}' doesn't give the points or the size of '{figure.text}'", "unparsed")


def _places(figure: Selection, slots: Slots) -> list[Place]:
    """The clause's points in order; for a line, a shape stands for its centre."""
    found: list[tuple[int, Place]] = [(index, place) for index, place in slots.every(Place)]
    slots.take_all(Place)
    if figure.kind == "line":
        for index, chunk in slots.every(Selection):
            if not chunk.new and not chunk.outlined:
                parts = (replace(chunk, also=()), *chunk.also)
                found += [(index, Place(landmark="center", of=part)) for part in parts]
        slots.take_all(Selection, lambda s: not s.new and not s.outlined)
    return [place for _, place in sorted(found, key=lambda item: item[0])]


def _length(amount: Amount | None, board: Board) -> float | None:
    return None if amount is None else board.pixels(amount)


def _hollow(mask: Mask, stroke: float | None, board: Board) -> Mask:
    """The rim of a disc: a line of a width centred on its edge."""
    from editplan.pixels.masks import distance_outside

    half = (stroke or _LINE_SHARE * board.size[0]) / 2
    return (distance_outside(mask) <= half) & (distance_outside(~mask) <= half)


def _polyline(points: list[Point], diameter: float, size: tuple[int, int]) -> Mask:
    if len(points) < 2:
        raise Unclear("a line needs two points", "unparsed")
    mask = np.zeros((size[1], size[0]), dtype=bool)
    for first, second in pairwise(points):
        mask |= thick_line(size, (first, second), diameter)
    return mask


def _round(points: list[Point], radius: float | None, slots: Slots, board: Board) -> Mask:
    """A disc by centre and radius, centre and a point of its edge, the ends of a diameter, or around a shape."""
    target = slots.take(Selection, lambda s: not s.new, lead="around round") if not points else None
    if target is not None:
        x1, y1, x2, y2 = board.outline(target).box if target.outlined else board.shape(target).box
        reach = _AROUND * distance((x1, y1), (x2, y2)) / 2
        return disc(board.size, midpoint((x1, y1), (x2, y2)), reach if radius is None else radius)
    if len(points) == 2 and slots.has("endpoints diameter"):
        return disc(board.size, midpoint(*points), distance(*points) / 2)
    if len(points) == 2:
        return disc(board.size, points[0], distance(*points))
    if len(points) == 1 and radius is not None:
        return disc(board.size, points[0], radius)
    raise Unclear(f"'{slots.clause.text}' needs a centre and a radius, or two points", "unparsed")


def _x_at(points: list[Point], slots: Slots, board: Board, size: float | None) -> Mask:
    if len(points) == 1:
        half = (size or 0.06 * max(board.size)) / 2
        (x, y) = points[0]
        return _cross_mask(board, (x - half, y - half), (x + half, y + half))
    target = slots.take(Selection, lambda s: not s.new)
    if target is None:
        raise Unclear(f"'{slots.clause.text}' doesn't say where the X goes", "unparsed")
    box = board.outline(target).box if target.outlined else board.shape(target).box
    return _cross_mask(board, (box[0], box[1]), (box[2] - 1, box[3] - 1))


def _cross_mask(board: Board, first: Point, last: Point) -> Mask:
    """Two diagonals of a box with a brush of an eighth of its smaller side."""
    brush = max(2.0, min(last[0] - first[0], last[1] - first[1]) / 8)
    falling = thick_line(board.size, (first, last), brush)
    return falling | thick_line(board.size, ((first[0], last[1]), (last[0], first[1])), brush)


def _box_corners(first: Point, second: Point) -> list[Point]:
    x1, x2 = sorted((first[0], second[0]))
    y1, y2 = sorted((first[1], second[1]))
    return [(x1, y1), (x2 - 1, y1), (x2 - 1, y2 - 1), (x1, y2 - 1)]


def _border(slots: Slots, board: Board, figure: Selection) -> None:
    """ "Draw a red border around the star, 2% of the width thick"."""
    from editplan.pixels.masks import distance_outside

    rgb = _paint(figure, slots, board)
    target = slots.target()
    width = slots.take(Amount)
    slots.words(_WORDS + " outside line border outline")
    reach = board.pixels(width) if width is not None else _LINE_SHARE * board.size[0]
    order = slots.order()
    layers: list[Layer] = []
    for index in board.shapes(target):
        mask = board.layer(index).covered(board.size)
        layers.append(flat_layer((distance_outside(mask) <= reach) & ~mask, rgb))
        board.stack.add(layers[-1], order)
    board.last_layers = layers


def _lettering(text: str, centre: Point, height: float, size: tuple[int, int]) -> Mask:
    """Text with capitals of a height in pixels, its ink centred on a point."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(size=max(8.0, height / 0.72))
    left, top, right, bottom = font.getbbox(text)
    canvas = Image.new("L", size, 0)
    x, y = centre[0] - (left + right) / 2, centre[1] - (top + bottom) / 2
    ImageDraw.Draw(canvas).text((round(x), round(y)), text, fill=255, font=font)
    return np.asarray(canvas) >= 128
