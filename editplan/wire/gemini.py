"""Gemini's generateContent: the turn out, usage and refusals in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from editplan.errors import Refused
from editplan.records import Usage
from editplan.wire.failures import shortened
from editplan.wire.google_client import REFUSALS, reason
from editplan.wire.payload import Payload

if TYPE_CHECKING:
    from google.genai.types import GenerateContentResponse


def contents(text: str, labels: list[str], payloads: list[Payload]) -> list[Any]:
    """The parts of one user turn: each image behind its label, then the text."""
    from google.genai import types

    parts: list[Any] = []
    for label, payload in zip(labels, payloads, strict=True):
        if label:
            parts.append(types.Part.from_text(text=label))
        parts.append(types.Part.from_bytes(data=payload.data, mime_type=payload.mime))
    return [*parts, types.Part.from_text(text=text)]


def read_usage(response: GenerateContentResponse, payloads: list[Payload]) -> Usage:
    """Tokens as the response says them, images as we sent them."""
    said = response.usage_metadata
    thinking = (said.thoughts_token_count or 0) if said else 0
    return Usage(
        tokens_in=(said.prompt_token_count or 0) if said else 0,
        tokens_out=((said.candidates_token_count or 0) if said else 0) + thinking,
        tokens_thinking=thinking,
        images_in=len(payloads),
        image_pixels=sum(payload.width * payload.height for payload in payloads),
    )


def refuse_if_blocked(response: GenerateContentResponse) -> None:
    """Raises `Refused` where the prompt was blocked, and for a finish reason that is a refusal."""
    feedback = response.prompt_feedback
    if not response.candidates and feedback is not None and feedback.block_reason is not None:
        why = reason(feedback.block_reason)
        raise Refused(shortened(feedback.block_reason_message or why), category=why, stage="input")
    for candidate in response.candidates or ():
        why = reason(candidate.finish_reason)
        if why in REFUSALS:
            raise Refused(shortened(candidate.finish_message or why), category=why, stage="output")
