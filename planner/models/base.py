"""The vision-model protocol for adapters: `VisionModel` and what a question and an answer hold."""

from __future__ import annotations

from editplan.protocols import Images, VisionModel
from editplan.records import Ask, Reply, Usage

__all__ = ["Ask", "Images", "Reply", "Usage", "VisionModel"]
