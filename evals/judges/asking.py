"""How a judge reaches its model: one hearing an output, strict reading, one more question where that fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from editplan.calls.journal import Journal
from editplan.calls.layer import Calls
from editplan.calls.session import CallSession, Scope
from editplan.errors import CallFailure, Refused
from editplan.evals.judging import JudgeTask, ScoreStatus, Verdicts
from editplan.planner.ask import refuses
from editplan.prompts.loader import PromptLibrary, Rendered
from editplan.protocols import Images, VisionModel
from editplan.records import Ask, CallKind, Part, Reply, digest
from editplan.secrets import masked

REASK = "judge_reask"
MAX_TOKENS = 10_000

Value = TypeVar("Value")
Parse = Callable[[str], Value | str]
"""Reads a reply: a value, or in words what is wrong with it."""


@dataclass(frozen=True)
class Heard(Generic[Value]):
    """What one logical judge call came to: a value, or the judge failure that it ended in."""

    value: Value | None
    status: ScoreStatus = "scored"
    note: str = ""


@dataclass(frozen=True)
class Form:
    """How a judge call is worded and sent."""

    prompt: str
    fields: Mapping[str, str]
    parts: tuple[Part, ...]
    temperature: float | None = 0.0
    max_tokens: int = MAX_TOKENS
    schema: dict[str, Any] | None = None
    after: str = ""
    """Text behind the prompt."""


@dataclass
class JudgeCalls:
    """What judges share: the run's road for calls, and the prompts. Without a run, calls live in memory."""

    calls: Calls | None = None
    prompts: PromptLibrary = field(default_factory=PromptLibrary)

    def hearing(self, model: VisionModel, task: JudgeTask, images: Images) -> Hearing:
        """Opens the calls about one output."""
        if self.calls is None or self.calls.images is not images:
            self.calls = Calls(Journal(), images)
        return Hearing(self.calls, self.prompts, model, task)


class Hearing:
    """All calls about one output, their raw replies, and the ledger.

    A call's key is made of what the judge is shown and of the attempt, never of the arm: two arms with the same
    output get the same word, drawn once.
    """

    def __init__(self, calls: Calls, prompts: PromptLibrary, model: VisionModel, task: JudgeTask) -> None:
        shown = digest(task.model_dump(mode="json", exclude={"attempt"}))
        self.session = CallSession(
            calls, Scope(case_id=f"judged-{shown[:24]}", condition="judge", replicate=task.attempt)
        )
        self.prompts = prompts
        self.task = task
        self.raw: list[str] = []
        self.model = ""
        self._asked = model

    @property
    def images(self) -> Images:
        """Where the bytes of all images lie."""
        return self.session.images

    async def ask(self, form: Form, parse: Parse[Value], node: str) -> Heard[Value]:
        """Asks, and once more with the error quoted. Every `CallFailure` ends in a status."""
        ask = self._ask(form)
        declined = 0
        error = ""
        for reask in (False, True):
            try:
                reply = await self._send(_quoting(ask, self.prompts, error) if reask else ask, node, reask=reask)
            except CallFailure as failure:
                return _failed(failure)
            read = _read(reply, parse)
            if not isinstance(read, str):
                return Heard(read)
            error = read
            declined += refuses(reply.text)
        return Heard(None, "judge_refused" if declined == 2 else "judge_unparseable", f"{node}: {error}")

    async def ask_again(self, form: Form, parse: Parse[Value], node: str) -> Heard[Value]:
        """A further question of the same logical call, asked once."""
        try:
            reply = await self._send(self._ask(form), node, reask=True)
        except CallFailure as failure:
            return _failed(failure)
        read = _read(reply, parse)
        return Heard(None, "judge_unparseable", f"{node}: {read}") if isinstance(read, str) else Heard(read)

    async def ask_repeatedly(self, form: Form, parse: Parse[Value], node: str, attempts: int) -> Heard[Value]:
        """The same question up to `attempts` times, as published scripts do it; the last failure counts."""
        heard: Heard[Value] = Heard(None, "judge_error")
        for attempt in range(attempts):
            try:
                reply = await self._send(self._ask(form), f"{node}.{attempt}" if attempt else node, reask=False)
            except CallFailure as failure:
                heard = _failed(failure)
                continue
            read = _read(reply, parse, cut_off_counts=True)
            if not isinstance(read, str):
                return Heard(read)
            heard = Heard(None, "judge_unparseable", f"{node}: {read}")
        return heard

    def verdicts(self, status: ScoreStatus, **fields: Any) -> Verdicts:
        """Verdicts with what this hearing knows: raw replies, the returned model, all calls."""
        return Verdicts(status=status, raw=tuple(self.raw), model=self.model, calls=self.session.ledger, **fields)

    def _ask(self, form: Form) -> Ask:
        rendered: Rendered = self.prompts.render(form.prompt, form.fields)
        return Ask(
            task=form.prompt,
            prompt_id=rendered.prompt_id,
            text=f"{rendered.text}\n{form.after}" if form.after else rendered.text,
            parts=form.parts,
            json_schema=form.schema,
            temperature=form.temperature,
            max_tokens=form.max_tokens,
        )

    async def _send(self, ask: Ask, node: str, *, reask: bool) -> Reply:
        reply = await self.session.ask(self._asked, ask, node=node, reask=reask, kind=CallKind.JUDGE)
        self.raw.append(masked(reply.text))
        self.model = reply.model or self.model
        if reply.finish == "refused":
            raise Refused(reply.text.strip() or "the judge declined")
        return reply


def _read(reply: Reply, parse: Parse[Value], *, cut_off_counts: bool = False) -> Value | str:
    """The value of a reply; an answer that was cut off is none, unless the published reading takes it."""
    if reply.finish == "length" and not cut_off_counts:
        return "the answer was cut off at the token limit: be shorter"
    if reply.finish == "empty" or not reply.text.strip():
        return "the answer was empty"
    return parse(reply.text)


def _quoting(ask: Ask, prompts: PromptLibrary, error: str) -> Ask:
    added = prompts.render(REASK, {"error": error})
    return ask.model_copy(
        update={"text": f"{ask.text}\n{added.text}", "prompt_id": f"{ask.prompt_id}+{added.prompt_id}"}
    )


def _failed(failure: CallFailure) -> Heard[Any]:
    status: ScoreStatus = "judge_refused" if isinstance(failure, Refused) else "judge_error"
    return Heard(None, status, f"{type(failure).__name__}: {masked(str(failure))[:500]}")
