"""`video:<file or module:function>`: anything that yields a clip; its last frame is the edited image.

`video:clip.mp4` takes a clip that was made elsewhere. `video:package.module:function` and `video:make.py:function`
call `function(image, instruction, seed)` with a PIL image, a text and an int; it may be async, and returns a clip
as a path, as bytes, or as a sequence of frames (PIL images, or uint8 arrays of H × W × 3).
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from editplan.editors.answers import edited
from editplan.editors.clips import LastFrame, last_frame
from editplan.errors import BadReply, ConfigError, EditorError, SpecError, Unsupported
from editplan.images import canonicalise, encode_png, load_bytes, sha256_hex
from editplan.protocols import Editor, Images
from editplan.records import Capabilities, Edited, EditJob, Record, Usage
from editplan.specs import ModelSpec, read_options

Clip = Path | str | bytes | Sequence[Any]
MakeClip = Callable[[Any, str, int], Clip | Awaitable[Clip]]

_CLIPS = frozenset({".mp4", ".m4v", ".mov", ".webm", ".mkv", ".avi", ".gif", ".webp"})


class VideoCallOptions(Record):
    """Spec keys of `video:`."""

    in_process: bool = False
    """Says that a call is free to repeat; a function that asks a paid service leaves it off."""
    timeout_s: float = Field(default=1800.0, gt=0)
    version: str = ""
    """Names a state of the function, so that a changed one isn't answered from an old journal."""


class VideoEditor:
    """Makes a clip by a function and answers with its last frame."""

    def __init__(
        self,
        make: MakeClip,
        *,
        editor_id: str,
        in_process: bool = False,
        timeout_s: float = 1800.0,
        manifest: dict[str, Any] | None = None,
    ) -> None:
        self.id = editor_id
        self.timeout_s = timeout_s
        self.capabilities = Capabilities(max_images=1, seed=True, in_process=in_process)
        self._make = make
        self._manifest = manifest or {}

    def manifest(self) -> dict[str, Any]:
        """Where the clip comes from; what the function does inside isn't known here."""
        return {"answer": "the clip's last frame", "provider_rewriting": "unknown", **self._manifest}

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """One clip.

        Raises:
            Unsupported: no image, several of them, or a mask.
            BadReply: the clip is missing, empty or can't be decoded.
            EditorError: the function returned something else than a clip.
        """
        if len(job.parts) != 1 or job.mask is not None:
            raise Unsupported(f"{self.id} takes one image and no mask; the job has {len(job.parts)} image(s)")
        media = job.parts[0].media
        clip = await self._clip(images[media.sha256].pil(), job)
        last = await asyncio.to_thread(_last, clip, self.id)
        usage = Usage(images_in=1, image_pixels=media.pixels)
        return edited([last.png], job, images, model=self.id, usage=usage, notes=(f"last of {last.frames} frame(s)",))

    async def _clip(self, picture: Any, job: EditJob) -> Any:
        if inspect.iscoroutinefunction(self._make):
            return await self._make(picture, job.instruction, job.seed or 0)
        made = await asyncio.to_thread(self._make, picture, job.instruction, job.seed or 0)
        return await made if inspect.isawaitable(made) else made


def _last(clip: Any, name: str) -> LastFrame:
    if isinstance(clip, (str, Path)):
        return last_frame(Path(clip), name=f"{name}: {Path(clip).name}")
    if isinstance(clip, (bytes, bytearray, memoryview)):
        return last_frame(bytes(clip), name=name)
    if not hasattr(clip, "__len__") or not hasattr(clip, "__getitem__"):
        raise EditorError(
            f"{name} returned a {type(clip).__name__}: a clip is a path, bytes, or a sequence of PIL images or arrays"
        )
    if not len(clip):
        raise BadReply(f"{name} returned a clip without frames", kind="no_image")
    frame = canonicalise(load_bytes(clip[-1], name="the last frame"), name="the last frame")
    return LastFrame(png=encode_png(frame.image), frames=len(clip))


def _load(text: str) -> MakeClip:
    """The function that `module:function` or `file.py:function` names. Raises `ConfigError` with what is missing."""
    place, _, name = text.rpartition(":")
    try:
        module = _module_of_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    except ImportError as error:
        raise ConfigError(f"video:{text}: {place} can't be imported ({error}): check the name") from error
    make = getattr(module, name, None)
    if not callable(make):
        raise ConfigError(f"video:{text}: {place} has no function {name!r}")
    found: MakeClip = make
    return found


def _module_of_file(path: Path) -> Any:
    if not path.is_file():
        raise ConfigError(f"video:{path}: there is no such file")
    spec = importlib.util.spec_from_file_location(f"editplan_clip_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"video:{path} can't be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _from_file(path: Path, spec: ModelSpec, options: VideoCallOptions) -> VideoEditor:
    if not path.is_file():
        raise ConfigError(f"{spec}: there is no clip {str(path)!r}: give an mp4, gif or webp, or module:function")
    content = sha256_hex(path.read_bytes())

    def make(image: Any, instruction: str, seed: int) -> Path:
        return path

    manifest = {"clip": path.name, "clip_sha256": content, "seed": "unseeded: the clip is there already"}
    editor = VideoEditor(
        make, editor_id=f"{spec}#{content[:12]}", in_process=True, timeout_s=options.timeout_s, manifest=manifest
    )
    editor.capabilities = editor.capabilities.model_copy(update={"seed": False})
    return editor


def build(spec: ModelSpec) -> Editor:
    """The editor of a spec `video:<clip file | module:function | file.py:function>[?key=value]`."""
    options = read_options(spec, VideoCallOptions)
    if not spec.model:
        raise SpecError("video: names nothing: give a clip file, module:function or file.py:function")
    path = Path(spec.model).expanduser()
    if path.suffix.lower() in _CLIPS:
        return _from_file(path, spec, options)
    if ":" not in spec.model:
        raise SpecError(f"video:{spec.model} is neither a clip ({', '.join(sorted(_CLIPS))}) nor module:function")
    return VideoEditor(
        _load(spec.model),
        editor_id=str(spec),
        in_process=options.in_process,
        timeout_s=options.timeout_s,
        manifest={"function": spec.model, "version": options.version},
    )
