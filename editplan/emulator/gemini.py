"""Gemini's wire format: generateContent for text and for images."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from editplan.emulator.brains import Picture
from editplan.emulator.faults import FaultKind
from editplan.emulator.spoil import spoilt_picture, spoilt_text
from editplan.errors import Refused

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from editplan.emulator.server import Emulator

_TOKENS_PER_IMAGE = 258


def routes(emulator: Emulator) -> list[Route]:
    """`POST /<version>/models/<model>:generateContent`."""
    from starlette.routing import Route

    async def generate(request: Request) -> Response:
        return await emulator.handle("gemini", request, lambda r, body, fault: _generate(emulator, r, body, fault))

    return [Route("/{version}/models/{model}:generateContent", generate, methods=["POST"])]


def read_turn(parts: list[dict[str, Any]]) -> tuple[str, list[Picture]]:
    """The question's text and its pictures with the text before each as its label."""
    texts: list[str] = []
    pictures: list[Picture] = []
    for part in parts:
        blob = part.get("inlineData") or part.get("inline_data")
        if blob:
            data = base64.b64decode(str(blob["data"]).translate(str.maketrans("-_", "+/")))
            label = texts.pop() if texts else ""
            pictures.append(Picture(data, label))
        elif "text" in part:
            texts.append(str(part["text"]))
    return "\n\n".join(texts), pictures


async def _generate(emulator: Emulator, request: Request, body: bytes, fault: FaultKind | None) -> Response:
    from starlette.responses import JSONResponse

    asked = json.loads(body)
    config: dict[str, Any] = asked.get("generationConfig") or {}
    text, pictures = read_turn([part for turn in asked["contents"] for part in turn.get("parts", ())])
    model = str(request.path_params["model"])
    answer: dict[str, Any] = {
        "modelVersion": "another-model-001" if fault is FaultKind.OTHER_MODEL else model,
        "responseId": request.state.request_id,
    }
    if fault in (FaultKind.MODERATION, FaultKind.BLOCK_REASON):
        answer["promptFeedback"] = {"blockReason": "PROHIBITED_CONTENT"}
    elif fault is FaultKind.EMPTY_DATA:
        answer["candidates"] = []
    elif "IMAGE" in (config.get("responseModalities") or ()):
        answer["candidates"] = [await _drawn(emulator, text, pictures, fault)]
    else:
        answer["candidates"] = [await _said(emulator, text, pictures, config, fault)]
    words = sum(len(part.get("text", "")) for part in _parts(answer))
    answer["usageMetadata"] = {
        "promptTokenCount": -(-len(text) // 4) + _TOKENS_PER_IMAGE * len(pictures),
        "candidatesTokenCount": -(-words // 4),
    }
    return JSONResponse(answer)


def _parts(answer: dict[str, Any]) -> list[dict[str, Any]]:
    candidates = answer.get("candidates") or [{}]
    return list((candidates[0].get("content") or {}).get("parts") or ())


async def _said(
    emulator: Emulator, text: str, pictures: list[Picture], config: dict[str, Any], fault: FaultKind | None
) -> dict[str, Any]:
    if fault in (FaultKind.REFUSAL, FaultKind.TEXT_ONLY):
        return {"finishReason": "SAFETY", "index": 0}
    schema = config.get("responseJsonSchema") or config.get("response_json_schema")
    tokens = int(config.get("maxOutputTokens") or 4096)
    words, cut = spoilt_text(await emulator.brain.answer(text, pictures, schema, tokens), fault)
    parts: list[dict[str, Any]] = [{"text": words}]
    if fault is FaultKind.THOUGHT_FIRST:
        parts.insert(0, {"text": "Let me think about {this}.", "thought": True})
    reason = "MAX_TOKENS" if cut else "STOP"
    return {"content": {"role": "model", "parts": parts}, "finishReason": reason, "index": 0}


async def _drawn(emulator: Emulator, text: str, pictures: list[Picture], fault: FaultKind | None) -> dict[str, Any]:
    if fault in (FaultKind.NO_IMAGE, FaultKind.NULL_IMAGE):
        return {"finishReason": "NO_IMAGE", "index": 0}
    if fault is FaultKind.REFUSAL:
        return {"finishReason": "IMAGE_SAFETY", "finishMessage": "withheld", "index": 0}
    if fault is FaultKind.TEXT_ONLY:
        parts: list[dict[str, Any]] = [{"text": "Here is what I would draw."}]
        return {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    try:
        png = await emulator.brain.edit(text, pictures)
    except Refused as error:
        return {"finishReason": "IMAGE_PROHIBITED_CONTENT", "finishMessage": error.reason, "index": 0}
    data, mime = spoilt_picture(png, fault)
    parts = [_blob(data, mime)]
    if fault is FaultKind.THOUGHT_FIRST:
        sketch, _ = spoilt_picture(png, FaultKind.WRONG_SIZE)
        parts.insert(0, {**_blob(sketch, "image/png"), "thought": True})
    return {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}


def _blob(data: bytes, mime: str) -> dict[str, Any]:
    return {"inlineData": {"mimeType": mime, "data": base64.b64encode(data).decode()}}
