"""Chat completions, as OpenAI and compatible servers speak them: the body out, the answer in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from editplan.errors import BadReply, Refused
from editplan.records import Part, Record, Usage
from editplan.wire.failures import shortened
from editplan.wire.openai_client import attempt, check_gateway_error
from editplan.wire.payload import Payload
from editplan.wire.replies import json_object, sound_text

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Finish = Literal["stop", "length", "refused", "empty"]


class ChatAnswer(Record):
    """One choice of a completion; `images` are data URLs or links as the server gave them."""

    text: str
    finish: Finish
    model: str = ""
    provider: str = ""
    """Who answered behind a gateway's name."""
    images: tuple[str, ...] = ()
    usage: Usage = Usage()
    request_id: str | None = None
    refusal: str | None = None


def user_content(
    text: str,
    parts: Sequence[Part],
    payloads: Sequence[Payload],
    *,
    text_first: bool = False,
    detail: str | None = None,
) -> list[dict[str, Any]]:
    """The content of one user message: each image behind its label, then the text (or the text first)."""
    content: list[dict[str, Any]] = []
    for part, payload in zip(parts, payloads, strict=True):
        if part.label:
            content.append({"type": "text", "text": part.label})
        image = {"url": payload.data_url, **({"detail": detail} if detail else {})}
        content.append({"type": "image_url", "image_url": image})
    body = {"type": "text", "text": text}
    return [body, *content] if text_first else [*content, body]


async def complete(client: AsyncOpenAI, body: Mapping[str, Any], *, sent: Sequence[Payload] = ()) -> ChatAnswer:
    """Sends one completion and reads its first choice. Raises the `CallFailure` that fits what came instead."""
    # The SDK walks every field of `messages` against its types, which costs more than the rest of a call; in
    # `extra_body` they go out unchanged.
    extra = {**body.get("extra_body", {}), "messages": body["messages"]}
    raw = await attempt(
        client.chat.completions.with_raw_response.create(**{**body, "messages": [], "extra_body": extra})
    )
    answer = read_body(raw.http_response.content, request_id=raw.headers.get("x-request-id"))
    pixels = sum(payload.width * payload.height for payload in sent)
    usage = answer.usage.model_copy(update={"images_in": len(sent), "image_pixels": pixels})
    return answer.model_copy(update={"usage": usage})


def read_body(content: bytes, *, request_id: str | None = None) -> ChatAnswer:
    """An HTTP 200 body as an answer. Raises `BadReply` for no JSON or no choice, `Refused` for a filter's word."""
    body = json_object(content)
    check_gateway_error(body)
    choices = body.get("choices")
    if not (isinstance(choices, list) and choices and isinstance(choices[0], dict)):
        raise BadReply("HTTP 200 without any choice", kind="malformed")
    return _read_choice(body, choices[0], request_id)


def _read_choice(body: dict[str, Any], choice: dict[str, Any], request_id: str | None) -> ChatAnswer:
    given = choice.get("message")
    message: dict[str, Any] = given if isinstance(given, dict) else {}
    text = _text(message.get("content"))
    refusal = message.get("refusal")
    reason = str(choice.get("finish_reason") or "stop")
    if reason == "content_filter" and not text:
        raise Refused(shortened(str(refusal or "the provider's content filter withheld the answer")), category=reason)
    images = tuple(_image_urls(message.get("images")))
    finish: Finish = "stop"
    if refusal:
        finish = "refused"
    elif reason in {"length", "content_filter"}:
        finish = "length" if reason == "length" else "refused"
    elif not text.strip() and not images:
        finish = "empty"
    return ChatAnswer(
        text=text or sound_text(str(refusal or "")),
        finish=finish,
        model=str(body.get("model") or ""),
        provider=str(body.get("provider") or ""),
        images=images,
        usage=read_usage(body.get("usage")),
        request_id=request_id or body.get("id"),
        refusal=sound_text(str(refusal)) if refusal else None,
    )


def _text(content: Any) -> str:
    if isinstance(content, list):
        return sound_text("".join(str(item.get("text") or "") for item in content if isinstance(item, dict)))
    return sound_text(content) if isinstance(content, str) else ""


def _image_urls(images: Any) -> list[str]:
    found = []
    for item in images if isinstance(images, list) else ():
        link = item.get("image_url") if isinstance(item, dict) else None
        url = link.get("url") if isinstance(link, dict) else link
        if isinstance(url, str) and url:
            found.append(url)
    return found


def read_usage(usage: Any) -> Usage:
    """Tokens and, from gateways, cost; a missing or odd figure counts as not said."""
    given: dict[str, Any] = usage if isinstance(usage, dict) else {}
    details = given.get("completion_tokens_details") or given.get("output_tokens_details") or {}
    cost = given.get("cost")
    return Usage(
        tokens_in=_count(given.get("prompt_tokens", given.get("input_tokens"))),
        tokens_out=_count(given.get("completion_tokens", given.get("output_tokens"))),
        tokens_thinking=_count(details.get("reasoning_tokens")) if isinstance(details, dict) else 0,
        cost_usd=float(cost) if isinstance(cost, (int, float)) and not isinstance(cost, bool) else None,
    )


def _count(value: Any) -> int:
    return int(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0 else 0
