"""Recolour, fill, border, blend, gradient and the point operations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from editplan.editors.raster.board import Board, Unclear
from editplan.editors.raster.layers import flat_layer, pixel_layer, repaint
from editplan.editors.raster.phrases import Amount, Colour, Exclusion, Halo, Selection, Side, Verb
from editplan.editors.raster.slots import Slots
from editplan.pixels.masks import distance_outside
from editplan.recognition.scene import Mask, Outline, Picture

_AREA_WORDS = "all the inside within interior of colors colours pixels pixel each every rgb channel channels clamping"


def recolour(slots: Slots, board: Board) -> None:
    """Give shapes, or the pixels of a region, one colour."""
    if slots.every(Halo):
        border(slots, board)
        return
    target = slots.take(Selection, lambda s: not s.new)
    owner = (
        slots.take(Colour, lambda c: c.of is not None) if target is None and len(slots.every(Colour)) > 1 else None
    )
    target = owner.of if owner is not None else target
    colour = slots.colour()
    if target is None or colour is None:
        missing = "shape or region" if target is None else "colour"
        raise Unclear(f"'{slots.clause.text}' names no {missing}", "unparsed")
    target = slots.excepting(target)
    slots.words("color colour completely entirely fully solid inside within")
    rgb = board.rgb(colour)
    if target.outlined or target.content == "background":
        if target.outlined and not target.content and target.corners is None:
            target = _interior(target)
        area = _ground(board) if not target.outlined else board.area(target)
        board.stack.add(flat_layer(area, rgb))
        return
    inside = target.inside
    for index in board.shapes(target):
        layer = board.layer(index)
        if inside is not None:
            area = board.outline(inside).interior & board.scene.shapes[index].mask
            board.stack.add(flat_layer(area, rgb))
        else:
            repaint(layer, board.scene.shapes[index].rgb, rgb)
        board.last_layers = [layer]


def _interior(target: Selection) -> Selection:
    """ "Fill the red outlined region with blue" means all its pixels."""
    from dataclasses import replace

    return replace(target, content="pixels")


def _ground(board: Board) -> Mask:
    return board.scene.background.mask


def border(slots: Slots, board: Board) -> None:
    """Colour all pixels within a distance of a shape, without the shape."""
    if slots.clause.text and not slots.every(Halo) and not slots.every(Amount) and slots.every(Colour):
        recolour(slots, board)
        return
    halo = slots.take(Halo)
    drawn = slots.take(Selection, lambda s: s.new and (s.kind == "border" or s.outlined))
    target = slots.take(Selection, lambda s: not s.new and not s.pronoun)
    colour = slots.colour()
    rgb = drawn.rgb if drawn is not None else None
    if rgb is None and drawn is not None and drawn.colour is not None and colour is None:
        colour = Colour(drawn.colour)
    if rgb is None and colour is not None:
        rgb = board.rgb(colour)
    if rgb is None:
        raise Unclear(f"'{slots.clause.text}' names no colour", "unparsed")
    if halo is not None and not halo.around.pronoun:
        target = halo.around
    if target is None and board.last_shapes and halo is not None:
        target = halo.around
    if target is None:
        raise Unclear(f"'{slots.clause.text}' names no shape", "unparsed")
    slots.take_all(Exclusion)
    slots.take_all(Selection, lambda s: not s.colour and not s.kind and not s.outlined)
    slots.words("thick wide outside around thickness width without recoloring recolouring changing itself not "
                "but outer "
                "touching distance border outline line on")  # fmt: skip
    width = halo.distance if halo is not None else slots.need(Amount, "width")
    shapes = board.shapes(target)
    reach = board.pixels(width)
    for index in shapes:
        mask = board.layer(index).covered(board.size)
        ring = (distance_outside(mask) <= reach) & ~mask
        board.stack.add(flat_layer(ring, rgb))


def blend(slots: Slots, board: Board) -> None:
    """Mix a colour into a region at an opacity."""
    colour = slots.colour()
    share = slots.need(Amount, "opacity", lambda a: a.unit in ("opacity", "percent"))
    slots.words(_AREA_WORDS + " over opacity strength transparency at")
    if colour is None:
        raise Unclear(f"'{slots.clause.text}' names no colour", "unparsed")
    rgb = np.array(board.rgb(colour), dtype=np.float64)
    opacity = share.value / 100
    _each_pixel(slots, board, lambda p: (1 - opacity) * p + opacity * rgb)


def invert(slots: Slots, board: Board) -> None:
    """Replace every channel value v of a region by 255 - v."""
    slots.words(_AREA_WORDS)
    _each_pixel(slots, board, lambda p: 255 - p)


def grayscale(slots: Slots, board: Board) -> None:
    """Replace the pixels of a region by their luminance 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601)."""
    slots.words(_AREA_WORDS + " grayscale greyscale gray grey to black white")
    slots.take_all(Colour, lambda c: c.name == "gray" and c.rgb is None)
    slots.take_all(Verb)
    weights = np.array([0.299, 0.587, 0.114])
    _each_pixel(slots, board, lambda p: np.repeat((p @ weights)[:, None], 3, axis=1))


def convert(slots: Slots, board: Board) -> None:
    """ "Convert ... to grayscale"; any other conversion isn't known."""
    if not slots.has("grayscale greyscale") and not any(v.operation == "grayscale" for v in _verbs(slots)):
        raise Unclear(f"'{slots.clause.text}': only a conversion to grayscale is known", "unparsed")
    grayscale(slots, board)


