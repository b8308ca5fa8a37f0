"""What every thinking node does with an answer: the value and the notes, or the end of the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from editplan.planner.ask import Answer, Unusable, ask_until_usable
from editplan.planner.deps import Deps
from editplan.planner.endings import agent_failed
from editplan.planner.instructions import MAX_WORDS, with_closing, word_count
from editplan.planner.questions import Form, Shown, question
from editplan.planner.reading import Reader
from editplan.planner.state import State, request_of, with_notes
from editplan.planner.views import seen


async def asked(
    deps: Deps, state: State, form: Form, fields: dict[str, str] | None = None, shown: Shown = Shown()
) -> Answer[Any] | Unusable:
    """Asks one logical question about the state's request."""
    request = request_of(state) if shown.blind else await seen(request_of(state), deps.images)
    return await ask_until_usable(deps, question(deps, request, form, fields, shown))


def failed(state: State, node: str, answer: Unusable) -> State:
    """Ends the graph as `agent_failed`, with the reason and how the last answer began."""
    ending = agent_failed(node, f"{answer.reason}: {answer.detail}")
    began = " ".join(answer.text.split())[:160]
    notes = [*answer.notes, *([f"{node}: the last answer began: {began}"] if began else [])]
    return {"ending": ending.model_dump(mode="json"), "notes": with_notes(state, *notes)}


def read_text(key: str, *others: str) -> Callable[[dict[str, Any], Reader], str]:
    """Reads one non-empty text; the keys beside it are for the model's own thinking and are dropped."""

    def read(value: dict[str, Any], reader: Reader) -> str:
        reader.required(value, (key,), "$")
        reader.surplus(value, (key, *others), "$")
        text = reader.text(value.get(key), f"$.{key}")
        if key in value and not text:
            reader.problem(f"$.{key} is empty")
        return text

    return read


def finished(text: str, output: str, node: str) -> tuple[str, tuple[str, ...]]:
    """A rewritten instruction with the closing sentence that all arms have, and notes on its length."""
    instruction = with_closing(text, output)
    notes = [] if instruction == text.strip() else [f"{node}: the closing sentence was added"]
    if word_count(instruction) > MAX_WORDS:
        notes.append(f"{node}: the instruction has {word_count(instruction)} words, {MAX_WORDS} were asked for")
    return instruction, tuple(notes)
