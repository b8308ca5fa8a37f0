"""`find_scene`: from pixels to background, shapes and outlines."""

from __future__ import annotations

import numpy as np

from editplan.pixels.components import Component, FlatColours, components, exact_colours
from editplan.pixels.geometry import reading_order
from editplan.recognition.classify import classify
from editplan.recognition.ground import find_ground
from editplan.recognition.outlines import as_outline
from editplan.recognition.pieces import Piece, join_pieces
from editplan.recognition.scene import Background, Mask, Outline, Picture, Scene, Shape
from editplan.recognition.smoothed import has_blends, tolerant_colours


def find_scene(picture: Picture, *, tolerance: int | None = None) -> Scene:
    """Find what a picture of flat shapes shows.

    `picture` is H x W x 3 uint8 RGB. `tolerance` is the largest channel difference within one flat colour; None
    picks 0 for pictures of few exact colours and 24 for antialiased, resampled or noisy ones.
    A photograph gives `flat=False`.
    """
    flat = exact_colours(picture) if not tolerance else None
    if flat is not None and tolerance is None and has_blends(flat):
        flat = None
    if flat is None and tolerance != 0:
        flat = tolerant_colours(picture, tolerance or 24)
    height, width = picture.shape[:2]
    if flat is None:
        nothing = Background((), np.ones((height, width), dtype=bool), picture.copy())
        return Scene(width, height, nothing, (), (), (), flat=False)
    background, panels = find_ground(picture, flat)
    shapes, outlines = _figures(flat, ~background.mask, (width, height))
    return Scene(width, height, background, shapes, outlines, panels, flat=True)


def _figures(
    flat: FlatColours, foreground: Mask, size: tuple[int, int]
) -> tuple[tuple[Shape, ...], tuple[Outline, ...]]:
    """Shapes and outlines among the foreground pixels."""
    labels = np.where(foreground, flat.labels, -1).astype(np.int32)
    outlines: list[Outline] = []
    filled: list[Component] = []
    for label in np.unique(labels[labels >= 0]):
        for part in components(labels, int(label)):
            outline = as_outline(part, flat.palette[label], size)
            if outline is None:
                filled.append(part)
            else:
                outlines.append(outline)
    pieces = join_pieces(filled, outlines, size)
    shapes = [_shape(piece, flat, size) for piece in pieces]
    order = reading_order([shape.box for shape in shapes])
    rows = reading_order([outline.box for outline in outlines])
    return tuple(shapes[i] for i in order), tuple(outlines[i] for i in rows)


def _shape(piece: Piece, flat: FlatColours, size: tuple[int, int]) -> Shape:
    from editplan.pixels.colours import colour_name

    rgb = flat.palette[piece.label]
    kind, angle, landmarks = classify(piece.whole, piece.box)
    whole = piece.whole if piece.whole.sum() > piece.patch.sum() else None
    return Shape(size, piece.box, piece.patch, rgb, colour_name(rgb), kind, angle, landmarks, whole, piece.parts)
