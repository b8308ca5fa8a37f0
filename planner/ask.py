"""Asks a vision model until its answer can be used: ask, parse, repair, and once more with the error quoted."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from editplan.boxes import BoxConvention
from editplan.errors import Refused
from editplan.planner.deps import Deps
from editplan.planner.forbidden import forbidden_keys
from editplan.planner.models.base import boxes_of
from editplan.planner.parsing import Parsed, parse_reply
from editplan.planner.reading import Frame, Reader
from editplan.protocols import VisionModel
from editplan.records import Ask, Reply

log = logging.getLogger("editplan.planner")

Value = TypeVar("Value")
Read = Callable[[dict[str, Any], Reader], Value]

_REFUSAL = re.compile(
    r"^\W*(?:(?:i'?m|i am) (?:really |very |so )?sorry\b|sorry,? (?:but )?i\b|unfortunately,? i\b"
    r"|i (?:can'?t|cannot|can not|won'?t|will not|am (?:unable|not able) to|must decline)\b"
    r"|i'?m (?:unable|not able) to\b|as an ai\b"
    r"|抱歉|对不起|很抱歉|我无法|我不能|申し訳|lo siento|désolé|es tut mir leid)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Answer(Generic[Value]):
    """A usable answer and what was mended to make it one."""

    value: Value
    notes: tuple[str, ...] = ()
    repaired: bool = False
    reasked: bool = False


@dataclass(frozen=True)
class Unusable:
    """Two answers that can't be used, and why the last can't."""

    reason: str
    """"length" | "empty" | "malformed" | "rule"."""
    detail: str
    text: str = ""
    """The last answer, raw."""
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Question(Generic[Value]):
    """One logical agent call: what is asked, and how the answer is read."""

    node: str
    ask: Ask
    keys: Collection[str]
    """Keys of the object that is the answer."""
    read: Read[Value]
    frames: tuple[Frame, ...] = (Frame(1),)
    of_condition: str | None = None
    """The condition whose sample this call shares; None = the outcome's own."""


async def ask_until_usable(deps: Deps, question: Question[Value]) -> Answer[Value] | Unusable:
    """Asks, and once again if the answer can't be used.

    Raises `Refused` where the model declines (in prose: twice), and whatever the call layer raises.
    """
    model = deps.need_planner()
    reply = await _send(deps, model, question, question.ask, reask=False)
    first = _judge(reply, deps, question)
    if isinstance(first, Answer):
        return first
    log.info("%s: asked again: %s", question.node, first.detail)
    again = await _send(deps, model, question, _reask(deps, question.ask, first), reask=True)
    second = _judge(again, deps, question)
    noted = (f"{question.node}: asked again: {first.detail}",)
    if isinstance(second, Answer):
        return Answer(second.value, notes=(*noted, *second.notes), repaired=second.repaired, reasked=True)
    if refuses(reply.text) and refuses(again.text):
        raise _declined(again, deps, category="prose")
    return Unusable(second.reason, second.detail, second.text, noted)


def read_reply(reply: Reply, question: Question[Value], convention: BoxConvention) -> Answer[Value] | Unusable:
    """One answer, read; the whole of what a messy reply comes to, without a call."""
    if reply.finish == "length":
        return Unusable("length", "the answer was cut off at the token limit: be shorter", reply.text)
    if reply.finish == "empty" or not reply.text.strip():
        return Unusable("empty", "the answer was empty", reply.text)
    parsed = parse_reply(reply.text, question.keys)
    if parsed.value is None:
        return Unusable("malformed", parsed.error or "no JSON object", reply.text)
    return _read_value(parsed.value, parsed, reply, question, convention)


def refuses(text: str) -> bool:
    """Whether an answer without any JSON declines in prose."""
    return "{" not in text and bool(_REFUSAL.match(text.strip().replace("’", "'")))


def _read_value(
    value: dict[str, Any], parsed: Parsed, reply: Reply, question: Question[Value], convention: BoxConvention
) -> Answer[Value] | Unusable:
    reader = Reader(frames=question.frames, convention=convention)
    leaked = forbidden_keys(value)
    if leaked:
        return Unusable("rule", "; ".join(leaked), reply.text)
    result = question.read(value, reader)
    if reader.problems:
        return Unusable("rule", "; ".join(reader.problems[:8]), reply.text)
    notes = tuple(f"{question.node}: {note}" for note in (*reply.notes, *parsed.notes, *reader.notes))
    return Answer(result, notes=notes, repaired=parsed.repaired)


def _judge(reply: Reply, deps: Deps, question: Question[Value]) -> Answer[Value] | Unusable:
    if reply.finish == "refused":
        raise _declined(reply, deps)
    return read_reply(reply, question, boxes_of(deps.need_planner()))


def _declined(reply: Reply, deps: Deps, category: str | None = None) -> Refused:
    """A refusal with the ledger line of the call that gave it."""
    refused = Refused(reply.text.strip()[:2000] or "the model declined", stage="output", category=category)
    refused.record = deps.session.ledger.calls[-1]
    return refused


async def _send(deps: Deps, model: VisionModel, question: Question[Value], ask: Ask, *, reask: bool) -> Reply:
    return await deps.session.ask(model, ask, node=question.node, reask=reask, of_condition=question.of_condition)


def _reask(deps: Deps, ask: Ask, unusable: Unusable) -> Ask:
    added = deps.prompts.render("reask", {"error": unusable.detail})
    return ask.model_copy(
        update={"text": f"{ask.text}\n{added.text}", "prompt_id": f"{ask.prompt_id}+{added.prompt_id}"}
    )
