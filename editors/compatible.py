"""`compatible:<model>@<base_url>`: image answers over chat completions, or an OpenAI-style images endpoint."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from editplan.editors.answers import decode_base64, kept
from editplan.editors.openai import OpenAIEditor, OpenAIEditorOptions
from editplan.errors import BadReply, Refused, SpecError
from editplan.protocols import Editor, Images
from editplan.records import Capabilities, Edited, EditJob, Record
from editplan.specs import ModelSpec, read_options
from editplan.wire.chat import ChatAnswer, complete, user_content
from editplan.wire.failures import shortened
from editplan.wire.openai_client import clients
from editplan.wire.payload import ImageLimits, encode_all

PRESETS = {"vllm": "http://localhost:8000/v1"}
"""Providers that are `compatible` with a base URL of their own."""

KEYS = ("EDITPLAN_COMPATIBLE_API_KEY", "OPENROUTER_API_KEY")


class CompatibleEditorOptions(Record):
    """Spec keys of `compatible:` as an editor."""

    endpoint: Literal["chat", "images"] = "chat"
    text_first: bool = True
    seed: bool = False
    size: str = "auto"
    """For `endpoint=images`: auto, source or WxH."""
    quality: Literal["low", "medium", "high", "auto"] | None = None
    max_images: int = Field(default=4, ge=1)
    max_side_px: int | None = Field(default=None, ge=64)
    max_bytes: int = Field(default=10_000_000, ge=1000)
    max_tokens: int | None = Field(default=None, ge=1)
    timeout_s: float = Field(default=600.0, gt=0)


class ChatEditor:
    """A frozen editor that answers a chat completion with an image (OpenRouter's style)."""

    def __init__(self, spec: ModelSpec, options: CompatibleEditorOptions) -> None:
        self.id = str(spec)
        self.endpoint = f"{spec.provider}:{spec.model}@{spec.base_url or ''}"
        self.timeout_s = options.timeout_s
        self.capabilities = Capabilities(max_images=options.max_images, seed=options.seed)
        self._model = spec.model
        self._options = options
        self._limits = ImageLimits(
            max_images=options.max_images, max_bytes=options.max_bytes, max_side_px=options.max_side_px
        )
        self._clients = clients(base_url=spec.base_url, key_names=KEYS, timeout_s=options.timeout_s, needs_key=False)

    async def aclose(self) -> None:
        """Closes the connections of this event loop."""
        await self._clients.aclose()

    def manifest(self) -> dict[str, Any]:
        """All parameters, the SDK's version, and what the provider does on its own."""
        import openai

        hidden = "unknown: the server behind the name may rewrite and may change"
        options = self._options.model_dump(mode="json")
        return {"sdk": f"openai {openai.__version__}", "provider_rewriting": hidden, **options}

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """One completion with images in its answer."""
        payloads = await encode_all(job.parts, images, self._limits)
        content = user_content(job.instruction, job.parts, payloads, text_first=self._options.text_first, detail=None)
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": "user", "content": content}],
            "extra_body": {"modalities": ["image", "text"]},
        }
        if self._options.seed and job.seed is not None:
            body["seed"] = job.seed
        if self._options.max_tokens is not None:
            body["max_tokens"] = self._options.max_tokens
        answer = await complete(self._clients.get(), body, sent=payloads)
        notes = [note for payload in payloads for note in payload.notes]
        if answer.provider:
            notes.append(f"answered by {answer.provider}")
        if not self._options.seed:
            notes.append("unseeded")
        return await kept(
            [_blob(answer)],
            job,
            images,
            model=answer.model or self._model,
            usage=answer.usage,
            request_id=answer.request_id,
            notes=tuple(notes),
        )


def _blob(answer: ChatAnswer) -> bytes:
    if answer.images:
        url = answer.images[-1]
        if url.startswith(("http://", "https://")):
            raise BadReply("the answer links to an image instead of holding it: not fetched", kind="no_image")
        return decode_base64(url)
    if answer.finish == "refused":
        raise Refused(shortened(answer.refusal or answer.text), category="refusal")
    failure = BadReply(shortened(f"no image in the answer; it says: {answer.text or 'nothing'}"), kind="no_image")
    failure.usage = answer.usage
    raise failure


def build(spec: ModelSpec) -> Editor:
    """The editor of a spec; the key, where the server wants one, is `EDITPLAN_COMPATIBLE_API_KEY`."""
    options = read_options(spec, CompatibleEditorOptions)
    if spec.base_url is None and spec.provider in PRESETS:
        spec = spec.model_copy(update={"base_url": PRESETS[spec.provider]})
    if spec.base_url is None:
        raise SpecError(f"spec {str(spec)!r} needs a server: {spec.provider}:{spec.model}@http://localhost:8000/v1")
    if options.endpoint == "images":
        return OpenAIEditor(
            spec,
            OpenAIEditorOptions(size=options.size, quality=options.quality, timeout_s=options.timeout_s),
            key_names=KEYS,
        )
    return ChatEditor(spec, options)
