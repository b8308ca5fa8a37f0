"""`google:<model>`: Gemini vision models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from editplan.boxes import BoxConvention
from editplan.errors import Unsupported
from editplan.protocols import Images, VisionModel
from editplan.records import Ask, Media, Record, Reply
from editplan.specs import ModelSpec, read_options
from editplan.wire.gemini import contents, read_usage, refuse_if_blocked
from editplan.wire.google_client import attempt, clients, reason
from editplan.wire.payload import ImageLimits, Payload, encode_all, sent_size
from editplan.wire.replies import sound_text

if TYPE_CHECKING:
    from google.genai.types import GenerateContentResponse


class GoogleOptions(Record):
    """Spec keys of `google:` as a vision model."""

    thinking_level: Literal["minimal", "low", "medium", "high"] | None = None
    thinking_budget: int | None = Field(default=None, ge=-1)
    media_resolution: Literal["low", "medium", "high"] | None = None
    json_schema: bool = True
    temperature: bool = True
    max_images: int = Field(default=16, ge=1)
    max_bytes: int = Field(default=7_000_000, ge=1000)
    max_side_px: int | None = Field(default=None, ge=64)
    timeout_s: float = Field(default=300.0, gt=0)
    api_version: str | None = None
    bbox: BoxConvention = BoxConvention.GEMINI


class GoogleVisionModel:
    """A Gemini model that answers about images."""

    def __init__(self, spec: ModelSpec, options: GoogleOptions) -> None:
        self.id = str(spec)
        self.endpoint = f"{spec.provider}:{spec.model}@{spec.base_url or ''}"
        self.timeout_s = options.timeout_s
        self.boxes = options.bbox
        self._model = spec.model
        self._options = options
        self._limits = ImageLimits(
            max_images=options.max_images, max_bytes=options.max_bytes, max_side_px=options.max_side_px
        )
        self._clients = clients(base_url=spec.base_url, api_version=options.api_version, timeout_s=options.timeout_s)

    def sent_size(self, media: Media) -> tuple[int, int]:
        """Width and height in pixels of an image as the model gets it."""
        return sent_size(media.width, media.height, self._limits)

    async def aclose(self) -> None:
        """Closes the connections of this event loop."""
        await self._clients.aclose()

    def manifest(self) -> dict[str, Any]:
        """All parameters, and the SDK's version."""
        from google import genai

        return {"sdk": f"google-genai {genai.__version__}", **self._options.model_dump(mode="json")}

    async def ask(self, ask: Ask, images: Images) -> Reply:
        """One generateContent."""
        if len(ask.parts) > self._limits.max_images:
            raise Unsupported(f"{self.id} takes {self._limits.max_images} images, the question has {len(ask.parts)}")
        payloads = await encode_all(ask.parts, images, self._limits)
        response = await attempt(
            self._clients.get().aio.models.generate_content(
                model=self._model,
                contents=contents(ask.text, [part.label for part in ask.parts], payloads),
                config=self._config(ask),
            )
        )
        return _reply(response, payloads)

    def _config(self, ask: Ask) -> Any:
        from google.genai import types

        options = self._options
        thinking = None
        if options.thinking_level is not None or options.thinking_budget is not None:
            level = types.ThinkingLevel(options.thinking_level.upper()) if options.thinking_level else None
            thinking = types.ThinkingConfig(thinking_level=level, thinking_budget=options.thinking_budget)
        resolution = f"MEDIA_RESOLUTION_{options.media_resolution.upper()}" if options.media_resolution else None
        structured = ask.json_schema is not None and options.json_schema
        return types.GenerateContentConfig(
            system_instruction=ask.system or None,
            temperature=ask.temperature if options.temperature else None,
            max_output_tokens=ask.max_tokens,
            response_mime_type="application/json" if structured else None,
            response_json_schema=ask.json_schema if structured else None,
            thinking_config=thinking,
            media_resolution=types.MediaResolution(resolution) if resolution else None,
        )


def _reply(response: GenerateContentResponse, payloads: list[Payload]) -> Reply:
    refuse_if_blocked(response)
    candidate = next(iter(response.candidates or ()), None)
    parts = candidate.content.parts if candidate and candidate.content and candidate.content.parts else []
    text = sound_text("".join(part.text for part in parts if part.text and not part.thought))
    finish: Literal["stop", "length", "empty"] = "stop" if text.strip() else "empty"
    if candidate is not None and reason(candidate.finish_reason) == "MAX_TOKENS":
        finish = "length"
    return Reply(
        text=text,
        finish=finish,
        model=response.model_version or "",
        usage=read_usage(response, payloads),
        request_id=response.response_id,
        notes=tuple(dict.fromkeys(note for payload in payloads for note in payload.notes)),
    )


def build(spec: ModelSpec) -> VisionModel:
    """The model of a spec `google:<model>[@base_url][?key=value]`; the key is `GEMINI_API_KEY`."""
    return GoogleVisionModel(spec, read_options(spec, GoogleOptions))
