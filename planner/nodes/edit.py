"""Edit: the one generation, and the checks of what came back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from editplan.errors import BadReply, EditorError
from editplan.planner.deps import Deps
from editplan.planner.outputs import output_notes
from editplan.planner.state import State, request_of, with_notes
from editplan.records import Edited, EditJob, Media, Part

if TYPE_CHECKING:
    from langgraph.runtime import Runtime


async def edit(state: State, runtime: Runtime[Deps]) -> State:
    """Sends the request's images and the instruction to the editor, once."""
    runtime.stream_writer({"event": "editing", "instruction": state["instruction"]})
    media, notes = await generate(runtime.context, state, state["instruction"], node="edit")
    return {"media": media.model_dump(mode="json"), "notes": with_notes(state, *notes)}


async def generate(
    deps: Deps, state: State, instruction: str, *, node: str, parts: tuple[Part, ...] | None = None
) -> tuple[Media, tuple[str, ...]]:
    """One generation; its image and notes.

    Raises the `CallFailure` that ended it, `BadReply` for an answer without an image, and `EditorError` for an image
    whose bytes the editor didn't store.
    """
    request = request_of(state)
    sources = request.parts if parts is None else parts
    job = EditJob(parts=sources, instruction=instruction, mask=request.mask)
    editor = deps.need_editor()
    edited = await deps.session.edit(editor, job, node=node)
    if not edited.media:
        raise BadReply(f"{editor.id} returned no image", kind="no_image")
    media = edited.media[0]
    if media.sha256 not in deps.images:
        raise EditorError(f"{editor.id} returned image {media.sha256[:12]} but stored no bytes: use images.add")
    window = getattr(editor, "window_px", None)
    checks = await asyncio.to_thread(output_notes, request, media, deps.images, window_px=window)
    can = editor.capabilities
    unseeded = () if can.seed or can.in_process else ("editor: unseeded",)
    return media, (*_said(edited), *unseeded, *checks)


def _said(edited: Edited) -> tuple[str, ...]:
    notes = [f"editor: {note}" for note in edited.notes]
    if len(edited.media) > 1:
        notes.append(f"editor: {len(edited.media)} images came, the first counts")
    return tuple(notes)
