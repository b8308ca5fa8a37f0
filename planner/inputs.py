"""Turns what a caller gives (paths, bytes, pictures, arrays, parts) into a request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import ValidationError

from editplan.errors import ConfigError, ImageError
from editplan.images import load_bytes
from editplan.protocols import Images
from editplan.records import EditRequest, Media, Part, PartRole, digest
from editplan.store import ImageStore


def build_request(
    images: Any,
    goal: str,
    store: ImageStore,
    staged: Images,
    *,
    mask: Any = None,
    output: Literal["edit", "new"] = "edit",
) -> tuple[EditRequest, tuple[str, ...]]:
    """The request, and notes on what was changed in reading the images, whose bytes go into `store`.

    One image or a list of them; the first is the one to be edited, further ones are references unless a `Part` says
    otherwise. Raises `ImageError` for what is no image, `ConfigError` for an empty goal or list or an unusable mask.
    """
    given = list(images) if isinstance(images, (list, tuple)) else [images]
    if not given:
        raise ConfigError("there is no image: give one, or a list with at least one")
    parts, notes = _parts(given, store, staged)
    area = None if mask is None else _mask(mask, parts[0].media, store)
    content = {"parts": [part.model_dump(mode="json") for part in parts], "goal": goal, "output": output}
    name = digest({**content, "mask": area.sha256 if area else None})[:16]
    try:
        request = EditRequest(case_id=f"request-{name}", parts=tuple(parts), goal=goal, mask=area, output=output)
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigError(
            f"{'.'.join(map(str, first['loc']))}: {first['msg'].removeprefix('Value error, ')}"
        ) from error
    return request, tuple(notes)


def _parts(given: Sequence[Any], store: ImageStore, staged: Images) -> tuple[list[Part], list[str]]:
    parts: list[Part] = []
    notes: list[str] = []
    for number, source in enumerate(given, 1):
        if isinstance(source, Part):
            parts.append(_moved(source, store, staged))
            continue
        name = f"image {number}" if not isinstance(source, str) else source
        media, _, changes = store.add(load_bytes(source, name=name), name=name)
        role = PartRole.CANVAS if number == 1 else PartRole.REFERENCE
        parts.append(Part(media=media, role=role))
        notes += [f"image {number}: {change}" for change in changes]
    return parts, notes


def _moved(part: Part, store: ImageStore, staged: Images) -> Part:
    """The part itself, its bytes in the store."""
    if part.media.sha256 not in store:
        if part.media.sha256 not in staged:
            raise ImageError(
                f"the bytes of image {part.media.sha256[:12]} are not here: make parts with agent.part(...)"
            )
        store.add(staged[part.media.sha256].png())
    return part


def _mask(mask: Any, canvas: Media, store: ImageStore) -> Media:
    """White = edit; of the first image's size, with something selected."""
    media, _, _ = store.add(load_bytes(mask, name="the mask"), name="the mask")
    if (media.width, media.height) != (canvas.width, canvas.height):
        raise ConfigError(
            f"the mask is {media.width} × {media.height}, the image {canvas.width} × {canvas.height}: make them equal"
        )
    if int(store[media.sha256].array().max()) < 128:
        raise ConfigError("the mask selects nothing: white marks what may be edited")
    return media
