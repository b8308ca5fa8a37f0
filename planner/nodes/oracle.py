"""A given specification, grounded in the image and compiled by two agent calls."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from editplan.boxes import BoxConvention, box_words
from editplan.planner.ask import Unusable
from editplan.planner.nodes.answers import asked, failed, finished, read_text
from editplan.planner.nodes.goal import specification
from editplan.planner.questions import Form
from editplan.planner.reading import Reader
from editplan.planner.schemas import GROUNDING, INSTRUCTION
from editplan.planner.state import State, request_of, with_notes

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from editplan.planner.deps import Deps

_LISTS = ("observations", "changes", "keep")


def _read_grounding(value: dict[str, Any], reader: Reader) -> dict[str, list[str]]:
    reader.required(value, _LISTS, "$")
    reader.surplus(value, _LISTS, "$")
    return {name: list(reader.texts(value.get(name), f"$.{name}")) for name in _LISTS}


_GROUND = Form("oracle_ground", "ground", GROUNDING, _read_grounding)
_COMPILE = Form("oracle_compile", "compile_specification", INSTRUCTION, read_text("instruction"))


async def ground(state: State, runtime: Runtime[Deps]) -> State:
    """Finds in the images what the specification speaks of."""
    deps = runtime.context
    fields = {"specification": specification(deps), "hints": _places(deps)}
    answer = await asked(deps, state, _GROUND, fields)
    if isinstance(answer, Unusable):
        return failed(state, "ground", answer)
    found = json.dumps(answer.value, ensure_ascii=False, indent=1)
    return {"text": found, "notes": with_notes(state, *answer.notes)}


async def compile_specification(state: State, runtime: Runtime[Deps]) -> State:
    """Words the grounded specification as one instruction."""
    fields = {"specification": specification(runtime.context), "grounding": state["text"]}
    answer = await asked(runtime.context, state, _COMPILE, fields)
    if isinstance(answer, Unusable):
        return failed(state, "compile_specification", answer)
    instruction, notes = finished(answer.value, request_of(state).output, "compile_specification")
    runtime.stream_writer({"event": "instruction", "instruction": instruction})
    return {"instruction": instruction, "notes": with_notes(state, *answer.notes, *notes)}


def _places(deps: Deps) -> str:
    """Where the specification's things lie, if it says so."""
    boxes = deps.oracle.boxes if deps.oracle else ()
    if not boxes:
        return ""
    listed = "; ".join("[" + ", ".join(f"{each:.3f}" for each in box) + "]" for box in boxes)
    return f"The change lies in these boxes of image 1, {box_words(BoxConvention.UNIT)}: {listed}."
