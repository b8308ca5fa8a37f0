"""`compatible:<model>@<base_url>`: any server that speaks chat completions, and the presets `ollama:`, `vllm:`.

vLLM, Ollama, LM Studio, OpenRouter, llama.cpp's server and others; what they can do is said by spec keys.
"""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from editplan.boxes import BoxConvention
from editplan.errors import SpecError
from editplan.planner.models.chat import ChatVisionModel, Dialect
from editplan.protocols import VisionModel
from editplan.records import Record
from editplan.specs import ModelSpec, read_options
from editplan.wire.payload import ImageLimits

PRESETS = {"ollama": "http://localhost:11434/v1", "vllm": "http://localhost:8000/v1"}
"""Providers that are `compatible` with a base URL of their own."""

KEYS = ("EDITPLAN_COMPATIBLE_API_KEY", "OPENROUTER_API_KEY")

_QWEN25 = re.compile(r"qwen-?2\.?5-?vl", re.IGNORECASE)
_QWEN = re.compile(r"qwen-?(2|3|3\.\d)-?vl|qwen3\.5", re.IGNORECASE)
_GEMINI = re.compile(r"gemini", re.IGNORECASE)


class CompatibleOptions(Record):
    """Spec keys of `compatible:`, `ollama:` and `vllm:`."""

    json_schema: bool = True
    bbox: BoxConvention | None = None
    """Default: by the model's name."""
    temperature: bool = True
    reasoning_effort: str | None = None
    max_tokens_key: Literal["max_completion_tokens", "max_tokens"] = "max_tokens"
    text_first: bool = False
    min_side_px: int = Field(default=28, ge=1)
    max_side_px: int | None = Field(default=None, ge=64)
    max_images: int = Field(default=16, ge=1)
    max_bytes: int = Field(default=10_000_000, ge=1000)
    timeout_s: float = Field(default=600.0, gt=0)


def convention_of(model: str) -> BoxConvention:
    """The box convention that a model family was trained on, by its name."""
    if _QWEN25.search(model):
        return BoxConvention.QWEN25
    if _QWEN.search(model):
        return BoxConvention.QWEN3
    return BoxConvention.GEMINI if _GEMINI.search(model) else BoxConvention.UNIT


def build(spec: ModelSpec) -> VisionModel:
    """The model of a spec; the key, where the server wants one, is `EDITPLAN_COMPATIBLE_API_KEY`."""
    options = read_options(spec, CompatibleOptions)
    base_url = spec.base_url or PRESETS.get(spec.provider)
    if base_url is None:
        raise SpecError(f"spec {str(spec)!r} needs a server: {spec.provider}:{spec.model}@http://localhost:8000/v1")
    boxes = options.bbox or convention_of(spec.model)
    limits = ImageLimits(
        max_images=options.max_images,
        max_bytes=options.max_bytes,
        min_side_px=options.min_side_px,
        max_side_px=options.max_side_px,
        multiple_px=28 if boxes is BoxConvention.QWEN25 else 1,
    )
    dialect = Dialect(
        key_names=KEYS,
        needs_key=False,
        base_url=base_url,
        limits=limits,
        boxes=boxes,
        text_first=options.text_first or "openrouter" in base_url,
        temperature=options.temperature,
        reasoning_effort=options.reasoning_effort,
        json_schema=options.json_schema,
        max_tokens_key=options.max_tokens_key,
        timeout_s=options.timeout_s,
    )
    return ChatVisionModel(spec, dialect)
