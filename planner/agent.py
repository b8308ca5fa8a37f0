"""`EditAgent`: the library's face. Plans an edit, makes it with one generation, and says what it did."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from editplan.calls.estimate import Estimate, budgeted, estimated
from editplan.calls.layer import CallPolicy
from editplan.calls.limits import Allowance
from editplan.calls.session import CallSession
from editplan.editors.registry import resolve as resolve_editor
from editplan.errors import ConfigError
from editplan.finish.settings import Finish
from editplan.images import load_bytes
from editplan.planner.conditions.base import ChainCondition
from editplan.planner.conditions.registry import resolve_condition
from editplan.planner.deps import Deps
from editplan.planner.giving import Terms, finish_settings, giving_of, without_mask
from editplan.planner.inputs import build_request
from editplan.planner.models.registry import resolve as resolve_model
from editplan.planner.options import PlannerOptions
from editplan.planner.portal import Portal
from editplan.planner.prepared import EditStream, Finisher, Prepared
from editplan.planner.rendering import planned_outcome, rendered_outcome
from editplan.planner.result import EditResult, PlannedEdit
from editplan.planner.run import admitted, check, run_condition
from editplan.planner.workplace import Workplace
from editplan.prompts.loader import PromptLibrary
from editplan.protocols import Editor, VisionModel
from editplan.records import Box, CallKind, EditRequest, Outcome, Part, PartRole, Status
from editplan.store import ImageStore

if TYPE_CHECKING:
    from editplan.planner.conditions.base import Condition
    from editplan.planner.graph import Compiled

Output = Literal["edit", "new"]


class EditAgent:
    """Plans and makes edits with one planner, one editor and one condition; may be shared by many requests.

    Without `run_dir` images and calls live in memory, each request's own. With it they are kept, and an equal request
    is read back instead of being sent again. `finish`, `deadline_s` and `max_cost_usd` hold for each request, unless
    the request sets its own.
    """

    def __init__(
        self,
        planner: str | VisionModel | None = "embedded",
        editor: str | Editor | None = "embedded:raster",
        *,
        condition: str | Condition = "plan",
        run_dir: Path | str | None = None,
        prompts_dir: Path | str | None = None,
        on_plan_failure: Literal["fail", "direct"] | None = None,
        options: PlannerOptions | None = None,
        policy: CallPolicy | None = None,
        seed: int = 0,
        finish: Finish | bool | None = None,
        deadline_s: float | None = None,
        max_cost_usd: float | None = None,
    ) -> None:
        self.condition = resolve_condition(condition)
        self.planner = None if planner is None else resolve_model(planner)
        self.editor = None if editor is None else resolve_editor(editor)
        self._made = [made for given, made in ((planner, self.planner), (editor, self.editor)) if given is not made]
        self.prompts = PromptLibrary(prompts_dir)
        chosen = options or PlannerOptions()
        self.options = chosen if on_plan_failure is None else chosen.on_failure(on_plan_failure)
        self._seed = seed
        self._finish = finish_settings(finish, None, None)
        self._deadline_s, self._max_cost_usd = deadline_s, max_cost_usd
        self._policy = policy or CallPolicy()
        self._place = Workplace(None if run_dir is None else Path(run_dir), self._policy)
        self._portal: Portal | None = None

    @property
    def graph(self) -> Compiled:
        """The compiled LangGraph; invoke it with `prepare(...).input` and `context=prepare(...).deps`."""
        return self.condition.build()

    def part(self, image: Any, *, role: PartRole | str = PartRole.REFERENCE, label: str = "") -> Part:
        """An image with a role, to be given among the images of a request."""
        media, _, _ = self._place.staged.add(load_bytes(image), name="the part's image")
        return Part(media=media, role=PartRole(role), label=label)

    def edit(
        self,
        images: Any,
        goal: str,
        *,
        mask: Any = None,
        region: Box | None = None,
        output: Output = "edit",
        replicate: int = 0,
        finish: Finish | bool | None = None,
        deadline_s: float | None = None,
        max_cost_usd: float | None = None,
    ) -> EditResult:
        """`aedit`, and blocks until it is done; works inside a running event loop too."""
        terms = self._terms(finish, region, deadline_s, max_cost_usd)
        return self._wait().run(self._edit(images, goal, terms, mask=mask, output=output, replicate=replicate))

    async def aedit(
        self,
        images: Any,
        goal: str,
        *,
        mask: Any = None,
        region: Box | None = None,
        output: Output = "edit",
        replicate: int = 0,
        finish: Finish | bool | None = None,
        deadline_s: float | None = None,
        max_cost_usd: float | None = None,
    ) -> EditResult:
        """Plans and edits; another `replicate` draws another sample.

        `region` is where the output is put back (x1, y1, x2, y2 in 0..1). At `deadline_s` or `max_cost_usd` the work
        stops: the status is `cancelled`, or `timeout_unknown` where a generation was out. Whatever else fails on the
        way is in the status too. Raises `ImageError` and `ConfigError` for what can't be a request (a ceiling on cost
        with a model of unknown price too), and `StoreError` where nothing can be written.
        """
        terms = self._terms(finish, region, deadline_s, max_cost_usd)
        return await self._edit(images, goal, terms, mask=mask, output=output, replicate=replicate)

    async def _edit(
        self, images: Any, goal: str, terms: Terms, *, mask: Any, output: Output, replicate: int
    ) -> EditResult:
        prepared = self._prepared(images, goal, terms, mask=mask, output=output, replicate=replicate)
        if prepared.giving is not None and prepared.giving.settings.native_region:
            prepared, planned = await self._looked_at(prepared)
            if planned is not None:
                return await self._rendered(planned, prepared)
        async with self.finishing(prepared) as finish:
            return await finish(await run_condition(self.condition, prepared.request, prepared.deps))

    async def _looked_at(self, prepared: Prepared) -> tuple[Prepared, PlannedEdit | None]:
        """With the window that the editor is to see; where the plan names it, the plan is made first."""
        assert prepared.giving is not None, "only what is given back has a window"
        condition = self.condition
        if not (prepared.giving.waits_for_a_plan and isinstance(condition, ChainCondition) and condition.asks):
            return prepared.in_window(None), None
        check(condition, prepared.deps)
        planned = await self._planned(prepared, condition)
        return prepared.in_window(planned.plan), planned

    async def aplan(
        self, images: Any, goal: str, *, mask: Any = None, output: Output = "edit", replicate: int = 0
    ) -> PlannedEdit:
        """The agent calls only: a plan to be rendered later by `arender`, here or elsewhere, unchanged or changed."""
        if not isinstance(self.condition, ChainCondition):
            raise ConfigError(f"{self.condition.id} can't be cut before its generation: use aedit")
        prepared = self.prepare(images, goal, mask=mask, output=output, replicate=replicate)
        async with self._place.kept(prepared.scope):
            return await self._planned(prepared, self.condition)

    async def _planned(self, prepared: Prepared, condition: ChainCondition) -> PlannedEdit:
        outcome = await planned_outcome(condition, prepared)
        outcome = outcome.model_copy(update={"notes": (*prepared.notes, *outcome.notes)})
        return PlannedEdit(prepared.request, outcome, condition.id, prepared.images)

    async def arender(
        self,
        planned: PlannedEdit,
        *,
        editor: str | Editor | None = None,
        instruction: str | None = None,
        replicate: int = 0,
        finish: Finish | bool | None = None,
    ) -> EditResult:
        """Makes the image of a plan, with another editor or an instruction changed by hand if they are given.

        A plan that failed gives its own failure back, without a call.
        """
        if instruction is not None:
            planned = planned.with_instruction(instruction)
        condition = resolve_condition(planned.condition)
        if not isinstance(condition, ChainCondition):
            raise ConfigError(f"{condition.id} can't be rendered from a plan: use aedit")
        prepared = self._adopted(planned, condition, replicate, self._terms(finish, None, None, None))
        if editor is not None:
            prepared = replace(prepared, deps=replace(prepared.deps, editor=resolve_editor(editor)))
        return await self._rendered(planned, prepared.in_window(planned.plan))

    async def _rendered(self, planned: PlannedEdit, prepared: Prepared) -> EditResult:
        condition = resolve_condition(planned.condition)
        assert isinstance(condition, ChainCondition), "only chains are cut before their generation"
        async with self.finishing(prepared) as finish:
            if planned.status is not Status.OK or not planned.instruction:
                return await finish(planned.outcome)
            check(condition, prepared.deps)
            return await finish(await rendered_outcome(condition, planned, prepared))

    def astream(
        self, images: Any, goal: str, *, mask: Any = None, output: Output = "edit", replicate: int = 0
    ) -> EditStream:
        """Iterates over JSON-able events: inspecting, crop, evidence, candidate, instruction, editing, done."""
        prepared = self.prepare(images, goal, mask=mask, output=output, replicate=replicate)
        check(self.condition, prepared.deps)
        return EditStream(self.graph, prepared, self.finishing(prepared))

    def prepare(
        self, images: Any, goal: str, *, mask: Any = None, output: Output = "edit", replicate: int = 0
    ) -> Prepared:
        """The request of these images and this goal, and the handles for it. Raises `ImageError`, `ConfigError`."""
        terms = self._terms(None, None, None, None)
        return self._prepared(images, goal, terms, mask=mask, output=output, replicate=replicate)

    def _prepared(
        self, images: Any, goal: str, terms: Terms, *, mask: Any, output: Output, replicate: int
    ) -> Prepared:
        store = self._place.images()
        request, notes = build_request(images, goal, store, self._place.staged, mask=mask, output=output)
        giving = giving_of(images, request, store, terms.finish)
        if giving is not None and giving.settings.region == "mask":
            request, dropped = without_mask(request, self.editor)
            notes = (*notes, *dropped)
        prepared = self._ready(request, store, self.condition, replicate, terms)
        return replace(prepared, notes=notes, giving=giving)

    def _terms(
        self,
        finish: Finish | bool | None,
        region: Box | None,
        deadline_s: float | None,
        max_cost_usd: float | None,
    ) -> Terms:
        ceiling = self._max_cost_usd if max_cost_usd is None else max_cost_usd
        planner = self.planner if self.condition.budget.agent_calls else None
        of_all = self._policy.limits.max_cost_usd
        self._policy.prices.require((planner, self.editor), ceiling if of_all is None else of_all)
        deadline = self._deadline_s if deadline_s is None else deadline_s
        allowance = Allowance(deadline_s=deadline, max_cost_usd=ceiling)
        return Terms(finish_settings(finish, self._finish, region), allowance)

    def estimate(self, images: Any = None, goal: str = "", *, requests: int = 1, concurrency: int = 1) -> Estimate:
        """Calls, tokens, cost and minutes of so many such requests, from the budget and typical calls; sends nothing.

        Each image beyond the first adds its tokens. `goal` is there so that it takes what `edit` takes.
        """
        further = max(0, len(images) - 1) if isinstance(images, (list, tuple)) else 0
        models = {CallKind.AGENT: self.planner, CallKind.GENERATION: self.editor}
        work = budgeted(self.condition.budget, models, requests=requests, further_images=further)
        basis = f"{requests} request(s), the budget of {self.condition.id} and typical calls"
        return estimated(work, self._policy.prices, concurrency=concurrency, basis=basis)

    @asynccontextmanager
    async def finishing(self, prepared: Prepared) -> AsyncIterator[Finisher]:
        """Round the work on a request: `finish(outcome)` keeps the outcome and gives the result."""
        async with self._place.kept(prepared.scope) as keep:

            async def finish(outcome: Outcome) -> EditResult:
                notes = tuple(dict.fromkeys((*prepared.notes, *outcome.notes)))
                outcome = outcome.model_copy(update={"notes": notes})
                await keep(outcome)
                giving = prepared.giving
                given = None if giving is None else await giving.give(outcome, prepared.images)
                return EditResult(outcome, prepared.images, given)

            yield finish

    def _ready(
        self, request: EditRequest, store: ImageStore, condition: Condition, replicate: int, terms: Terms
    ) -> Prepared:
        scope = self._place.scope(request, condition.id, replicate=replicate, seed=self._seed)
        session = CallSession(self._place.calls(store), scope, condition.budget, terms.allowance)
        deps = Deps(session, planner=self.planner, editor=self.editor, prompts=self.prompts, options=self.options)
        return Prepared(request, admitted(condition, deps), store, scope)

    def _adopted(self, planned: PlannedEdit, condition: ChainCondition, replicate: int, terms: Terms) -> Prepared:
        """The planned request in this agent's own place, its ledger taken up."""
        store = self._place.images()
        for part in planned.request.parts:
            if part.media.kind == "png" and part.media.sha256 not in store:
                store.add(planned.images[part.media.sha256].png())
        if planned.request.mask is not None and planned.request.mask.sha256 not in store:
            store.add(planned.images[planned.request.mask.sha256].png())
        prepared = self._ready(planned.request, store, condition, replicate, terms)
        prepared.deps.session.resume(planned.outcome.calls.calls)
        giving = giving_of(planned.request.parts[0], planned.request, store, terms.finish)
        return replace(prepared, giving=giving)

    def _wait(self) -> Portal:
        if self._portal is None:
            self._portal = Portal()
        return self._portal

    async def __aenter__(self) -> EditAgent:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __enter__(self) -> EditAgent:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def aclose(self) -> None:
        """Closes the models that the agent made, the journal, and the thread of blocking calls."""
        await self._close_models()
        await asyncio.to_thread(self._shut)

    def close(self) -> None:
        """`aclose` for blocking code."""
        if self._portal is not None:
            self._portal.run(self._close_models())
        self._shut()

    async def _close_models(self) -> None:
        for model in self._made:
            closing = getattr(model, "aclose", None)
            if callable(closing):
                await closing()

    def _shut(self) -> None:
        if self._portal is not None:
            self._portal.stop()
            self._portal = None
        self._place.close()
