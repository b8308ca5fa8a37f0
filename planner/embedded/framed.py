"""Reads framed legends and keys: rows of "this → that colour", and strips that show an order."""

from __future__ import annotations

from dataclasses import dataclass

from editplan.pixels.geometry import PixelBox
from editplan.planner.embedded.boxes import Cell, cells, occupants
from editplan.planner.embedded.view import View
from editplan.recognition.scene import Rgb, Shape

_SAME_COLOUR = 40


@dataclass(frozen=True)
class Entry:
    """One row of a legend."""

    sample: Shape
    """What it speaks of."""
    target: Rgb
    colour: str
    """Name of the new colour."""
    box: PixelBox


@dataclass(frozen=True)
class FramedLegend:
    """The rows in a frame. `by_shape` tells whether their samples differ in shape; else they differ in colour."""

    entries: tuple[Entry, ...]
    by_shape: bool
    frame: Cell


def read_framed_legend(view: View) -> FramedLegend | None:
    """The legend in the frame that holds most arrows; None where no frame holds one row at least."""
    frames = sorted(cells(view), key=lambda cell: -len(_arrows(cell, view)))
    for frame in frames:
        entries = _entries(frame, view)
        if entries:
            samples = [entry.sample for entry in entries]
            one_colour = all(close(sample.rgb, samples[0].rgb) for sample in samples)
            return FramedLegend(tuple(entries), one_colour and (len(samples) > 1), frame)
    return None


def applies(entry: Entry, legend: FramedLegend, shape: Shape) -> bool:
    """Whether a row speaks of a shape."""
    same_colour = close(shape.rgb, entry.sample.rgb)
    if legend.by_shape:
        return same_colour and shape.kind == entry.sample.kind
    return same_colour


def close(a: Rgb, b: Rgb) -> bool:
    """Whether two fills are one colour."""
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) <= _SAME_COLOUR


def key_frame(view: View) -> Cell | None:
    """The frame of a key: it holds several shapes in one row, arrows between them."""
    framed = [cell for cell in cells(view) if len(occupants(cell, view)) >= 3 and _arrows(cell, view)]
    return max(framed, key=lambda cell: len(occupants(cell, view)), default=None)


def key_shapes(frame: Cell, view: View) -> tuple[Shape, ...]:
    """What a key shows from left to right, without its arrows."""
    arrows = _arrows(frame, view)
    shown = [shape for shape in occupants(frame, view) if shape not in arrows]
    return tuple(sorted(shown, key=lambda shape: shape.middle[0]))


def key_points_left(frame: Cell, view: View) -> bool:
    """Whether the key's arrows point to the left."""
    arrows = _arrows(frame, view)
    left = sum(_heads_left(arrow) for arrow in arrows)
    return bool(left * 2 > len(arrows))


def _arrows(cell: Cell, view: View) -> tuple[Shape, ...]:
    """Shapes in a cell in the colour of its frame that are longer than high: its arrows."""
    return tuple(
        s for s in occupants(cell, view) if close(s.rgb, cell.rgb) and (s.kind == "arrow" or s.width > 1.3 * s.height)
    )


def _heads_left(arrow: Shape) -> bool:
    """An arrow's head is its broader end."""
    columns = arrow.patch.sum(axis=0)
    return bool(int(columns.argmax()) < 0.4 * columns.size)


def _entries(frame: Cell, view: View) -> list[Entry]:
    arrows = _arrows(frame, view)
    shown = [shape for shape in occupants(frame, view) if shape not in arrows]
    entries = []
    for arrow in sorted(arrows, key=lambda shape: shape.middle[1]):
        row = [s for s in shown if abs(s.middle[1] - arrow.middle[1]) < max(arrow.height, 0.6 * s.height)]
        left = [s for s in row if s.middle[0] < arrow.middle[0]]
        right = [s for s in row if s.middle[0] > arrow.middle[0]]
        if len(left) != 1 or len(right) != 1:
            continue
        sample = max(left, key=lambda s: s.middle[0])
        target = min(right, key=lambda s: s.middle[0])
        if _heads_left(arrow):
            sample, target = target, sample
        box = (
            min(sample.box[0], target.box[0]),
            min(sample.box[1], target.box[1]),
            max(sample.box[2], target.box[2]),
            max(sample.box[3], target.box[3]),
        )
        if close(sample.rgb, target.rgb):
            continue
        entries.append(Entry(sample, target.rgb, target.colour, box))
    return entries