def add_value(slots: Slots, board: Board) -> None:
    """Add a number to every channel of a region."""
    _shift_value(slots, board, 1)


def subtract_value(slots: Slots, board: Board) -> None:
    """Subtract a number from every channel of a region."""
    _shift_value(slots, board, -1)


def _shift_value(slots: Slots, board: Board, sign: int) -> None:
    amount = slots.need(Amount, "number", lambda a: a.unit in ("number", "percent"))
    value = amount.value if amount.unit == "number" else amount.value / 100 * 255
    slots.words(_AREA_WORDS + " from by value values brightness clamped clamping range result and color colour")
    _each_pixel(slots, board, lambda p: p + sign * value)


def gradient(slots: Slots, board: Board) -> None:
    """Run a colour linearly from one edge or corner of a region to the opposite one."""
    if not slots.has("gradient"):
        raise Unclear(f"'{slots.clause.text}': what is to be applied isn't known", "unparsed")
    colours = slots.take_all(Colour)
    sides = slots.take_all(Side)
    if len(colours) != 2 or len(sides) != 2:
        raise Unclear(f"'{slots.clause.text}' needs two colours and two edges or corners", "unparsed")
    target = slots.take(Selection, lambda s: s.outlined)
    if target is None:
        raise Unclear(f"'{slots.clause.text}' names no outlined region", "unparsed")
    slots.words("linear rgb gradient from at to interior of the inside across over color colour")
    outline = board.outline(target)
    area = board.area(target)
    first, last = (np.array(board.rgb(c), dtype=np.float64) for c in colours)
    share = _along(outline, sides[0].name, sides[1].name, board.size)[area][:, None]
    _replace(board, area, lambda _: (1 - share) * first + share * last)


def _along(outline: Outline, start: str, end: str, size: tuple[int, int]) -> np.ndarray:
    """0 at the start edge or corner of the region's box and 1 at the opposite one, clipped, per pixel.

    From corner to corner it is the projection onto the box's diagonal.
    """
    x1, y1, x2, y2 = outline.box
    wide, tall = x2 - 1 - x1, y2 - 1 - y1
    y, x = np.mgrid[: size[1], : size[0]]
    across, down = x - x1, y - y1
    words = start.split()[0].replace("upper", "top"), end.split()[0]
    if "right" in words[0]:
        across = wide - across
    if "bottom" in words[0] or "lower" in words[0]:
        down = tall - down
    if "corner" in start:
        share = (across * wide + down * tall) / max(wide**2 + tall**2, 1)
    else:
        share = across / max(wide, 1) if words[0] in ("left", "right") else down / max(tall, 1)
    return np.asarray(np.clip(share, 0, 1))


def _verbs(slots: Slots) -> list[Verb]:
    return [chunk for chunk in slots.clause.chunks if isinstance(chunk, Verb)]


def _each_pixel(slots: Slots, board: Board, change: Callable[[np.ndarray], np.ndarray]) -> None:
    target = slots.take(Selection, lambda s: not s.new)
    if target is None:
        raise Unclear(f"'{slots.clause.text}' names no region", "unparsed")
    target = slots.excepting(target)
    if target.outlined:
        _replace(board, board.area(target), change)
        return
    for index in board.shapes(target):
        _replace(board, board.layer(index).covered(board.size), change)


def _replace(board: Board, area: Mask, change: Callable[[np.ndarray], np.ndarray]) -> None:
    """Lay the changed pixels of an area over the picture."""
    picture: Picture = board.stack.rendered()
    values = change(picture[area].astype(np.float64))
    picture[area] = np.clip(np.round(values), 0, 255).astype(np.uint8)
    layer = pixel_layer(area, picture)
    board.stack.add(layer)
    board.last_layers = [layer]
