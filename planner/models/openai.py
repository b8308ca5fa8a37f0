"""`openai:<model>`: vision models of OpenAI over chat completions."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from editplan.boxes import BoxConvention
from editplan.planner.models.chat import ChatVisionModel, Dialect
from editplan.protocols import VisionModel
from editplan.records import Record
from editplan.specs import ModelSpec, read_options
from editplan.wire.payload import ImageLimits

_REASONING = re.compile(r"^(o\d|gpt-5|gpt-6)")
"""Families that refuse a temperature unless reasoning is off."""


class OpenAIOptions(Record):
    """Spec keys of `openai:`."""

    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None = None
    temperature: bool | None = None
    """Whether a temperature is sent; default: by the model's family."""
    detail: Literal["low", "high", "auto", "original"] | None = None
    json_schema: bool = True
    max_images: int = Field(default=50, ge=1)
    max_side_px: int | None = Field(default=None, ge=64)
    max_bytes: int = Field(default=20_000_000, ge=1000)
    timeout_s: float = Field(default=300.0, gt=0)
    bbox: BoxConvention = BoxConvention.UNIT


def build(spec: ModelSpec) -> VisionModel:
    """The model of a spec `openai:<model>[@base_url][?key=value]`; the key is `OPENAI_API_KEY`."""
    options = read_options(spec, OpenAIOptions)
    refuses = bool(_REASONING.match(spec.model)) and options.reasoning_effort != "none"
    dialect = Dialect(
        key_names=("OPENAI_API_KEY",),
        limits=ImageLimits(
            max_images=options.max_images, max_bytes=options.max_bytes, max_side_px=options.max_side_px
        ),
        boxes=options.bbox,
        detail=options.detail,
        temperature=not refuses if options.temperature is None else options.temperature,
        reasoning_effort=options.reasoning_effort,
        json_schema=options.json_schema,
        max_tokens_key="max_completion_tokens",
        timeout_s=options.timeout_s,
    )
    return ChatVisionModel(spec, dialect)
