"""Checks of what an editor returned, against the image that it was given (design §7): notes, never refusals."""

from __future__ import annotations

from editplan.protocols import Images
from editplan.records import EditRequest, Media

ASPECT_TOLERANCE = 0.02
"""Relative; sizes are rounded to multiples of 16 or 32 by many editors."""


def output_notes(
    request: EditRequest, output: Media, images: Images, *, window_px: tuple[int, int] | None = None
) -> tuple[str, ...]:
    """What is odd about an output: one colour, identical to the input, another size or aspect.

    `window_px`: the size of what the editor saw, if that was not the whole picture.
    """
    if output.kind != "png":
        return ()
    notes = []
    pixels = images[output.sha256].array()
    if bool((pixels == pixels[0, 0]).all()):
        notes.append("output: it is blank, all of one colour")
    source = request.parts[0].media
    if request.output == "new" or source.kind != "png":
        return tuple(notes)
    if output.sha256 == source.sha256:
        notes.append("output: it is identical to the input")
    width, height = window_px or (source.width, source.height)
    if (output.width, output.height) != (width, height):
        notes.append(f"output: it is {output.width} × {output.height}, the input is {width} × {height}")
    ratio = (output.width * height) / (output.height * width)
    if abs(ratio - 1.0) > ASPECT_TOLERANCE:
        notes.append(f"output: its aspect differs by {100 * abs(ratio - 1.0):.0f}%")
    return tuple(notes)
