"""`embedded[?max_side_px=512]`: the offline vision model by its spec."""

from __future__ import annotations

from pydantic import Field

from editplan.errors import SpecError
from editplan.planner.embedded.model import EmbeddedVisionModel
from editplan.planner.models.base import VisionModel
from editplan.records import Record
from editplan.specs import ModelSpec, read_options


class EmbeddedOptions(Record):
    """The one thing that can be set."""

    max_side_px: int = Field(default=512, ge=64)
    """Every image is seen with at most so many pixels on its longer side."""


def build(spec: ModelSpec) -> VisionModel:
    """The model of a spec. Raises `SpecError` for a model name, a base URL or an unknown option."""
    if spec.model or spec.base_url:
        raise SpecError(f"spec {str(spec)!r}: the vision model is just `embedded`, without a model name or URL")
    return EmbeddedVisionModel(max_side_px=read_options(spec, EmbeddedOptions).max_side_px)
