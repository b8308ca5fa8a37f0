"""Vision models behind chat completions, whoever's server it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from editplan.boxes import BoxConvention
from editplan.errors import Unsupported
from editplan.protocols import Images
from editplan.records import Ask, Media, Record, Reply
from editplan.specs import ModelSpec
from editplan.wire.chat import ChatAnswer, complete, user_content
from editplan.wire.openai_client import clients
from editplan.wire.payload import ImageLimits, Payload, encode_all, sent_size


class Dialect(Record):
    """What a server wants said differently."""

    key_names: tuple[str, ...]
    needs_key: bool = True
    base_url: str | None = None
    limits: ImageLimits = ImageLimits()
    boxes: BoxConvention = BoxConvention.UNIT
    text_first: bool = False
    detail: str | None = None
    temperature: bool = True
    reasoning_effort: str | None = None
    json_schema: bool = True
    max_tokens_key: Literal["max_completion_tokens", "max_tokens"] = "max_tokens"
    timeout_s: float = 300.0


class ChatVisionModel:
    """A vision model behind chat completions; what differs between servers is in its `Dialect`."""

    def __init__(self, spec: ModelSpec, dialect: Dialect) -> None:
        self.id = str(spec)
        self.endpoint = f"{spec.provider}:{spec.model}@{spec.base_url or ''}"
        self.timeout_s = dialect.timeout_s
        self.boxes = dialect.boxes
        self._model = spec.model
        self._dialect = dialect
        self._clients = clients(
            base_url=spec.base_url or dialect.base_url,
            key_names=dialect.key_names,
            timeout_s=dialect.timeout_s,
            needs_key=dialect.needs_key,
        )

    def sent_size(self, media: Media) -> tuple[int, int]:
        """Width and height in pixels of an image as the model gets it."""
        return sent_size(media.width, media.height, self._dialect.limits)

    async def aclose(self) -> None:
        """Closes the connections of this event loop."""
        await self._clients.aclose()

    def manifest(self) -> dict[str, Any]:
        """All parameters, and the SDK's version."""
        import openai

        return {"sdk": f"openai {openai.__version__}", **self._dialect.model_dump(mode="json")}

    async def ask(self, ask: Ask, images: Images) -> Reply:
        """One completion."""
        limits = self._dialect.limits
        if len(ask.parts) > limits.max_images:
            raise Unsupported(f"{self.id} takes {limits.max_images} images, the question has {len(ask.parts)}")
        payloads = await encode_all(ask.parts, images, limits)
        answer = await complete(self._clients.get(), self._body(ask, payloads), sent=payloads)
        return _reply(answer, payloads)

    def _body(self, ask: Ask, payloads: list[Payload]) -> dict[str, Any]:
        dialect = self._dialect
        content = user_content(ask.text, ask.parts, payloads, text_first=dialect.text_first, detail=dialect.detail)
        messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
        if ask.system:
            messages.insert(0, {"role": "system", "content": ask.system})
        body: dict[str, Any] = {"model": self._model, "messages": messages}
        body[dialect.max_tokens_key] = ask.max_tokens
        if ask.temperature is not None and dialect.temperature:
            body["temperature"] = ask.temperature
        if dialect.reasoning_effort is not None:
            body["reasoning_effort"] = dialect.reasoning_effort
        if ask.json_schema is not None and dialect.json_schema:
            body["response_format"] = strict_schema(ask.task, ask.json_schema)
        return body


def strict_schema(task: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The `response_format` that holds a server to a JSON schema."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", task)[:64] or "answer"
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": dict(schema)}}


def _reply(answer: ChatAnswer, payloads: list[Payload]) -> Reply:
    notes = tuple(dict.fromkeys(note for payload in payloads for note in payload.notes))
    if answer.provider:
        notes = (*notes, f"answered by {answer.provider}")
    return Reply(
        text=answer.text,
        finish=answer.finish,
        model=answer.model,
        usage=answer.usage,
        request_id=answer.request_id,
        notes=notes,
    )
