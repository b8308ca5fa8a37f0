"""The vision-model protocol for adapters: `VisionModel` and what a question and an answer hold."""

from __future__ import annotations

from editplan.boxes import BoxConvention, box_words, to_unit
from editplan.protocols import Images, VisionModel
from editplan.records import Ask, Reply, Usage

__all__ = ["Ask", "BoxConvention", "Images", "Reply", "Usage", "VisionModel", "box_words", "boxes_of", "to_unit"]


def boxes_of(model: VisionModel) -> BoxConvention:
    """The box convention that a model declares; normalised boxes where it declares none."""
    return BoxConvention(getattr(model, "boxes", BoxConvention.UNIT))
