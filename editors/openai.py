"""`openai:<model>`: image models of OpenAI over images/edits; several images, mask, size law, quality."""

from __future__ import annotations

import io
from typing import Any, Literal

from pydantic import Field

from editplan.editors.answers import decode_base64, kept
from editplan.editors.openai_sizes import check_size, family_of, parse_size, size_like
from editplan.errors import BadReply, SpecError, Unsupported
from editplan.protocols import Editor, Images
from editplan.records import Capabilities, Edited, EditJob, Media, Record
from editplan.specs import ModelSpec, read_options
from editplan.wire.chat import read_usage
from editplan.wire.openai_client import attempt, clients
from editplan.wire.payload import ImageLimits, Payload, encode_all
from editplan.wire.replies import json_object

MAX_IMAGES = 16
MAX_PROMPT = 32_000
MAX_MASK_BYTES = 4_000_000

GUIDE = "Say the change first, then an explicit list of what must stay; repeat that list at each edit."


class OpenAIEditorOptions(Record):
    """Spec keys of `openai:` as an editor."""

    quality: Literal["low", "medium", "high", "auto"] | None = None
    size: str = "source"
    input_fidelity: Literal["low", "high"] | None = None
    complexity: Literal["low", "medium", "high"] | None = None
    background: Literal["opaque", "transparent", "auto"] | None = None
    timeout_s: float = Field(default=300.0, gt=0)


class OpenAIEditor:
    """A frozen editor behind images/edits."""

    def __init__(self, spec: ModelSpec, options: OpenAIEditorOptions, *, key_names: tuple[str, ...]) -> None:
        self.id = str(spec)
        self.endpoint = f"{spec.provider}:{spec.model}@{spec.base_url or ''}"
        self.timeout_s = options.timeout_s
        self.capabilities = Capabilities(
            max_images=MAX_IMAGES, mask=True, sizes=True, max_instruction_characters=MAX_PROMPT, guide=GUIDE
        )
        self._model = spec.model
        self._options = options
        self._size = parse_size(options.size)
        if isinstance(self._size, tuple):
            check_size(self._size, spec.model)
        self._clients = clients(
            base_url=spec.base_url,
            key_names=key_names,
            timeout_s=options.timeout_s,
            needs_key=spec.base_url is None,
        )

    async def aclose(self) -> None:
        """Closes the connections of this event loop."""
        await self._clients.aclose()

    def manifest(self) -> dict[str, Any]:
        """All parameters, the SDK's version, and what the provider does on its own."""
        import openai

        hidden = "the model may rewrite the instruction; the API says nothing about it"
        options = self._options.model_dump(mode="json")
        return {"sdk": f"openai {openai.__version__}", "provider_rewriting": hidden, "seed": "unseeded", **options}

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """One images/edits request."""
        if not job.parts:
            raise Unsupported(f"{self.id} edits images, the job has none")
        size = self._wanted(job)
        limits = ImageLimits(max_images=MAX_IMAGES, max_bytes=49_000_000)
        payloads = await encode_all(job.parts, images, limits)
        body = self._body(job, images, payloads, size)
        raw = await attempt(self._clients.get().images.with_raw_response.edit(**body))
        answer = json_object(raw.http_response.content)
        usage = read_usage(answer.get("usage")).model_copy(
            update={"images_in": len(payloads), "image_pixels": sum(each.width * each.height for each in payloads)}
        )
        asked = job.model_copy(update={"size": size})
        return await kept(
            _blobs(answer),
            asked,
            images,
            model=str(answer.get("model") or self._model),
            usage=usage,
            request_id=raw.headers.get("x-request-id"),
            notes=("unseeded", *(note for payload in payloads for note in payload.notes)),
        )

    def _wanted(self, job: EditJob) -> tuple[int, int] | None:
        if job.size is not None:
            check_size(job.size, self._model)
            return job.size
        if self._size == "auto":
            return None
        if isinstance(self._size, tuple):
            return self._size
        source = job.parts[0].media
        return size_like(source.width, source.height, self._model)

    def _body(
        self, job: EditJob, images: Images, payloads: list[Payload], size: tuple[int, int] | None
    ) -> dict[str, Any]:
        files = [
            (f"image-{number}.{payload.mime.rpartition('/')[2]}", payload.data, payload.mime)
            for number, payload in enumerate(payloads, start=1)
        ]
        body: dict[str, Any] = {
            "model": self._model,
            "prompt": job.instruction,
            "image": files[0] if len(files) == 1 else files,
            "size": f"{size[0]}x{size[1]}" if size else "auto",
        }
        for name in ("quality", "input_fidelity", "complexity", "background"):
            value = getattr(self._options, name)
            if value is not None:
                body[name] = value
        if job.mask is not None:
            body["mask"] = ("mask.png", alpha_mask(job.mask, job.parts[0].media, images), "image/png")
        return body


def alpha_mask(mask: Media, source: Media, images: Images) -> bytes:
    """Our mask (white = edit) as the vendor wants it: alpha 0 = edit, the size of the first image.

    Raises `Unsupported` for a mask of another size, one that selects nothing, or one that is too heavy.
    """
    import numpy as np
    import PIL.Image

    if (mask.width, mask.height) != (source.width, source.height):
        raise Unsupported(
            f"the mask has {mask.width} × {mask.height} pixels, the image {source.width} × {source.height}: "
            "make them equal"
        )
    chosen = images[mask.sha256].array()[..., 0] >= 128
    if not chosen.any():
        raise Unsupported("the mask selects nothing: paint what may change white")
    pixels = np.zeros((*chosen.shape, 4), np.uint8)
    pixels[..., 3] = np.where(chosen, 0, 255)
    buffer = io.BytesIO()
    PIL.Image.fromarray(pixels).save(buffer, format="PNG", optimize=True)
    if buffer.tell() > MAX_MASK_BYTES:
        raise Unsupported(f"the mask takes {buffer.tell():,} bytes, over {MAX_MASK_BYTES:,}: simplify it")
    return buffer.getvalue()


def _blobs(answer: dict[str, Any]) -> list[bytes]:
    data = answer.get("data")
    if not isinstance(data, list) or not data:
        raise BadReply("HTTP 200 with an empty `data`", kind="no_image")
    texts = [item.get("b64_json") for item in data if isinstance(item, dict)]
    found = [decode_base64(text) for text in texts if isinstance(text, str) and text]
    if not found:
        raise BadReply("HTTP 200 without image data (`b64_json` is null)", kind="no_image")
    return found


def check_options(spec: ModelSpec, options: OpenAIEditorOptions) -> None:
    """Raises `SpecError` for a parameter that this model refuses."""
    family = family_of(spec.model)
    if options.input_fidelity is not None and options.input_fidelity not in family.input_fidelity:
        allowed = ", ".join(family.input_fidelity) or "none: leave it out"
        raise SpecError(f"{spec.model} takes input_fidelity {allowed}; not {options.input_fidelity}")
    if options.complexity is not None and not family.complexity:
        raise SpecError(f"{spec.model} takes no complexity: it came with gpt-image-2.5")


def build(spec: ModelSpec) -> Editor:
    """The editor of a spec `openai:<model>[@base_url][?key=value]`; the key is `OPENAI_API_KEY`."""
    options = read_options(spec, OpenAIEditorOptions)
    check_options(spec, options)
    return OpenAIEditor(spec, options, key_names=("OPENAI_API_KEY",))
