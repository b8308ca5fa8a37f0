"""Remove, move, copy and swap."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from editplan.editors.raster.board import Board, Unclear
from editplan.editors.raster.layers import Layer, repaint
from editplan.editors.raster.phrases import Amount, Direction, Place, Selection, Side, Verb
from editplan.editors.raster.slots import Slots
from editplan.recognition.scene import Outline, Shape


def remove(slots: Slots, board: Board) -> None:
    """Take shapes away; the background shows."""
    target = slots.target()
    slots.words("completely entirely altogether gone")
    if slots.words("out away off"):
        slots.take_all(Selection, lambda s: s.content == "picture")
    elif any(isinstance(c, Verb) and c.word in ("take", "takes") for c in slots.clause.chunks):
        raise Unclear(f"'{slots.clause.text}' doesn't say whether to take away", "unparsed")
    if target.outlined:
        _cover(target, board)
        return
    if target.others and board.only:
        return
    for index in board.shapes(target):
        board.stack.drop(board.layer(index))
        del board.stack.of_shape[index]
    if target.content == "pixels" or "everything" in target.text.split():
        for layer in board.stack.of_outline:
            board.stack.drop(layer)


def _cover(target: Selection, board: Board) -> None:
    """Clear a region: its background colour over it, or what lies in an outline."""
    from editplan.editors.raster.layers import pixel_layer

    if not target.content and target.corners is None and not board.literal:
        raise Unclear(f"'{target.text}': say whether the outline or what is inside is to go")
    area = board.area(target)
    board.stack.add(pixel_layer(area, board.scene.background.image))


def move(slots: Slots, board: Board) -> None:
    """Move shapes by an amount, to a point, into a region, or so that a landmark meets a point."""
    _arrange(slots, board, keep=False)


def copy(slots: Slots, board: Board) -> None:
    """Copy shapes by an amount, to a point, or from one region to the same place in another."""
    _arrange(slots, board, keep=True)


def swap(slots: Slots, board: Board) -> None:
    """Exchange the places of two shapes, middle of the box to middle of the box."""
    first = slots.target()
    second = first.also[0] if first.also else slots.target("second shape")
    first = replace(first, also=())
    painted = bool(slots.words("color colors colour colours"))
    slots.words("positions places position place locations of each other")
    a, b = board.shape(first), board.shape(second)
    i, j = board.scene.shapes.index(a), board.scene.shapes.index(b)
    if painted:
        for index, old, new in ((i, a.rgb, b.rgb), (j, b.rgb, a.rgb)):
            repaint(board.layer(index), old, new)
        return
    dx, dy = b.middle[0] - a.middle[0], b.middle[1] - a.middle[1]
    _shift(board.layer(i), dx, dy)
    _shift(board.layer(j), -dx, -dy)
    board.last_shapes = [i, j]


def _arrange(slots: Slots, board: Board, *, keep: bool) -> None:
    order = slots.order()
    axes = slots.words("horizontally vertically")
    places, start = slots.take_all(Place), slots.take(Side)
    regions = slots.take_all(
        Selection, lambda s: s.outlined or (s.position is not None and not s.colour and not s.kind)
    )
    target = slots.take(Selection, lambda s: not s.new)
    target = None if target is None else slots.excepting(target)
    slots.words("so that aligns align aligned coincides meets placing its center centre clipped clip edge border "
                "boundary image same relative exact positions places position place keeping maintaining stay the "
                "there "
                "goes centers copies copy bounding box box further also shape shapes but")  # fmt: skip
    slots.take_all(Selection, lambda s: s.kind == "border" or s.text in ("shape", "shapes"))
    slots.take_all(Verb)
    step = _step(slots, board)
    if start is not None and start.name != "center":
        places.insert(0, Place(landmark=start.name, of=Selection(pronoun=True)))
    if target is None or (target.place and not places and not regions and step is None):
        target, places = _misread(target, places, regions, slots)
    indices = _subjects(target, board)
    if keep and step is None and len(places) > 1 and start is None and not any(p.of and p.of.pronoun for p in places):
        _copy_to_each(indices, places, order, board)
        return
    shapes = [board.scene.shapes[i] for i in indices]
    offset = step or _offset(shapes, places, regions, target, board)
    if axes:
        offset = (offset[0], 0.0) if axes[0] == "horizontally" else (0.0, offset[1])
    moved = []
    for index in indices:
        layer = board.layer(index)
        if keep:
            layer = layer.copy()
            board.stack.add(layer, order)
        else:
            board.stack.reorder(layer, order)
        _shift(layer, *offset)
        moved.append(layer)
    board.last_layers = moved


def _copy_to_each(indices: list[int], places: list[Place], order: str, board: Board) -> None:
    """Copy one shape to several points."""
    if len(indices) != 1:
        raise Unclear(f"{len(indices)} shapes are to be copied to {len(places)} points; name one shape")
    shape = board.scene.shapes[indices[0]]
    board.last_layers = []
    for place in places:
        goal = board.point(place, shape)
        layer = board.layer(indices[0]).copy()
        _shift(layer, goal[0] - shape.middle[0], goal[1] - shape.middle[1])
        board.stack.add(layer, order)
        board.last_layers.append(layer)


def _misread(
    target: Selection | None, places: list[Place], regions: list[Selection], slots: Slots
) -> tuple[Selection, list[Place]]:
    """ "Put the red block at (x, y)": the point after the reference is the destination."""
    if target is not None and target.place is not None:
        return replace(target, place=None), [target.place]
    raise Unclear(f"'{slots.clause.text}' doesn't say what to move where", "unparsed")


def _subjects(target: Selection | None, board: Board) -> list[int]:
    if target is None:
        raise Unclear("no shape is named", "unparsed")
    return board.shapes(target)


def _step(slots: Slots, board: Board) -> tuple[float, float] | None:
    """The sum of "left by 15% of the image width" and its like."""
    directions = slots.every(Direction)
    if not directions:
        return None
    x = y = 0.0
    for index, direction in directions:
        amounts = slots.every(Amount)
        if not amounts:
            raise Unclear(f"'{slots.clause.text}' gives no distance", "unparsed")
        nearest = min(amounts, key=lambda item: (abs(item[0] - index), item[0] < index))[1]
        slots.take(Amount, lambda a, chosen=nearest: a is chosen)  # type: ignore[misc]
        dx, dy = direction.vector
        amount = Amount(nearest.value, "height" if dy else "width") if nearest.unit == "percent" else nearest
        x, y = x + dx * board.pixels(amount), y + dy * board.pixels(amount)
    slots.take_all(Direction)
    return x, y


def _offset(
    shapes: list[Shape], places: list[Place], regions: list[Selection], target: Selection | None, board: Board
) -> tuple[float, float]:
    """From where the shapes are to where the clause wants them."""
    if places:
        subject = shapes[0]
        if len(shapes) > 1:
            raise Unclear(f"'{target.text if target else ''}' means {len(shapes)} shapes for one point")
        start = board.point(places[0], subject) if len(places) > 1 else subject.middle
        goal = board.point(places[-1], subject)
        return goal[0] - start[0], goal[1] - start[1]
    source = board.outline(target.inside) if target is not None and target.inside is not None else None
    if not regions:
        raise Unclear("no destination is given", "unparsed")
    goal_region = _region(regions[-1], source, board)
    if source is None and len(regions) > 1:
        source = board.outline(regions[0])
    if source is not None:
        return goal_region.middle[0] - source.middle[0], goal_region.middle[1] - source.middle[1]
    around = [shape.box for shape in shapes]
    middle = (
        (min(b[0] for b in around) + max(b[2] for b in around)) / 2,
        (min(b[1] for b in around) + max(b[3] for b in around)) / 2,
    )
    return goal_region.middle[0] - middle[0], goal_region.middle[1] - middle[1]


def _region(selection: Selection, source: Outline | None, board: Board) -> Outline:
    """The destination; "the right one" means an outlined region, and never the source's own."""
    region = board.outline(replace(selection, outlined=True))
    if region is source:
        raise Unclear(f"'{selection.text}' is the region that is copied from")
    return region


def _shift(layer: Layer, dx: float, dy: float) -> None:
    layer.x += int(np.floor(dx + 0.5))
    layer.y += int(np.floor(dy + 0.5))
