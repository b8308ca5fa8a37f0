"""The emulator's answer to a probe: the plain objects of a picture, by recognition."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Protocol


class Shown(Protocol):
    """A picture of the question."""

    @property
    def data(self) -> bytes: ...


def seen(task: str, pictures: Sequence[Shown]) -> str | None:
    """The objects of the first picture with normalised boxes, as JSON; None for another task."""
    if task != "probe" or not pictures:
        return None
    import numpy as np
    import PIL.Image

    from editplan.recognition.finder import find_scene

    picture = np.asarray(PIL.Image.open(io.BytesIO(pictures[0].data)).convert("RGB"))
    height, width = picture.shape[:2]
    objects = [
        {
            "colour": shape.colour,
            "shape": shape.kind,
            "bbox": [edge / side for edge, side in zip(shape.box, (width, height, width, height), strict=True)],
        }
        for shape in find_scene(picture).shapes
    ]
    return json.dumps({"objects": objects})
