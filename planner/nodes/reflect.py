"""Looks at a generation and writes a better instruction: the critique of self-reflection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from editplan.planner.ask import Unusable
from editplan.planner.nodes.answers import asked, failed, finished, read_text
from editplan.planner.nodes.edit import generate
from editplan.planner.questions import Form, Shown
from editplan.planner.reading import Reader
from editplan.planner.schemas import CRITIQUE
from editplan.planner.state import State, media_of, request_of, with_notes
from editplan.records import Media, Part, PartRole

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from editplan.planner.deps import Deps
    from editplan.planner.graph import Node

_INSTRUCTION = read_text("instruction", "observations", "problems")


def _read_critique(value: dict[str, Any], reader: Reader) -> tuple[str, tuple[str, ...]]:
    reader.required(value, ("problems",), "$")
    return _INSTRUCTION(value, reader), reader.texts(value.get("problems"), "$.problems")


def critique_with(task: str, round_: int) -> Node:
    """Critique number `round_` (from 1) of the last generation, against the goal."""
    form = Form(task, "critique", CRITIQUE, _read_critique)

    async def critique(state: State, runtime: Runtime[Deps]) -> State:
        deps, last = runtime.context, media_of(state.get("media"))
        shown = Shown(results=() if last is None else (result_part(last, "edited result"),))
        answer = await asked(deps, state, form, {"instruction": state["instruction"]}, shown)
        if isinstance(answer, Unusable):
            return failed(state, "critique", answer)
        text, problems = answer.value
        instruction, notes = finished(text, request_of(state).output, "critique")
        said = f"critique {round_}: {'; '.join(problems) or 'no problem seen'}"
        runtime.stream_writer({"event": "critique", "problems": list(problems)})
        runtime.stream_writer({"event": "instruction", "instruction": instruction})
        return {"instruction": instruction, "notes": with_notes(state, *answer.notes, said, *notes)}

    return critique


def again_from(start: str) -> Node:
    """Another generation with the next seed, from the request's images or from the last result ("draft")."""

    async def again(state: State, runtime: Runtime[Deps]) -> State:
        runtime.stream_writer({"event": "editing", "instruction": state["instruction"]})
        last = media_of(state.get("media"))
        parts = _from_draft(state, last) if start == "draft" and last is not None else None
        media, notes = await generate(runtime.context, state, state["instruction"], node="edit", parts=parts)
        earlier = [*state.get("drafts", []), *([last.model_dump(mode="json")] if last else [])]
        return {"media": media.model_dump(mode="json"), "drafts": earlier, "notes": with_notes(state, *notes)}

    return again


def result_part(media: Media, label: str) -> Part:
    """A generation as an image of an ask."""
    return Part(media=media, role=PartRole.DRAFT, label=label)


def _from_draft(state: State, last: Media) -> tuple[Part, ...]:
    """The request's images with the draft in the place of the first one to be edited."""
    parts = list(request_of(state).parts)
    place = next((number for number, part in enumerate(parts) if part.role is PartRole.CANVAS), 0)
    parts[place] = parts[place].model_copy(update={"media": last})
    return tuple(parts)
