"""Draws several generations and lets the vision model choose between two at a time; it is no judge of the run."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from editplan.planner.ask import Unusable
from editplan.planner.nodes.answers import asked, failed
from editplan.planner.nodes.edit import generate
from editplan.planner.nodes.reflect import result_part
from editplan.planner.nodes.verify import numbered
from editplan.planner.questions import Form, Shown
from editplan.planner.reading import Reader
from editplan.planner.schemas import CHOICE
from editplan.planner.state import State, media_of, plan_of, with_notes
from editplan.records import Media, digest

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

    from editplan.planner.deps import Deps
    from editplan.planner.graph import Node


class Better(StrEnum):
    """Which of two results is better."""

    NEITHER = "neither"
    A = "a"
    B = "b"


def _read(value: dict[str, Any], reader: Reader) -> Better:
    reader.required(value, ("better",), "$")
    reader.surplus(value, ("better", "observations"), "$")
    return reader.choice(value.get("better"), Better, "$.better")


_CHOOSE = Form("choose", "choose", CHOICE, _read)


async def draw(state: State, runtime: Runtime[Deps]) -> State:
    """One more generation with the next seed; the first stands as the best so far."""
    runtime.stream_writer({"event": "editing", "instruction": state["instruction"]})
    media, notes = await generate(runtime.context, state, state["instruction"], node="edit")
    dumped = media.model_dump(mode="json")
    update: State = {"drafts": [*state.get("drafts", []), dumped], "notes": with_notes(state, *notes)}
    if state.get("media") is None:
        update["media"] = dumped
    return update


def choose_with(number: int) -> Node:
    """Compares the best so far with draw `number` (from 2); the earlier one stays where neither is better."""

    async def choose(state: State, runtime: Runtime[Deps]) -> State:
        best, rival = media_of(state.get("media")), media_of(state["drafts"][number - 1])
        assert best is not None, "it was drawn before"
        assert rival is not None, "it was drawn before"
        swapped = shown_swapped(best, rival)
        pair = (rival, best) if swapped else (best, rival)
        shown = Shown(results=(result_part(pair[0], "result A"), result_part(pair[1], "result B")))
        answer = await asked(runtime.context, state, _CHOOSE, {"obligations": _obligations(state)}, shown)
        if isinstance(answer, Unusable):
            return failed(state, "choose", answer)
        takes_rival = answer.value is (Better.A if swapped else Better.B)
        kept = (
            "neither is better"
            if answer.value is Better.NEITHER
            else f"draw {number} is better"
            if takes_rival
            else ""
        )
        order = "new one first" if swapped else "new one second"
        said = f"choose: {kept or f'draw {number} is not better'} ({order})"
        update: State = {"notes": with_notes(state, *answer.notes, said)}
        if takes_rival:
            update["media"] = rival.model_dump(mode="json")
        return update

    return choose


def shown_swapped(first: Media, second: Media) -> bool:
    """Whether the second is shown first: drawn from the pictures themselves, so that neither side is favoured."""
    return int(digest([first.sha256, second.sha256])[0], 16) % 2 == 1


def _obligations(state: State) -> str:
    listed = numbered(plan_of(state))
    return f"\nWhat a good result shows:\n<obligations>\n{listed}\n</obligations>" if listed else ""
