"""Review: a person looks at the plan before the generation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from editplan.errors import ConfigError
from editplan.planner.endings import Ending
from editplan.planner.state import State, request_of, with_notes
from editplan.records import Refusal, Status

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from editplan.planner.deps import Deps


async def review(state: State, runtime: Runtime[Deps]) -> State:
    """Pauses if the options ask for it, and goes on as the reviewer says.

    Resumed with "approve", "reject", {"decision": "edit", "instruction": ...} or {"decision": "reject",
    "reason": ...}. Raises `ConfigError` for anything else.
    """
    if not runtime.context.options.review:
        return {}
    from langgraph.types import interrupt

    word = interrupt({"goal": request_of(state).goal, "instruction": state["instruction"], "plan": state.get("plan")})
    return _decided(state, word if isinstance(word, dict) else {"decision": word})


def _decided(state: State, word: dict[str, Any]) -> State:
    decision, instruction = word.get("decision"), str(word.get("instruction") or "").strip()
    if decision == "approve":
        return {"notes": with_notes(state, "review: approved")}
    if decision == "edit" and instruction:
        note = "review: the instruction was edited by hand"
        return {"instruction": instruction, "notes": with_notes(state, note)}
    if decision == "reject":
        reason = str(word.get("reason") or "").strip()
        note = "review: rejected" + (f": {reason}" if reason else "")
        refusal = Refusal(stage="review", provider="reviewer", text=reason)
        return {"ending": Ending(status=Status.CANCELLED, note=note, refusal=refusal).model_dump(mode="json")}
    raise ConfigError(f'a review is resumed with "approve", "edit" and an instruction, or "reject", not {word!r}')
