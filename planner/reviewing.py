"""A person reviews a plan between two processes: one plans and stops, another edits as the person says.

The run directory is the only state. The second process builds the same graph and starts it again; the journal answers
every agent call that was made before, so that nothing is asked or paid twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from editplan.calls.layer import CallPolicy
from editplan.errors import ConfigError, StoreError
from editplan.finish.settings import Finish
from editplan.planner.agent import EditAgent
from editplan.planner.conditions.base import ChainCondition
from editplan.planner.options import PlannerOptions
from editplan.planner.prepared import Prepared
from editplan.planner.result import EditResult
from editplan.planner.run import check
from editplan.records import EditRequest, Outcome, Plan, Record
from editplan.store import ImageStore

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

Word = str | dict[str, Any]
"""What the review node takes: "approve", {"decision": "edit", "instruction": ...}, {"decision": "reject", ...}."""


class ReviewWish(Record):
    """An edit that is to be reviewed, in names that another process can resolve again."""

    images: tuple[str, ...]
    """Paths of the pictures."""
    goal: str
    mask: str | None = None
    planner: str = "embedded"
    editor: str = "embedded:raster"
    condition: str = "plan"
    finish: Finish | None = None
    out: str = ""
    """Where the caller wants the output."""


class PendingReview(Record):
    """A plan that waits for a person's word."""

    wish: ReviewWish
    request: EditRequest
    instruction: str
    plan: Plan | None = None
    decided: str = ""
    """approve | edit | reject, once the word was carried out; empty while it is open."""


@dataclass(frozen=True)
class Reviewed:
    """What a planning process or a deciding one leaves."""

    pending: PendingReview
    result: EditResult | None
    """None while the review is open."""


async def begin_review(wish: ReviewWish, run_dir: Path, policy: CallPolicy | None = None) -> Reviewed:
    """Plans, writes the plan down and stops before the generation; a failed plan ends at once and is a result.

    Raises `ConfigError` for a condition without a review, `ImageError` and `StoreError` as `EditAgent` does.
    """
    agent = _agent(wish, run_dir, policy)
    try:
        _require_review(agent, wish.condition)
        prepared = agent.prepare(list(wish.images), wish.goal, mask=wish.mask)
        state = await _started(agent, prepared)
        pending = PendingReview(wish=wish, request=prepared.request, instruction="")
        if "__interrupt__" not in state:
            return Reviewed(pending, await _finished(agent, prepared, state))
        shown = state["__interrupt__"][0].value
        pending = pending.model_copy(
            update={
                "instruction": shown["instruction"],
                "plan": Plan.model_validate(shown["plan"]) if shown["plan"] else None,
            }
        )
        _write(run_dir, pending)
        return Reviewed(pending, None)
    finally:
        await agent.aclose()


async def decide_review(run_dir: Path, case_id: str, word: Word, policy: CallPolicy | None = None) -> Reviewed:
    """Carries out a reviewer's word on a plan that waits in `run_dir`.

    Raises `StoreError` where no such plan waits, `ConfigError` where its word was carried out already.
    """
    pending = read_review(run_dir, case_id)
    if pending.decided:
        raise ConfigError(f"{case_id} was decided ({pending.decided}): begin another review to edit again")
    from langgraph.types import Command

    agent = _agent(pending.wish, run_dir, policy)
    try:
        prepared = _again(agent, pending, run_dir)
        graph = agent.condition.build(_saver())
        await graph.ainvoke(prepared.input, _thread(prepared), context=prepared.deps)
        command: Any = Command(resume=word)
        state = await graph.ainvoke(command, _thread(prepared), context=prepared.deps)
        result = await _finished(agent, prepared, dict(state))
    finally:
        await agent.aclose()
    decision = word if isinstance(word, str) else str(word.get("decision"))
    if decision == "reject" or not result.status.is_fault:
        pending = pending.model_copy(update={"decided": decision})
        _write(run_dir, pending)
    return Reviewed(pending, result)


def read_review(run_dir: Path, case_id: str) -> PendingReview:
    """The plan that waits under a request's id. Raises `StoreError` that lists those that wait."""
    path = _path(run_dir, case_id)
    try:
        return PendingReview.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        waiting = ", ".join(sorted(each.stem for each in path.parent.glob("*.json"))) or "none"
        raise StoreError(f"no plan of {case_id} waits in {run_dir}; waiting: {waiting}") from error
    except ValidationError as error:
        raise StoreError(f"{path} is no review of ours: {error.errors()[0]['msg']}") from error


def _agent(wish: ReviewWish, run_dir: Path, policy: CallPolicy | None) -> EditAgent:
    return EditAgent(
        wish.planner,
        wish.editor,
        condition=wish.condition,
        run_dir=run_dir,
        options=PlannerOptions(review=True),
        policy=policy,
        finish=wish.finish,
    )


def _require_review(agent: EditAgent, name: str) -> None:
    condition = agent.condition
    if not isinstance(condition, ChainCondition) or all(step.name != "review" for step in condition.steps):
        raise ConfigError(f"{name} has no plan to review: use plan or one of its ablations")


async def _started(agent: EditAgent, prepared: Prepared) -> dict[str, Any]:
    check(agent.condition, prepared.deps)
    graph = agent.condition.build(_saver())
    return dict(await graph.ainvoke(prepared.input, _thread(prepared), context=prepared.deps))


async def _finished(agent: EditAgent, prepared: Prepared, state: dict[str, Any]) -> EditResult:
    async with agent.finishing(prepared) as finish:
        return await finish(Outcome.model_validate(state["outcome"]))


def _again(agent: EditAgent, pending: PendingReview, run_dir: Path) -> Prepared:
    """The same request in this process; with a finish from the files, whose profile and EXIF are given back."""
    wish, request = pending.wish, pending.request
    if wish.finish is None:
        kept = ImageStore(run_dir / "images")
        mask = None if request.mask is None else kept[request.mask.sha256].png()
        prepared = agent.prepare(list(request.parts), wish.goal, mask=mask)
    else:
        prepared = agent.prepare(list(wish.images), wish.goal, mask=wish.mask)
    if prepared.request != request:
        raise StoreError(f"the pictures of {request.case_id} were changed since the plan was made: plan again")
    return prepared


def _saver() -> Any:
    from langgraph.checkpoint.memory import InMemorySaver

    return InMemorySaver()


def _thread(prepared: Prepared) -> RunnableConfig:
    return {"configurable": {"thread_id": prepared.request.case_id}}


def _path(run_dir: Path, case_id: str) -> Path:
    if Path(case_id).name != case_id:
        raise ConfigError(f"{case_id!r} is no request's id")
    return run_dir / "reviews" / f"{case_id}.json"


def _write(run_dir: Path, pending: PendingReview) -> None:
    path = _path(run_dir, pending.request.case_id)
    partial = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(pending.model_dump_json(indent=1) + "\n", encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise StoreError(f"can't write {path}: {error.strerror or error}") from error
