"""Who answers: the embedded models, or canned answers that cost no computation."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from editplan.boxes import BoxConvention, box_words
from editplan.protocols import Editor, VisionModel
from editplan.records import Ask, EditJob, Part, PartRole
from editplan.store import ImageStore

_CANNED_PLAN = {
    "unresolved_variables": [],
    "visual_queries": [],
    "preservation_hypotheses": [],
    "evidence_ledger": [
        {
            "claim_id": "e1",
            "claim": "the picture is there",
            "source": "observed_state",
            "image": 1,
            "bbox": None,
            "query_id": None,
            "evidence": "seen",
            "confidence": 0.9,
        }
    ],
    "candidate_transitions": [
        {
            "transition_id": "z1",
            "targets": ["the picture"],
            "actions": ["change"],
            "destination": [],
            "goal_state": ["as asked"],
            "preserve": [],
            "supporting_claim_ids": ["e1"],
            "validity": "supported",
        }
    ],
    "contrastive_challenge": {
        "alternative_transition_id": None,
        "question": "",
        "discriminating_claim_ids": [],
        "outcome": "not_applicable",
    },
    "selected_transition_id": "z1",
    "self_contract": ["the picture is as asked"],
    "uncertainties": [],
    "compiled_instruction": "Do as asked. Output only the edited image.",
    "instruction": "Do as asked. Output only the edited image.",
}


@dataclass(frozen=True)
class Picture:
    """An image of a request, with the label text that stood before it."""

    data: bytes
    label: str = ""


@dataclass
class Brain:
    """Answers questions and edits pictures."""

    canned: bool = False
    planner: str = "embedded"
    editor: str = "embedded:raster"
    _model: VisionModel | None = field(default=None, init=False)
    _editor: Editor | None = field(default=None, init=False)
    _grey: bytes = field(default=b"", init=False)

    async def answer(self, text: str, pictures: list[Picture], schema: dict[str, Any] | None, tokens: int) -> str:
        """The answer to a question, as text; boxes in the convention that the question asks for."""
        if self.canned:
            return json.dumps(_CANNED_PLAN)
        from editplan.emulator.judging import judged
        from editplan.emulator.probing import seen
        from editplan.planner.models import resolve

        task = task_of(text)
        verdict = await asyncio.to_thread(judged, task, text, pictures)
        if verdict is not None:
            return verdict
        if (objects := await asyncio.to_thread(seen, task, pictures)) is not None:
            return in_convention(objects, convention_in(text), (_size_of(pictures[0]),))
        self._model = self._model or resolve(self.planner)
        images = ImageStore()
        parts = tuple(_part(images, picture) for picture in pictures)
        ask = Ask(task=task, prompt_id="", text=text, parts=parts, json_schema=schema, max_tokens=tokens)
        reply = await self._model.ask(ask, images)
        sizes = tuple((part.media.width, part.media.height) for part in parts)
        return in_convention(reply.text, convention_in(text), sizes)

    async def edit(self, instruction: str, pictures: list[Picture], mask: bytes | None = None) -> bytes:
        """The edited picture as PNG. Raises the editor's own `CallFailure`."""
        if self.canned:
            self._grey = self._grey or _grey_png()
            return self._grey
        from editplan.editors import resolve

        self._editor = self._editor or resolve(self.editor)
        images = ImageStore()
        # The embedded editor edits one picture: of several, the first.
        parts = tuple(_part(images, picture) for picture in pictures[:1])
        edited = await self._editor.edit(EditJob(parts=parts, instruction=instruction), images)
        return await asyncio.to_thread(images.read, edited.media[0].sha256)


def _part(images: ImageStore, picture: Picture) -> Part:
    role = PartRole.CROP if "crop of image" in picture.label else PartRole.CANVAS
    return Part(media=images.add(picture.data)[0], role=role, label=picture.label)


def _size_of(picture: Picture) -> tuple[int, int]:
    import PIL.Image

    with PIL.Image.open(io.BytesIO(picture.data)) as opened:
        return opened.size


def _grey_png() -> bytes:
    import PIL.Image

    buffer = io.BytesIO()
    PIL.Image.new("RGB", (64, 64), (127, 127, 127)).save(buffer, format="PNG")
    return buffer.getvalue()


def task_of(text: str) -> str:
    """The task of a rendered prompt: the packaged prompt file whose fixed words it shares most; "" for none."""
    scores = {task: _shared(fixed, text) for task, fixed in _fixed_lines().items()}
    best = max(scores, key=lambda task: scores[task])
    return best if scores[best] > 0.6 else ""


@cache
def _fixed_lines() -> dict[str, tuple[str, ...]]:
    """By task: the lines of its prompt that no field changes."""
    from editplan.prompts.loader import PromptLibrary, tasks

    library = PromptLibrary()
    lines = {task: [line.strip() for line in library.get(task).text.splitlines()] for task in tasks()}
    return {task: tuple(line for line in own if len(line) > 12 and "$" not in line) for task, own in lines.items()}


def _shared(fixed: tuple[str, ...], text: str) -> float:
    """The share of a prompt's fixed lines that stand in a text, and a little for how many they are."""
    if not fixed:
        return 0.0
    found = sum(1 for line in fixed if line in text)
    return found / len(fixed) + found * 1e-4


def convention_in(text: str) -> BoxConvention:
    """The box convention that a prompt asks for."""
    return next((each for each in BoxConvention if box_words(each) in " ".join(text.split())), BoxConvention.UNIT)


def in_convention(reply: str, convention: BoxConvention, sizes: tuple[tuple[int, int], ...]) -> str:
    """A reply with normalised boxes, rewritten into a model family's convention.

    `sizes`: width and height of the images of the question; a box belongs to the image that its object names.
    """
    if convention is BoxConvention.UNIT:
        return reply
    try:
        return json.dumps(_converted(json.loads(reply), convention, sizes), ensure_ascii=False)
    except json.JSONDecodeError:
        return reply


def _converted(value: Any, convention: BoxConvention, sizes: tuple[tuple[int, int], ...]) -> Any:
    if isinstance(value, list):
        return [_converted(item, convention, sizes) for item in value]
    if not isinstance(value, dict):
        return value
    place = value.get("image", 1)
    size = sizes[place - 1] if isinstance(place, int) and 1 <= place <= len(sizes) else sizes[0] if sizes else (1, 1)
    return {
        name: written(item, convention, size) if name == "bbox" and item else _converted(item, convention, sizes)
        for name, item in value.items()
    }


def written(box: Sequence[float], convention: BoxConvention, size: tuple[int, int]) -> list[float]:
    """A normalised box as a model family writes it."""
    if convention is BoxConvention.UNIT:
        return list(box)
    full = (*size, *size) if convention is BoxConvention.QWEN25 else (1000.0,) * 4
    scaled = [edge * whole for edge, whole in zip(box, full, strict=True)]
    return [scaled[place] for place in (1, 0, 3, 2)] if convention is BoxConvention.GEMINI else scaled


def strip_data_url(url: str) -> bytes:
    """The bytes of a data URL. Raises `ValueError` for another URL."""
    import base64

    match = re.match(r"data:[^;,]+;base64,", url)
    if match is None:
        raise ValueError("only data URLs are read")
    return base64.b64decode(url[match.end() :])
