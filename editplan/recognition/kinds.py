"""Names of the shapes that recognition tells apart."""

from __future__ import annotations

KINDS = (
    "circle", "ellipse", "ring", "square", "rectangle", "diamond", "parallelogram", "triangle", "pentagon", "hexagon",
    "star", "heart", "cross", "arrow", "semicircle", "cloud", "crescent", "line",
)  # fmt: skip
