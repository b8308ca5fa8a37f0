"""The three small protocols that everything third-party satisfies, and the images that go with a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    from editplan.records import Ask, Capabilities, Edited, EditJob, Media, Reply, Sha256


class ImageHandle(Protocol):
    """One stored image, decoded when asked for."""

    @property
    def media(self) -> Media:
        """Hash, kind and size."""
        ...

    def png(self) -> bytes:
        """The canonical PNG file (or the SVG text's bytes for media of that kind)."""
        ...

    def array(self) -> NDArray[np.uint8]:
        """RGB, uint8, height × width × 3; read-only."""
        ...

    def pil(self) -> Image:
        """RGB."""
        ...


class Images(Protocol):
    """A mapping sha256 → handle, that takes new images."""

    def __getitem__(self, sha256: Sha256) -> ImageHandle: ...

    def __contains__(self, sha256: object) -> bool: ...

    def add(self, data: bytes) -> tuple[Media, Sha256, tuple[str, ...]]:
        """Keeps bytes as they came and their canonical image.

        Returns the canonical image's record, the hash of the raw bytes, and notes on what was changed.
        Raises `ImageError` for bytes that are no usable image.
        """
        ...

    def add_svg(self, text: str, *, width: int, height: int) -> Media:
        """Keeps a drawing's source text; it is not parsed here."""
        ...


@runtime_checkable
class VisionModel(Protocol):
    """Answers one question about labelled images.

    `ask` makes exactly one wire attempt and returns, or raises one `CallFailure`. A model may also carry
    `endpoint` (what shares a rate limit; default `id`), `in_process` (free to repeat; default False),
    `timeout_s`, `manifest()`, `aclose()`, and for boxes `boxes` (a `BoxConvention`, default unit: whoever asks
    for boxes words the prompt with `box_words(boxes)` and reads the reply with `to_unit`) and
    `sent_size(media)` (width, height in pixels as the model sees an image, for conventions in pixels).
    """

    @property
    def id(self) -> str:
        """Provider, model and every parameter that can change an answer."""
        ...

    async def ask(self, ask: Ask, images: Images) -> Reply:
        """One wire attempt."""
        ...


@runtime_checkable
class Editor(Protocol):
    """Makes one picture from labelled images and an instruction; frozen within a comparison.

    `edit` makes exactly one wire attempt and returns, or raises one `CallFailure`. An editor may also carry
    `endpoint`, `timeout_s`, `manifest()` and `aclose()`.
    """

    @property
    def id(self) -> str:
        """Provider, model and every parameter that can change an output."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can take."""
        ...

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """One wire attempt."""
        ...


def manifest_of(model: VisionModel | Editor) -> dict[str, Any]:
    """What the model declares of itself for `experiment.json`; at least its id."""
    declared = getattr(model, "manifest", None)
    return {"id": model.id, **(declared() if callable(declared) else {})}


async def close(*models: VisionModel | Editor | None) -> None:
    """Closes the connections of those that have any."""
    for model in models:
        closing = getattr(model, "aclose", None)
        if closing is not None:
            await closing()
