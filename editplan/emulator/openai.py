"""OpenAI's wire format: chat completions and images/edits."""

from __future__ import annotations

import base64
import json
import time
from typing import TYPE_CHECKING, Any

from editplan.emulator.brains import Picture, strip_data_url
from editplan.emulator.faults import FaultKind
from editplan.emulator.spoil import spoilt_picture, spoilt_text
from editplan.errors import Refused

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from editplan.emulator.server import Emulator

_TOKENS_PER_IMAGE = 765


def routes(emulator: Emulator) -> list[Route]:
    """`POST /v1/chat/completions`, `POST /v1/images/edits`, `GET /v1/models`."""
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def chat(request: Request) -> Response:
        return await emulator.handle("openai.chat", request, lambda r, body, fault: _chat(emulator, r, body, fault))

    async def images(request: Request) -> Response:
        return await emulator.handle("openai.images", request, lambda r, body, fault: _images(emulator, r, fault))

    async def models(request: Request) -> Response:
        return JSONResponse({"object": "list", "data": [{"id": "emulated", "object": "model"}]})

    return [
        Route("/v1/chat/completions", chat, methods=["POST"]),
        Route("/v1/images/edits", images, methods=["POST"]),
        Route("/v1/models", models),
    ]


def read_messages(messages: list[dict[str, Any]]) -> tuple[str, list[Picture]]:
    """The question's text and its pictures; the text before a picture is its label, the rest is the question."""
    texts: list[str] = []
    pictures: list[Picture] = []
    for message in messages:
        content = message.get("content")
        items = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        for place, item in enumerate(items):
            if item.get("type") == "image_url":
                before = items[place - 1] if place else {}
                label = before.get("text", "") if before.get("type") == "text" else ""
                if label and texts and texts[-1] == label:
                    texts.pop()
                pictures.append(Picture(strip_data_url(item["image_url"]["url"]), label))
            elif item.get("type") == "text":
                texts.append(str(item["text"]))
    return "\n\n".join(texts), pictures


async def _chat(emulator: Emulator, request: Request, body: bytes, fault: FaultKind | None) -> Response:
    from starlette.responses import JSONResponse

    asked = json.loads(body)
    text, pictures = read_messages(asked["messages"])
    refused = _moderated(fault)
    if refused is not None:
        return refused
    if fault is FaultKind.EMPTY_DATA:
        return JSONResponse({"id": "x", "model": asked["model"], "choices": None, "error": None})
    if "image" in asked.get("modalities", ()):
        message, finish, words = await _drawn(emulator, text, pictures, fault)
    else:
        message, finish, words = await _said(emulator, asked, text, pictures, fault)
    usage = _usage(text, words, len(pictures))
    return JSONResponse(
        {
            "id": f"chatcmpl-{request.state.request_id}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": "another-model-2026-01-01" if fault is FaultKind.OTHER_MODEL else asked["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": usage,
        }
    )


async def _said(
    emulator: Emulator, asked: dict[str, Any], text: str, pictures: list[Picture], fault: FaultKind | None
) -> tuple[dict[str, Any], str, str]:
    if fault in (FaultKind.REFUSAL, FaultKind.TEXT_ONLY):
        words = "I'm sorry, I can't help with that."
        return {"role": "assistant", "content": None, "refusal": words}, "stop", words
    form = asked.get("response_format") or {}
    schema = form.get("json_schema", {}).get("schema") if form.get("type") == "json_schema" else None
    tokens = int(asked.get("max_completion_tokens") or asked.get("max_tokens") or 4096)
    words, cut = spoilt_text(await emulator.brain.answer(text, pictures, schema, tokens), fault)
    return {"role": "assistant", "content": words, "refusal": None}, "length" if cut else "stop", words


async def _drawn(
    emulator: Emulator, text: str, pictures: list[Picture], fault: FaultKind | None
) -> tuple[dict[str, Any], str, str]:
    if fault in (FaultKind.TEXT_ONLY, FaultKind.NO_IMAGE, FaultKind.NULL_IMAGE):
        return {"role": "assistant", "content": "Here is what I would draw.", "images": None}, "stop", "words"
    try:
        png = await emulator.brain.edit(text, pictures)
    except Refused as error:
        return {"role": "assistant", "content": None, "refusal": error.reason}, "stop", error.reason
    data, mime = spoilt_picture(png, fault)
    url = f"data:{mime};base64,{base64.b64encode(data).decode()}"
    return {"role": "assistant", "content": None, "images": [{"image_url": {"url": url}}]}, "stop", ""


async def _images(emulator: Emulator, request: Request, fault: FaultKind | None) -> Response:
    from starlette.datastructures import UploadFile
    from starlette.responses import JSONResponse

    async with request.form() as form:
        files = [part for name in ("image[]", "image") for part in form.getlist(name) if isinstance(part, UploadFile)]
        pictures = [Picture(await part.read(), f"Image {place}") for place, part in enumerate(files, 1)]
    prompt = str(form["prompt"])
    refused = _moderated(fault)
    if refused is not None:
        return refused
    usage = _usage(prompt, "", len(pictures))
    if fault is FaultKind.EMPTY_DATA:
        return JSONResponse({"created": 0, "data": [], "usage": usage})
    if fault in (FaultKind.NULL_IMAGE, FaultKind.TEXT_ONLY, FaultKind.NO_IMAGE):
        return JSONResponse({"created": 0, "data": [{"b64_json": None}], "usage": usage})
    try:
        png = await emulator.brain.edit(prompt, pictures)
    except Refused as error:
        return _blocked(error.reason)
    data, _ = spoilt_picture(_resized(png, str(form.get("size", "auto"))), fault)
    model = "another-model-2026-01-01" if fault is FaultKind.OTHER_MODEL else str(form["model"])
    body = {"created": 0, "model": model, "data": [{"b64_json": base64.b64encode(data).decode()}], "usage": usage}
    return JSONResponse(body)


def _resized(png: bytes, size: str) -> bytes:
    if size == "auto":
        return png
    import io

    import PIL.Image

    width, _, height = size.partition("x")
    picture = PIL.Image.open(io.BytesIO(png)).resize((int(width), int(height)))
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG")
    return buffer.getvalue()


def _moderated(fault: FaultKind | None) -> Response | None:
    if fault in (FaultKind.MODERATION, FaultKind.BLOCK_REASON):
        return _blocked("Your request was rejected by the safety system.")
    return None


def _blocked(reason: str) -> Response:
    from starlette.responses import JSONResponse

    error = {"message": reason, "type": "image_generation_user_error", "code": "moderation_blocked", "param": None}
    return JSONResponse({"error": error}, status_code=400)


def _usage(question: str, words: str, images: int) -> dict[str, Any]:
    tokens_in = -(-len(question) // 4) + _TOKENS_PER_IMAGE * images
    tokens_out = -(-len(words) // 4)
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "input_tokens": tokens_in,
        "output_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }
