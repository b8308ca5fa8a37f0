"""What every vision model and every editor must do: call these from your own tests."""

from __future__ import annotations

import io
from typing import Any

from editplan.errors import CallFailure
from editplan.protocols import Editor, Images, VisionModel, manifest_of
from editplan.records import Ask, Capabilities, Edited, EditJob, Media, Part, PartRole, Reply, canonical_json
from editplan.store import ImageStore

_INSPECT = "Say what you see.\n\n<goal>\nRecolor the red square to blue.\n</goal>\n"


async def check_vision_model(model: VisionModel, *, ask: Ask | None = None, images: Images | None = None) -> Reply:
    """Asks one question about a test picture and returns the answer, or the `CallFailure` is raised on.

    Raises `AssertionError` that names the broken rule: `id` (stable text), the return type, no empty "stop",
    non-negative usage, the manifest as JSON.
    """
    store = images if images is not None else ImageStore()
    question = ask or Ask(task="check", prompt_id="check/v1@000000000000", text=_INSPECT, parts=(_part(store),))
    before = model.id
    _require(isinstance(before, str) and before != "", "id must be a non-empty text")
    _require(isinstance(model, VisionModel), "it must have id and an async ask(ask, images)")
    _check_manifest(model)
    try:
        reply = await model.ask(question, store)
    except CallFailure:
        _require(model.id == before, "id must not change between calls")
        raise
    _require(isinstance(reply, Reply), f"ask must return a Reply, not {type(reply).__name__}")
    _require(
        reply.text != "" or reply.finish != "stop", 'an empty answer must have finish="empty", "refused" or "length"'
    )
    _require(model.id == before, "id must not change between calls")
    _check_usage(reply.usage.model_dump())
    return reply


async def check_editor(editor: Editor, *, instruction: str = "Recolor the red square to blue.") -> Edited:
    """Makes one generation from a test picture and returns it, or the `CallFailure` is raised on.

    Raises `AssertionError` that names the broken rule: `id`, capabilities, the return type, an image that is in the
    store with the size that its record says, the sources untouched, the manifest as JSON.
    """
    store = ImageStore()
    before = editor.id
    _require(isinstance(before, str) and before != "", "id must be a non-empty text")
    _require(isinstance(editor, Editor), "it must have id, capabilities and an async edit(job, images)")
    _require(isinstance(editor.capabilities, Capabilities), "capabilities must be a Capabilities record")
    _require(editor.capabilities.max_images >= 0, "capabilities.max_images must not be negative")
    _check_manifest(editor)
    part = _part(store)
    source = store[part.media.sha256].png()
    parts = (part,) if editor.capabilities.max_images else ()
    try:
        edited = await editor.edit(EditJob(parts=parts, instruction=instruction, seed=7), store)
    except CallFailure:
        _require(editor.id == before, "id must not change between calls")
        raise
    _check_edited(edited, store)
    _require(store[part.media.sha256].png() == source, "the source image must stay as it is")
    _require(editor.id == before, "id must not change between calls")
    return edited


def _check_edited(edited: Any, store: ImageStore) -> None:
    _require(isinstance(edited, Edited), f"edit must return an Edited, not {type(edited).__name__}")
    _require(bool(edited.media), 'no image is a BadReply(kind="no_image"), not an empty Edited')
    for media in edited.media:
        _require(isinstance(media, Media), "media must be Media records")
        _require(media.sha256 in store, "the image's bytes must be added to images")
        if media.kind == "png":
            size = store[media.sha256].pil().size
            _require(
                size == (media.width, media.height), f"the record says {media.width} × {media.height}, it is {size}"
            )
    _check_usage(edited.usage.model_dump())


def _check_manifest(model: Any) -> None:
    manifest = manifest_of(model)
    _require(manifest.get("id") == model.id, "the manifest's id must be the model's")
    try:
        canonical_json(manifest)
    except (TypeError, ValueError) as error:
        raise AssertionError(f"the manifest must be JSON: {error}") from error


def _check_usage(usage: dict[str, Any]) -> None:
    negative = sorted(name for name, value in usage.items() if value is not None and value < 0)
    _require(not negative, f"usage must not be negative: {', '.join(negative)}")


def _require(held: bool, rule: str) -> None:
    if not held:
        raise AssertionError(rule)


def _part(store: Any) -> Part:
    """A red square on white, 64 × 48 px."""
    import PIL.Image
    from PIL import ImageDraw

    picture = PIL.Image.new("RGB", (64, 48), (255, 255, 255))
    ImageDraw.Draw(picture).rectangle((16, 12, 39, 35), fill=(255, 0, 0))
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG")
    media, _, _ = store.add(buffer.getvalue())
    return Part(media=media, role=PartRole.CANVAS, label="Image 1")
