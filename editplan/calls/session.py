"""The calls of one outcome: budget, ordinals, seeds and the ledger."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from editplan.calls.budget import BudgetMeter, CallBudget
from editplan.calls.layer import Answer, Answered, Call, Calls
from editplan.calls.limits import Allowance
from editplan.errors import CallFailure, Unsupported
from editplan.protocols import Editor, Images, VisionModel
from editplan.records import (
    Ask,
    CallKind,
    CallRecord,
    Edited,
    EditJob,
    Ledger,
    Part,
    Record,
    Reply,
    canonical_json,
    digest,
)

_TOKENS_PER_IMAGE = 765
_TOKENS_OUT = 1000
"""Expected of a call before it is answered, where tokens a minute have a ceiling."""


class Scope(Record):
    """Which outcome calls belong to; part of every key in the journal."""

    case_id: str
    condition: str
    replicate: int = 0
    seed: int = 0
    """The experiment's own seed."""


def generation_seed(scope: Scope, index: int) -> int:
    """The seed of a generation: a hash of seed, case, replicate and index, so that arms share it. In 0..2³¹−1."""
    text = canonical_json([scope.seed, scope.case_id, scope.replicate, index])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1


class CallSession:
    """Makes the calls of one outcome and keeps its ledger.

    Agent calls are keyed without the editor: a plan is drawn once and shared over editors.
    """

    def __init__(
        self, calls: Calls, scope: Scope, budget: CallBudget | None = None, allowance: Allowance | None = None
    ) -> None:
        self._calls = calls
        self._allowance = allowance or Allowance()
        self._scope = scope
        self._meter = BudgetMeter(budget)
        self._ordinals: Counter[tuple[str, CallKind]] = Counter()
        self._generations = 0
        self._records: list[CallRecord] = []

    @property
    def images(self) -> Images:
        """Where the bytes of all images lie."""
        return self._calls.images

    @property
    def ledger(self) -> Ledger:
        """All calls so far."""
        return Ledger(calls=tuple(self._records))

    def resume(self, records: tuple[CallRecord, ...]) -> None:
        """Takes up an outcome whose first part ran in an earlier session or process."""
        self._records = list(records)
        self._meter.resume(records)
        for record in records:
            self._ordinals[record.node, record.kind] += not record.reask
            self._generations += record.kind is CallKind.GENERATION

    async def ask(
        self,
        model: VisionModel,
        ask: Ask,
        *,
        node: str,
        reask: bool = False,
        kind: CallKind = CallKind.AGENT,
        of_condition: str | None = None,
    ) -> Reply:
        """One agent or judge call; a re-ask belongs to the logical call before it and costs no budget.

        With `of_condition` the call is that condition's: both use one and the same answer.
        Raises `BudgetExceeded` or the `CallFailure` that ended it.
        """
        call = self._call(
            model,
            Reply,
            lambda: model.ask(ask, self.images),
            node=node,
            kind=kind,
            reask=reask,
            of_condition=of_condition,
            expected_tokens=_tokens_of(ask.text, ask.parts) + _TOKENS_OUT,
        )
        return await self._carry_out(call({"ask": ask.model_dump(mode="json"), "model": model.id}))

    async def edit(self, editor: Editor, job: EditJob, *, node: str) -> Edited:
        """One generation, seeded by case, replicate and its index in the outcome unless the job has a seed.

        Raises `BudgetExceeded`, `Unsupported` or the `CallFailure` that ended it.
        """
        _check(editor, job)
        if job.seed is None:
            job = job.model_copy(update={"seed": generation_seed(self._scope, self._generations)})
        sent = job
        call = self._call(
            editor,
            Edited,
            lambda: editor.edit(sent, self.images),
            node=node,
            kind=CallKind.GENERATION,
            reask=False,
            expected_tokens=_tokens_of(job.instruction, job.parts) + _TOKENS_OUT,
        )
        self._generations += 1
        return await self._carry_out(call({"job": sent.model_dump(mode="json"), "editor": editor.id}))

    def _call(
        self,
        model: VisionModel | Editor,
        answer: type[Answer],
        send: Callable[[], Awaitable[Answer]],
        *,
        node: str,
        kind: CallKind,
        reask: bool,
        of_condition: str | None = None,
        expected_tokens: int = 0,
    ) -> Callable[[dict[str, Any]], Call[Answer]]:
        if not reask:
            self._meter.take(kind)
            self._ordinals[node, kind] += 1
        ordinal = self._ordinals[node, kind] - 1
        capabilities = getattr(model, "capabilities", model)

        def build(request: dict[str, Any]) -> Call[Answer]:
            place = {"node": node, "ordinal": ordinal, "reask": int(reask), "kind": str(kind)}
            scope = self._scope.model_dump() | ({"condition": of_condition} if of_condition else {})
            key = digest({"request": request, "place": place, "scope": scope})
            rows = {name: scope[name] for name in ("case_id", "condition", "replicate")}
            return Call(
                key=key,
                kind=kind,
                node=node,
                ordinal=ordinal,
                reask=reask,
                model=model.id,
                endpoint=str(getattr(model, "endpoint", model.id)),
                in_process=bool(getattr(capabilities, "in_process", False)),
                timeout_s=getattr(model, "timeout_s", None),
                answer=answer,
                send=send,
                identity={"key": key, "model": model.id, "request": canonical_json(request), **place, **rows},
                expected_tokens=expected_tokens,
                allowance=self._allowance,
            )

        return build

    async def _carry_out(self, call: Call[Answer]) -> Answer:
        try:
            answered = await self._before_the_deadline(call)
        except CallFailure as failure:
            if failure.record is not None:
                self._records.append(failure.record)
            raise
        self._records.append(answered.record)
        return answered.answer

    async def _before_the_deadline(self, call: Call[Answer]) -> Answered[Answer]:
        try:
            async with asyncio.timeout(self._allowance.left_s):
                return await self._calls.carry_out(call)
        except TimeoutError as error:
            raise await self._calls.overdue(call) from error


def _tokens_of(text: str, parts: tuple[Part, ...]) -> int:
    return len(text) // 4 + len(parts) * _TOKENS_PER_IMAGE


def _check(editor: Editor, job: EditJob) -> None:
    """Raises `Unsupported` for a job outside the editor's declared set, before anything is counted or sent."""
    can = editor.capabilities
    if len(job.parts) > can.max_images:
        raise Unsupported(f"{editor.id} takes {can.max_images} image(s), the job has {len(job.parts)}")
    if job.mask is not None and not can.mask:
        raise Unsupported(f"{editor.id} takes no mask: leave it out or choose another editor")
    longest = can.max_instruction_characters
    if longest is not None and len(job.instruction) > longest:
        raise Unsupported(
            f"{editor.id} takes instructions of up to {longest} characters, this has {len(job.instruction)}"
        )
