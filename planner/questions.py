"""Builds the asks of all conditions: the same settings, labels and fields for every arm."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from editplan.boxes import box_words
from editplan.errors import PromptError
from editplan.planner.ask import Question, Read
from editplan.planner.deps import Deps
from editplan.planner.instructions import closing
from editplan.planner.labels import Crop, frames, labelled
from editplan.planner.models.base import boxes_of
from editplan.planner.reading import Frame
from editplan.records import Ask, EditRequest, Part


@dataclass(frozen=True)
class Shown:
    """Which images go with a question; the request's own unless `blind`."""

    crops: tuple[Crop, ...] = ()
    results: tuple[Part, ...] = ()
    blind: bool = False


@dataclass(frozen=True)
class Form:
    """What comes back: the prompt that asks for it, its schema, and how it is read."""

    task: str
    node: str
    schema: dict[str, Any]
    read: Read[Any]
    of_condition: str | None = None


def question(
    deps: Deps, request: EditRequest, form: Form, fields: Mapping[str, str] | None = None, shown: Shown = Shown()
) -> Question[Any]:
    """One logical agent call, ready to be asked. Raises `PromptError` if the prompt's fields don't match."""
    model = deps.need_planner()
    parts = () if shown.blind else _pictures(labelled(request, shown.crops, shown.results))
    rendered = deps.prompts.render(form.task, _fields(deps, request, form.task, fields or {}))
    ask = Ask(
        task=form.task,
        prompt_id=rendered.prompt_id,
        text=rendered.text,
        parts=parts,
        json_schema=form.schema,
        temperature=deps.options.temperature,
        max_tokens=deps.options.max_tokens,
    )
    seen = frames(parts, shown.crops, model) or (Frame(1),)
    keys = tuple(form.schema["properties"])
    return Question(form.node, ask, keys, form.read, seen, form.of_condition)


def _pictures(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """What a vision model can look at: drawings in source form are not pictures."""
    return tuple(part for part in parts if part.media.kind == "png")


def _fields(deps: Deps, request: EditRequest, task: str, own: Mapping[str, str]) -> dict[str, str]:
    """The common fields that this prompt uses, and its own, all of which it must use."""
    common = {
        "goal": _inert(request.goal),
        "language": deps.options.instruction_language or "the language of the goal",
        "closing": closing(request.output),
        "boxes": box_words(boxes_of(deps.need_planner())),
        "guide": _guide(deps),
    }
    wanted = deps.prompts.get(task).fields
    if "goal" not in wanted and task != "reask":
        raise PromptError(f"prompt {task!r} has no $goal: put it between <goal> and </goal>")
    return {**{name: text for name, text in common.items() if name in wanted}, **own}


def _inert(goal: str) -> str:
    """The goal, unable to close the block that it stands in."""
    return re.sub(r"<(?=\s*/?\s*goal\b)", "‹", goal.strip(), flags=re.IGNORECASE)


def _guide(deps: Deps) -> str:
    if not deps.options.editor_guide or deps.editor is None or not deps.editor.capabilities.guide:
        return ""
    return f"How to word it for this editor: {deps.editor.capabilities.guide.strip()}"
