"""Over random conditions, answers and faults: no graph exceeds its budget, and ledgers sum to what was asked."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import PIL.Image
from hypothesis import given, settings
from hypothesis import strategies as st

from editplan.calls.journal import Journal
from editplan.calls.layer import CallPolicy, Calls
from editplan.calls.retry import RetryPolicy
from editplan.errors import BadReply, FateUnknown, RateLimited, Refused, Rejected, Unavailable, Unsupported
from editplan.planner.conditions.registry import resolve_condition
from editplan.planner.deps import Deps
from editplan.planner.hints import KnowledgeHint, OracleSpec
from editplan.planner.options import PlannerOptions
from editplan.planner.run import run_condition, session_of
from editplan.records import CallKind, EditRequest, Outcome, Part, Reply, Status
from editplan.store import ImageStore
from editplan.testing import ScriptedEditor, ScriptedModel

REPLIES = json.loads((Path(__file__).parents[1] / "data" / "replies" / "replies.json").read_text(encoding="utf-8"))
NAMES = (
    *("direct", "direct:preserve", "knowledge_hint", "text_rewrite", "generic_rewrite", "generic_rewrite:tiles"),
    *("text_answer", "describe", "text_thinking", "text_thinking:raw", "oracle", "oracle:raw", "self_reflection:1"),
    *("self_reflection:2", "plan", "plan:no_crops", "plan:one_stage", "plan_verify", "best_of:2[direct]"),
    *("best_of:3[plan:no_contrast]",),
)
FAULTS = (
    Refused("no"),
    Refused("no", stage="input"),
    BadReply("none", kind="no_image"),
    RateLimited("slow", retry_after_s=0.0),
    Unavailable("503"),
    FateUnknown("lost"),
    Rejected("400"),
    Unsupported("no"),
)
USABLE: dict[str, Any] = {
    "observations": [],
    "problems": [],
    "changes": [],
    "keep": [],
    "checks": [],
    "instruction": "Move it.",
    "answer": "It moved.",
    "description": "A tray.",
    "better": "B",
}
MESSY = [Reply(text=each["text"], finish=each["finish"]) for each in REPLIES["replies"]]
said = st.sampled_from([*FAULTS, *MESSY]) | st.just(USABLE)
made = st.sampled_from([*FAULTS, None, None])


def _board() -> bytes:
    buffer = io.BytesIO()
    PIL.Image.linear_gradient("L").convert("RGB").save(buffer, format="PNG")
    return buffer.getvalue()


async def _run(name: str, model: ScriptedModel, editor: ScriptedEditor, options: PlannerOptions) -> Outcome:
    store, journal = ImageStore(), Journal()
    calls = Calls(journal, store, CallPolicy(retry=RetryPolicy(base_s=0.0, cap_s=0.0)))
    media, _, _ = store.add(_board())
    request = EditRequest(case_id="c", parts=(Part(media=media),), goal=str(REPLIES["goal"]))
    condition = resolve_condition(name)
    deps = Deps(
        session=session_of(calls, condition, case_id="c"),
        planner=model,
        editor=editor,
        options=options,
        oracle=OracleSpec(final_state="It moved."),
        hint=KnowledgeHint(text="A hint."),
    )
    try:
        return await run_condition(condition, request, deps)
    finally:
        journal.close()


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.lists(said, min_size=1, max_size=6),
    st.lists(made, min_size=1, max_size=5),
    st.sampled_from(["fail", "direct"]),
)
def test_no_graph_exceeds_its_budget(name: str, answers: list[Any], results: list[Any], on_failure: Any) -> None:
    asked, drawn = iter(answers * 40), iter(results * 40)

    def make(job: Any, images: Any) -> Any:
        result = next(drawn)
        if isinstance(result, Exception):
            raise result
        return images.add(_board())[0]

    model, editor = ScriptedModel(lambda ask: next(asked)), ScriptedEditor(make)
    outcome = asyncio.run(_run(name, model, editor, PlannerOptions(on_plan_failure=on_failure)))
    budget, ledger = resolve_condition(name).budget, outcome.calls
    assert ledger.logical(CallKind.AGENT) <= budget.agent_calls
    assert ledger.logical(CallKind.GENERATION) <= budget.generations
    assert ledger.wire_attempts(CallKind.AGENT) == len(model.asks)
    assert ledger.wire_attempts(CallKind.GENERATION) == len(editor.jobs)
    assert all(call.wire_attempts <= 3 for call in ledger.calls if call.kind is CallKind.GENERATION)
    assert (outcome.status is Status.OK) is (outcome.media is not None or outcome.text is not None)
    assert outcome.status is not Status.INTERNAL_ERROR
    if outcome.status is not Status.OK:
        assert outcome.notes
