"""What RISEBench's judge is shown: one call a dimension, with these texts and images in this order."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from editplan.evals.protocols.risebench.items import RiseItem
from editplan.records import Record

IMAGE_MAX_SIDE_PX = 768
MAX_TOKENS = 4096
TEMPERATURE = 0.0

Dimension = Literal["consistency", "reasoning", "plausibility"]


class RiseCall(Record):
    """One judge call; the output is the last image."""

    dimension: Dimension
    prompt: str
    fields: dict[str, str]
    before_output: tuple[Path, ...]
    """Images shown before the output."""


def judge_calls(item: RiseItem) -> tuple[RiseCall, ...]:
    """Two or three calls: no consistency where the item has no demand for it, no plausibility if logical."""
    calls = [_reasoning(item)]
    if not item.consistency_free:
        calls.insert(0, _consistency(item))
    if not item.logical:
        plain = RiseCall(dimension="plausibility", prompt="risebench_plausibility", fields={}, before_output=())
        calls.append(plain)
    return tuple(calls)


def _consistency(item: RiseItem) -> RiseCall:
    shown = item.consistency_image or item.images[0]
    fields = {"instruction": item.instruction}
    prompt = "risebench_consistency"
    if item.logical and item.reference_text is not None:
        prompt, fields = "risebench_consistency_logical_text", {**fields, "reference": item.reference_text}
    elif item.logical:
        prompt = "risebench_consistency_logical"
        shown = item.reference_image or shown
    return RiseCall(dimension="consistency", prompt=prompt, fields=fields, before_output=(shown,))


def _reasoning(item: RiseItem) -> RiseCall:
    kind = "logical" if item.logical else "reasoning"
    fields = {"instruction": item.instruction}
    if item.reference_image is not None and (item.reference_text is None or not item.logical):
        prompt = f"risebench_{kind}_image"
        if item.logical and item.reasoning_without_request:
            prompt, fields = "risebench_logical_match", {}
        return RiseCall(dimension="reasoning", prompt=prompt, fields=fields, before_output=(item.reference_image,))
    fields["reference"] = item.reference_text or ""
    shown = item.images[:1] if item.reasoning_needs_input else ()
    prompt = f"risebench_{kind}_text_with_input" if shown else f"risebench_{kind}_text"
    return RiseCall(dimension="reasoning", prompt=prompt, fields=fields, before_output=shown)
