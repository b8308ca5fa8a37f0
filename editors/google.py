"""`google:<model>`: Gemini image models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from editplan.editors.answers import kept
from editplan.errors import BadReply, SpecError
from editplan.protocols import Editor, Images
from editplan.records import Capabilities, Edited, EditJob, Record, Usage
from editplan.specs import ModelSpec, read_options
from editplan.wire.failures import shortened
from editplan.wire.gemini import contents, read_usage, refuse_if_blocked
from editplan.wire.google_client import attempt, clients, reason
from editplan.wire.payload import ImageLimits, encode_all

if TYPE_CHECKING:
    from google.genai.types import GenerateContentResponse

RATIOS = ("1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9")

GUIDE = "Write plain sentences about the provided image; say what each further image is for."


class GoogleEditorOptions(Record):
    """Spec keys of `google:` as an editor."""

    aspect_ratio: str = "source"
    """"source" (the nearest known ratio), "auto" (not sent) or a ratio such as 16:9."""
    image_size: Literal["512", "1K", "2K", "4K"] | None = None
    temperature: float | None = Field(default=None, ge=0.0, le=2.0)
    thinking_level: Literal["minimal", "low", "medium", "high"] | None = None
    text_too: bool = False
    """Asks for text beside the image."""
    max_images: int = Field(default=14, ge=1)
    timeout_s: float = Field(default=300.0, gt=0)
    api_version: str | None = None


def nearest_ratio(width: int, height: int) -> str:
    """The known ratio nearest in shape."""

    def distance(ratio: str) -> float:
        wide, _, high = ratio.partition(":")
        shape = (int(wide) / int(high)) / (width / height)
        return max(shape, 1 / shape)

    return min(RATIOS, key=distance)


class GoogleEditor:
    """A frozen Gemini image model."""

    def __init__(self, spec: ModelSpec, options: GoogleEditorOptions) -> None:
        self.id = str(spec)
        self.endpoint = f"{spec.provider}:{spec.model}@{spec.base_url or ''}"
        self.timeout_s = options.timeout_s
        self.capabilities = Capabilities(max_images=options.max_images, seed=True, guide=GUIDE)
        self._model = spec.model
        self._options = options
        self._clients = clients(base_url=spec.base_url, api_version=options.api_version, timeout_s=options.timeout_s)

    async def aclose(self) -> None:
        """Closes the connections of this event loop."""
        await self._clients.aclose()

    def manifest(self) -> dict[str, Any]:
        """All parameters, the SDK's version, and what the provider does on its own."""
        from google import genai

        hidden = "the model may think before it draws; thought images are skipped"
        options = self._options.model_dump(mode="json")
        return {"sdk": f"google-genai {genai.__version__}", "provider_rewriting": hidden, **options}

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """One generateContent."""
        limits = ImageLimits(max_images=self._options.max_images, max_bytes=7_000_000)
        payloads = await encode_all(job.parts, images, limits)
        response = await attempt(
            self._clients.get().aio.models.generate_content(
                model=self._model,
                contents=contents(job.instruction, [part.label for part in job.parts], payloads),
                config=self._config(job),
            )
        )
        usage = read_usage(response, payloads)
        blob, notes = answer_image(response, usage)
        return await kept(
            [blob],
            job,
            images,
            model=response.model_version or self._model,
            usage=usage,
            request_id=response.response_id,
            notes=(*notes, *(note for payload in payloads for note in payload.notes)),
        )

    def _config(self, job: EditJob) -> Any:
        from google.genai import types

        options = self._options
        ratio: str | None = None
        if options.aspect_ratio == "source" and job.parts:
            ratio = nearest_ratio(job.parts[0].media.width, job.parts[0].media.height)
        elif options.aspect_ratio not in {"auto", "source"}:
            ratio = options.aspect_ratio
        level = options.thinking_level
        thinking = types.ThinkingConfig(thinking_level=types.ThinkingLevel(level.upper())) if level else None
        return types.GenerateContentConfig(
            response_modalities=["TEXT", "IMAGE"] if options.text_too else ["IMAGE"],
            image_config=types.ImageConfig(aspect_ratio=ratio, image_size=options.image_size),
            temperature=options.temperature,
            seed=job.seed,
            thinking_config=thinking,
        )


def answer_image(response: GenerateContentResponse, usage: Usage) -> tuple[bytes, tuple[str, ...]]:
    """The last image that is no thought, else the last image with a note.

    Raises `Refused` for a blocked prompt or answer, `BadReply` with the reason where there is no image.
    """
    refuse_if_blocked(response)
    candidate = next(iter(response.candidates or ()), None)
    parts = candidate.content.parts if candidate and candidate.content and candidate.content.parts else []
    pictures = [
        (part.inline_data.data, bool(part.thought)) for part in parts if part.inline_data and part.inline_data.data
    ]
    final = [data for data, thought in pictures if not thought]
    if not pictures:
        why = reason(candidate.finish_reason) if candidate else "no candidate"
        said = " ".join(part.text for part in parts if part.text and not part.thought)
        failure = BadReply(shortened(f"no image in the answer ({why}) {said}".strip()), kind="no_image")
        failure.usage = usage
        raise failure
    if final:
        return final[-1], ()
    return pictures[-1][0], ("only a thought image came back; it was taken",)


def build(spec: ModelSpec) -> Editor:
    """The editor of a spec `google:<model>[@base_url][?key=value]`; the key is `GEMINI_API_KEY`."""
    options = read_options(spec, GoogleEditorOptions)
    if options.image_size and "2.5-flash-image" in spec.model:
        raise SpecError(f"{spec.model} takes an aspect ratio only: leave image_size out")
    return GoogleEditor(spec, options)
