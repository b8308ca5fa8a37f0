"""An editor that is a language model: it reads an SVG document and writes one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from editplan.editors.svg_text import Extraction, TokenCeiling, extract_svg
from editplan.errors import BadReply, EditorError, Refused, Unsupported
from editplan.protocols import Images, VisionModel, close, manifest_of
from editplan.records import Ask, Capabilities, Edited, EditJob, Media, Reply
from editplan.svg_source import drawing_size, parse

SYSTEM_PROMPT = "svg_edit_system"
USER_PROMPT = "svg_edit_user"


class RenderedPrompt(Protocol):
    """A prompt with its fields filled in."""

    @property
    def text(self) -> str: ...

    @property
    def prompt_id(self) -> str: ...


class Prompts(Protocol):
    """Where the editor's two prompts come from; `editplan.prompts` has the packaged ones."""

    def render(self, task: str, fields: Mapping[str, str]) -> RenderedPrompt: ...


@runtime_checkable
class Drawings(Protocol):
    """An image store that keeps SVG text as it is."""

    def add_svg(self, text: str, *, width: int, height: int) -> Media: ...


class SvgEditor:
    """Asks a text model for the edited document, by Vector-Bench's prompt protocol (its section on prompting).

    The model sees the instruction and the source of the first svg part; no rendering, no temperature. A
    document that is cut off or broken is an output like any other: the judge calls it invalid.
    """

    def __init__(self, model: VisionModel, prompts: Prompts, *, ceiling: TokenCeiling = TokenCeiling.CURRENT) -> None:
        self.id = f"svg:{model.id}#{ceiling.value}"
        self.capabilities = Capabilities(
            max_images=1, media="svg", in_process=bool(getattr(model, "in_process", False))
        )
        self.endpoint: str = getattr(model, "endpoint", model.id)
        self._model = model
        self._prompts = prompts
        self._ceiling = ceiling

    def manifest(self) -> dict[str, Any]:
        """The model's manifest, the ceiling's rule and the prompts' ids."""
        prompts = [
            self._prompts.render(SYSTEM_PROMPT, {}),
            self._prompts.render(USER_PROMPT, {"instruction": "", "source": ""}),
        ]
        return {
            "model": manifest_of(self._model),
            "token_ceiling": self._ceiling.value,
            "prompts": [prompt.prompt_id for prompt in prompts],
        }

    async def aclose(self) -> None:
        """Closes the model's connections."""
        await close(self._model)

    async def edit(self, job: EditJob, images: Images) -> Edited:
        """One request to the model.

        Raises:
            Unsupported: the job has no SVG, several images, or a mask.
            Refused: the model declined.
            BadReply: the reply is empty.
            EditorError: the image store can't keep SVG.
        """
        source = _source(job, images)
        if not isinstance(images, Drawings):
            raise EditorError("the image store has no add_svg: the SVG editor needs one that keeps SVG text")
        reply = await self._model.ask(self._ask(job.instruction, source), images)
        _check_answered(reply)
        found = extract_svg(reply.text)
        width, height = _size_in_pixels(found.svg, source)
        media = images.add_svg(found.svg, width=width, height=height)
        return Edited(
            media=(media,),
            raw=(media.sha256,),
            model=reply.model,
            usage=reply.usage,
            request_id=reply.request_id,
            notes=(*reply.notes, *_notes(reply, found)),
        )

    def _ask(self, instruction: str, source: str) -> Ask:
        system = self._prompts.render(SYSTEM_PROMPT, {})
        user = self._prompts.render(USER_PROMPT, {"instruction": instruction, "source": source})
        return Ask(
            task="svg_edit",
            prompt_id=f"{system.prompt_id}+{user.prompt_id}",
            text=f"{system.text.strip()}\n\n{user.text.strip()}",
            max_tokens=self._ceiling.tokens(source),
        )


def _source(job: EditJob, images: Images) -> str:
    if job.mask is not None:
        raise Unsupported("the SVG editor takes no mask")
    if len(job.parts) != 1 or job.parts[0].media.kind != "svg":
        kinds = ", ".join(part.media.kind for part in job.parts) or "none"
        raise Unsupported(f"the SVG editor takes exactly one SVG drawing; the job has: {kinds}")
    return images[job.parts[0].media.sha256].png().decode("utf-8", "replace")


def _check_answered(reply: Reply) -> None:
    if reply.finish == "refused":
        raise Refused(reply.text or "the model declined without a word")
    if reply.finish == "empty" or not reply.text.strip():
        raise BadReply("the model's reply is empty: there is no document in it", kind="no_image")


def _size_in_pixels(svg: str, source: str) -> tuple[int, int]:
    """The drawing's size, and the source's for one that can't be read."""
    root = parse(svg)[0]
    if root is None:
        root = parse(source)[0]
    if root is None:
        return 1, 1
    width, height = (max(1, round(side)) for side in drawing_size(root))
    return width, height


def _notes(reply: Reply, found: Extraction) -> tuple[str, ...]:
    notes = []
    if reply.finish == "length":
        notes.append("the reply ended at the token ceiling")
    if found.rule == "whole":
        notes.append("no <svg>...</svg> in the reply: the whole reply is taken as the document")
    if found.cuts_nested:
        notes.append("the document holds a nested <svg>, at whose end the extraction rule cuts it")
    return tuple(notes)
