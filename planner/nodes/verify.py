"""Checks a generation against the plan's own obligations, and corrects the instruction."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from editplan.planner.ask import Unusable
from editplan.planner.nodes.answers import asked, failed, finished, read_text
from editplan.planner.nodes.reflect import result_part
from editplan.planner.questions import Form, Shown
from editplan.planner.reading import Reader
from editplan.planner.schemas import VERIFICATION
from editplan.planner.state import State, media_of, plan_of, request_of, with_notes
from editplan.records import Plan

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from editplan.planner.deps import Deps

_INSTRUCTION = read_text("instruction", "observations", "checks")


class CheckVerdict(StrEnum):
    """Whether an output meets one obligation."""

    MET = "met"
    NOT_MET = "not_met"
    NOT_VISIBLE = "not_visible"


def _read(value: dict[str, Any], reader: Reader) -> tuple[str, tuple[str, ...]]:
    """The instruction, and what was not met in words."""
    reader.required(value, ("checks",), "$")
    missed = []
    for where, each in reader.items(value.get("checks"), "$.checks", most=None):
        reader.required(each, ("number", "verdict"), where)
        verdict = reader.choice(each.get("verdict"), CheckVerdict, f"{where}.verdict")
        if verdict is not CheckVerdict.MET:
            number = reader.text(each.get("number"), f"{where}.number")
            missed.append(f"{number} {verdict.value}: {reader.text(each.get('seen'), f'{where}.seen')}")
    return _INSTRUCTION(value, reader), tuple(missed)


_VERIFY = Form("verify", "verify", VERIFICATION, _read)


async def verify(state: State, runtime: Runtime[Deps]) -> State:
    """One agent call that sees sources, output and obligations."""
    last, plan = media_of(state.get("media")), plan_of(state)
    fields = {"obligations": numbered(plan) or "none", "instruction": state["instruction"]}
    shown = Shown(results=() if last is None else (result_part(last, "edited result"),))
    answer = await asked(runtime.context, state, _VERIFY, fields, shown)
    if isinstance(answer, Unusable):
        return failed(state, "verify", answer)
    text, missed = answer.value
    instruction, notes = finished(text, request_of(state).output, "verify")
    said = f"verify: {'; '.join(missed) or 'everything was met'}"
    runtime.stream_writer({"event": "critique", "problems": list(missed)})
    runtime.stream_writer({"event": "instruction", "instruction": instruction})
    return {"instruction": instruction, "notes": with_notes(state, *answer.notes, said, *notes)}


def numbered(plan: Plan | None) -> str:
    """The plan's obligations, one a line with its number; empty without any."""
    return "\n".join(f"{number}. {each.text}" for number, each in enumerate(plan.obligations if plan else (), 1))
