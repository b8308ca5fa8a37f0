"""Fakes that are shipped: a vision model and an editor that answer from a script, and an editor that is counted."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from editplan.protocols import Editor, Images
from editplan.records import Ask, Capabilities, Edited, EditJob, Media, Reply, Usage

Said = str | dict[str, Any] | Reply | Exception
Answering = Callable[[Ask], Said]
Making = Callable[[EditJob, Images], Media | Edited]


class ScriptedModel:
    """A vision model that answers what it is told to, and keeps what it was asked.

    `script` is a list of answers in order; or answers by task, where a list is used up and its last entry stays; or a
    function of the ask. A dict is sent as JSON text, an exception is raised.
    """

    def __init__(
        self,
        script: Sequence[Said] | Mapping[str, Said | Sequence[Said]] | Answering,
        *,
        model_id: str = "scripted",
        in_process: bool = True,
        pause_s: float = 0.0,
    ) -> None:
        self.id = model_id
        self.in_process = in_process
        self.asks: list[Ask] = []
        self._script = script
        self._used: dict[str, int] = {}
        self._pause_s = pause_s

    async def ask(self, ask: Ask, images: Images) -> Reply:
        """The next answer of the script; a script that has none left is an `IndexError`."""
        self.asks.append(ask)
        await asyncio.sleep(self._pause_s)
        said = self._next(ask)
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Reply):
            return said
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        return Reply(text=text, model=self.id, usage=_usage(ask, text))

    def _next(self, ask: Ask) -> Said:
        if callable(self._script):
            return self._script(ask)
        if isinstance(self._script, Mapping):
            if ask.task not in self._script:
                raise KeyError(f"the script has no answer for {ask.task!r}")
            said = self._script[ask.task]
            if isinstance(said, (str, dict, Reply, Exception)):
                return said
            return self._in_order(ask.task, said, last_stays=True)
        return self._in_order("", self._script, last_stays=False)

    def _in_order(self, name: str, answers: Sequence[Said], *, last_stays: bool) -> Said:
        place = self._used.get(name, 0)
        self._used[name] = place + 1
        return answers[min(place, len(answers) - 1)] if last_stays else answers[place]


class ScriptedEditor:
    """An editor that makes what it is told to, and keeps the jobs that it was given.

    `script` is a list of results in order (PNG bytes, or an exception), whose last entry stays; or a function of job
    and images; None paints a rectangle whose colour depends on instruction and seed, so that other jobs give other
    images.
    """

    def __init__(
        self,
        script: Sequence[bytes | Exception] | Making | None = None,
        *,
        editor_id: str = "scripted-editor",
        capabilities: Capabilities | None = None,
        pause_s: float = 0.0,
    ) -> None:
        self.id = editor_id
        self.capabilities = capabilities or Capabilities(max_images=16, mask=True, seed=True, in_process=True)
        self.jobs: list[EditJob] = []
        self._script = script
        self._pause_s = pause_s

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """The next result of the script."""
        place = len(self.jobs)
        self.jobs.append(job)
        await asyncio.sleep(self._pause_s)
        if callable(self._script):
            made = self._script(job, images)
            return made if isinstance(made, Edited) else Edited(media=(made,), model=self.id)
        if self._script is None:
            return _kept(images, _painted(job, images), self.id)
        result = self._script[min(place, len(self._script) - 1)]
        if isinstance(result, Exception):
            raise result
        return _kept(images, result, self.id)


class CountingEditor:
    """Wraps an editor and appends one line a call to a file, durable before the call: it outlives a kill."""

    def __init__(self, inner: Editor, path: Path | str) -> None:
        self.inner = inner
        self.path = Path(path)

    @property
    def id(self) -> str:
        """The wrapped editor's id: counting changes no output."""
        return self.inner.id

    @property
    def capabilities(self) -> Capabilities:
        """The wrapped editor's."""
        return self.inner.capabilities

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """Writes one line, then edits, then writes another."""
        name = job.model_dump_json(include={"instruction", "seed"})
        self._write(f"begin {name}")
        edited = await self.inner.edit(job, images)
        self._write(f"end {name}")
        return edited

    def calls(self) -> tuple[str, ...]:
        """The calls that were begun, in order."""
        return tuple(line.removeprefix("begin ") for line in self._lines() if line.startswith("begin "))

    def finished(self) -> tuple[str, ...]:
        """The calls that came back."""
        return tuple(line.removeprefix("end ") for line in self._lines() if line.startswith("end "))

    def _lines(self) -> Iterable[str]:
        return self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else ()

    def _write(self, line: str) -> None:
        data = (line.replace("\n", " ") + "\n").encode("utf-8")
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(file, data)
            os.fsync(file)
        finally:
            os.close(file)


def _usage(ask: Ask, text: str) -> Usage:
    """What such a call would plausibly count: a token for four characters."""
    return Usage(
        tokens_in=len(ask.text) // 4,
        tokens_out=len(text) // 4,
        images_in=len(ask.parts),
        image_pixels=sum(part.media.pixels for part in ask.parts),
    )


def _kept(images: Images, data: bytes, model: str) -> Edited:
    media, raw, notes = images.add(data)
    return Edited(media=(media,), raw=(raw,), model=model, usage=Usage(images_out=1), notes=notes)


def _painted(job: EditJob, images: Images) -> bytes:
    import hashlib
    import io

    from PIL import ImageDraw

    picture = images[job.parts[0].media.sha256].pil() if job.parts else _blank()
    code = hashlib.sha256(f"{job.instruction}|{job.seed}".encode()).digest()
    width, height = picture.size
    box = (width // 4, height // 4, max(width // 4 + 1, width // 2), max(height // 4 + 1, height // 2))
    ImageDraw.Draw(picture).rectangle(box, fill=(code[0], code[1], code[2]))
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG")
    return buffer.getvalue()


def _blank() -> Any:
    import PIL.Image

    return PIL.Image.new("RGB", (64, 64), (255, 255, 255))
