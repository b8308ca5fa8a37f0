"""The state of every condition graph: plain JSON, images as records with hashes only."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from editplan.records import EditRequest, Inspection, Media, Plan


class ConditionInput(TypedDict):
    """What a graph is given."""

    request: dict[str, Any]
    """An `EditRequest`."""


class ConditionOutput(TypedDict):
    """What a graph leaves."""

    outcome: dict[str, Any]
    """An `Outcome`."""


class State(TypedDict, total=False):
    """All channels; a node returns those that it changes. Each condition uses some of them."""

    request: dict[str, Any]
    outcome: dict[str, Any]
    inspection: dict[str, Any] | None
    crops: list[dict[str, Any]]
    """`Crop` records."""
    plan: dict[str, Any] | None
    text: str
    """A draft instruction, an answer in words, a grounding: what the last thinking node wrote."""
    answer: str | None
    """The answer of a condition that answers in words."""
    instruction: str
    drafts: list[dict[str, Any]]
    """`Media` of generations before the last."""
    media: dict[str, Any] | None
    notes: list[str]
    calls: list[dict[str, Any]]
    """The ledger so far, so that another process can go on."""
    ending: dict[str, Any] | None
    """An `Ending`, as soon as something ended the graph early."""
    fell_back: bool
    """Whether the thinking failed and the goal goes to the editor as it is, as the caller asked."""


def request_of(state: State) -> EditRequest:
    """The request as a record."""
    return EditRequest.model_validate(state["request"])


def inspection_of(state: State) -> Inspection:
    """What Inspect found; empty if it has not run."""
    found = state.get("inspection")
    return Inspection.model_validate(found) if found else Inspection()


def plan_of(state: State) -> Plan | None:
    """The plan as far as it is."""
    found = state.get("plan")
    return Plan.model_validate(found) if found else None


def media_of(value: dict[str, Any] | None) -> Media | None:
    """A `Media` from the state."""
    return Media.model_validate(value) if value else None


def with_notes(state: State, *notes: str) -> list[str]:
    """The state's notes and new ones, without repeats."""
    return list(dict.fromkeys([*state.get("notes", []), *notes]))
